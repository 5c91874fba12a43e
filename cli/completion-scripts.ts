import { EXIT, usage } from "./failure.ts";
import { write } from "./output.ts";
import type { Place } from "./place.ts";

// Bash breaks words at `=` and `:`, so the part it has already is taken off each candidate.
const BASH = `_metaction() {
  local line="\${COMP_LINE:0:COMP_POINT}" word="\${COMP_WORDS[COMP_CWORD]}" whole candidate
  whole="\${line##* }"
  [[ $word == [=:] ]] && word=""
  COMPREPLY=()
  while IFS= read -r candidate; do
    [[ $candidate == "$whole"* ]] && COMPREPLY+=("\${candidate#"\${whole%"$word"}"}")
  done < <(metaction complete -- "$line" 2>/dev/null)
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *[=:] ]] && compopt -o nospace
  return 0
}
complete -o default -F _metaction metaction
`;

const ZSH = `#compdef metaction
_metaction() {
  local -a candidates
  candidates=("\${(@f)$(metaction complete -- "$LBUFFER" 2>/dev/null)}")
  compadd -Q -S '' -- $candidates
}
compdef _metaction metaction
`;

const FISH = `complete -c metaction -f -a '(metaction complete -- (commandline -cp) 2>/dev/null)'
`;

export const SHELLS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

/** Prints the script that makes a shell complete the words of `metaction`. */
export async function printCompletion(place: Place, [shell, ...more]: readonly string[]): Promise<number> {
  const script = shell === undefined ? undefined : SHELLS[shell];
  if (script === undefined || more.length > 0) {
    throw usage(`completion needs one of ${Object.keys(SHELLS).join(", ")}: source <(metaction completion bash)`);
  }
  await write(place, script);
  return EXIT.done;
}
