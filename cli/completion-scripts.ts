import { EXIT, usage } from "./failure.ts";
import { write } from "./output.ts";
import { ownFlags } from "./own-flags.ts";
import type { Terminal } from "./terminal.ts";
import { meant } from "./unknown-word.ts";

// Bash breaks words at `=` and `:`, so the part it has already is taken off each candidate.
const BASH = `_metaction() {
  local line="\${COMP_LINE:0:COMP_POINT}" word="\${COMP_WORDS[COMP_CWORD]}" whole candidate
  whole="\${line##* }"
  [[ $word == [=:@] ]] && word=""
  COMPREPLY=()
  while IFS=$'\\t' read -r candidate _; do
    [[ $candidate == "$whole"* ]] && COMPREPLY+=("\${candidate#"\${whole%"$word"}"}")
  done < <(metaction complete -- "$line" 2>/dev/null)
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *[=:] ]] && compopt -o nospace 2>/dev/null
  if [[ \${#COMPREPLY[@]} -eq 0 && $whole == *@* ]]; then
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "\${whole##*@}"))
    compopt -o filenames 2>/dev/null
  fi
  return 0
}
complete -o default -F _metaction metaction
`;

// Read from a folder of `fpath` it is the body of the function, and otherwise a script.
const ZSH = `#compdef metaction
_metaction() {
  local line text shown
  local -a lines open openShown whole wholeShown
  lines=("\${(@f)$(metaction complete -- "\${(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null)}")
  for line in $lines; do
    text=\${line%%$'\\t'*} shown=\${line/$'\\t'/  -- }
    if [[ $text == *[=:] ]]; then
      open+=("$text") openShown+=("$shown")
    else
      whole+=("$text") wholeShown+=("$shown")
    fi
  done
  if (( $#open + $#whole == 0 )); then
    compset -P '*[=@]'
    _files
    return
  fi
  (( $#open )) && compadd -l -d openShown -S '' -a open
  (( $#whole )) && compadd -l -d wholeShown -a whole
  return 0
}
if [[ $funcstack[1] == _metaction ]]; then
  _metaction "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
  compdef _metaction metaction
fi
`;

// Files are what remains where nothing else fits.
const FISH = `function __metaction_complete
  set -l candidates (metaction complete -- (commandline -cp | string collect) 2>/dev/null)
  if test (count $candidates) -gt 0
    printf '%s\\n' $candidates
    return
  end
  set -l lead (string match -r -- '^.*[=@]' (commandline -ct))
  for file in (__fish_complete_path (string replace -r -- '^.*[=@]' '' (commandline -ct)))
    printf '%s%s\\n' "$lead" $file
  end
end
complete -c metaction -f -a '(__metaction_complete)'
`;

export const SHELLS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

/** Prints the script that makes a shell complete the words of `metaction`. */
export async function printCompletion(place: Terminal, given: readonly string[]): Promise<number> {
  const [shell, ...more] = ownFlags("completion", {}, given).words;
  const known = Object.keys(SHELLS);
  if (shell === undefined || more.length > 0) {
    throw usage(`completion needs one of ${known.join(", ")}: source <(metaction completion bash)`);
  }
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (script === undefined)
    throw usage(`completion knows no ${shell}${meant(shell, known, `write one of ${known.join(", ")}`)}`);
  await write(place, script);
  return EXIT.done;
}
