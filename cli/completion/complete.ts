import { toCommandGroup } from "../../shared/domain/channels.ts";
import {
  type ActionDescription,
  type Description,
  formatTitle,
  type ParameterDescription,
} from "../calls/description.ts";
import { knowService } from "../calls/known-service.ts";
import { readOwnFlags } from "../calls/own-flags.ts";
import { listSpellings } from "../calls/payload.ts";
import { findAction, toGroupName } from "../calls/run-action.ts";
import { COMMANDS, isCommandName } from "../input/commands.ts";
import { type Configuration, readConfiguration } from "../input/configuration.ts";
import { COMPATIBILITIES, FAILURES } from "../input/fail-on.ts";
import { COMMON_FLAGS, listCommonForms, type OwnFlag, readArguments, takeCommon } from "../input/flags.ts";
import { resolveSettings } from "../input/settings.ts";
import { FORMATS, write } from "../output/output.ts";
import { createUsageFailure, EXIT, suggestWord } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import {
  type Candidate,
  completeParameter,
  completeWord,
  type Draft,
  listValues,
  type OwnDraft,
  PATIENCE,
} from "./complete-values.ts";

/** Prints a completion per line, with a tab and a description. */
export async function complete(terminal: Terminal, args: readonly string[]): Promise<number> {
  const line = args.filter((word) => word !== "--").join(" ");
  const [, ...words] = line.trimStart().split(/\s+/);
  const last = words.at(-1) ?? "";
  const matches = (await listCandidates(terminal, words.slice(0, -1), last)).filter(
    // Skip texts that a shell would have to quote.
    ({ text }) => text.startsWith(last) && /^[\w:/.@%+,=-]+$/.test(text),
  );
  const lines = matches.map(({ text, summary }) =>
    summary ? `${text}\t${summary.replace(/\s+/g, " ")}\n` : `${text}\n`,
  );
  await write(terminal, lines.join(""));
  return EXIT.done;
}

async function listCandidates(
  terminal: Terminal,
  before: readonly string[],
  last: string,
): Promise<readonly Candidate[]> {
  const configuration = await readConfiguration(terminal);
  // A trailing flag without a value: the next word is its value.
  const flagWord = /^(?:-o|--[^=]+)$/.test(before.at(-1) ?? "") ? before.at(-1) : undefined;
  const flagName = flagWord === "-o" ? "output" : flagWord?.slice(2);
  const values = listCommonValues(flagName, configuration);
  if (values) return values;
  const isAwaited = flagName !== undefined && listCommonForms().get(flagName) === "text";
  const { words, flags } = readArguments(isAwaited ? before.slice(0, -1) : before, listCommonForms());
  const [, lead = "", name = ""] = /^(--([^=]+)=)/.exec(last) ?? [];
  const common = listCommonValues(name, configuration);
  if (common) return common.map(({ text }) => ({ text: `${lead}${text}` }));

  const settings = resolveSettings(takeCommon(flags, () => false).common, terminal, configuration);
  const { description } = await knowService(terminal, settings.url.value, { fetch: fetchWithTimeout });
  const [first, second, third] = words;
  if (first === undefined) return [...listGroups(description), ...listCommands(), ...listCommonFlags()];
  if (first === "completion") return toCandidates(Object.keys(SHELLS));
  if (first === "use" && second === undefined && !last.startsWith("-"))
    return toCandidates(Object.keys(configuration.profiles));
  const ownDraft = { terminal, settings, description, before };
  const isWord = !last.startsWith("-") && flagWord === undefined;
  const command = isCommandName(first) ? COMMANDS[first] : undefined;
  if (isWord && command?.completes) return completeWord(ownDraft, command.completes, words.slice(1));
  const own = hasOwnFlags(first) ? (command?.flags ?? {}) : undefined;
  // Versions of a model are listed by an action.
  const isVersion = first === "export" && (flagName === "version" || name === "version");
  if (own && !isVersion) {
    return isWord ? [] : completeOwn(ownDraft, own, last);
  }
  if (first === "help") {
    if (second === undefined) return [...listGroups(description), ...listCommands()];
    return third === undefined ? listActions(description, second) : [];
  }
  const path = command?.runs;
  if (!path && second === undefined) return listActions(description, first);
  const action = findAction(description, ...(path ?? [first, second ?? ""]));
  if (typeof action === "string") return listCommonFlags();
  // The words of a command are parameters of its action: a version is one of the model that was typed before.
  const names = (command?.completes ?? []).map(([, name]) => name);
  const named = words.slice(1, 1 + names.length).map((word, i) => `--${names[i]}=${word}`);
  const draft = { terminal, settings, description, action, before: [...named, ...before] };
  return completeAction(draft, last);
}

function hasOwnFlags(word: string) {
  if (!isCommandName(word) || ["help", "start", "config"].includes(word)) return false;
  return COMMANDS[word].runs === undefined || word === "export";
}

async function completeOwn(
  draft: OwnDraft,
  own: Readonly<Record<string, OwnFlag>>,
  last: string,
): Promise<readonly Candidate[]> {
  const [lead = "", flagText] = /^--([^=]+)=/.exec(last) ?? [];
  const flagName = flagText ?? /^--([^=]+)$/.exec(draft.before.at(-1) ?? "")?.[1];
  const flag = flagName !== undefined && Object.hasOwn(own, flagName) ? own[flagName] : undefined;
  if (flagName !== undefined && flag?.form === "text") {
    const all = flag.completes
      ? await completeParameter({ ...draft, before: [] }, flag.completes)
      : toCandidates(flag.values ?? []);
    return all.map(({ text, summary }) => ({ text: `${lead}${text}`, summary }));
  }
  const flags = Object.entries(own).map(([name, { form, summary }]) => ({
    text: `--${name}${form === "text" ? "=" : ""}`,
    summary,
  }));
  return [...flags, ...listCommonFlags()];
}

async function completeAction(draft: Draft, last: string): Promise<readonly Candidate[]> {
  const { action, before } = draft;
  const spellings = listSpellings(action);
  const [lead, flagText] = /^--([^=]+)=/.exec(last) ?? [];
  if (lead !== undefined && flagText !== undefined) {
    const values = await listValuesOfFlag(draft, spellings, flagText, last.slice(lead.length));
    return values.map(({ text, summary }) => ({ text: `${lead}${text}`, summary }));
  }
  const previous = before.at(-1) ?? "";
  if (previous === "--as" && isComparison(action)) return listDifferenceFormats(draft.description);
  const parameter = /^--[^=]+$/.test(previous) ? spellings.get(previous.slice(2)) : undefined;
  if (parameter && parameter.json !== "boolean") {
    return listValues({ ...draft, before: before.slice(0, -1) }, parameter, last);
  }
  const usedFlags = new Set(before.map((word) => spellings.get(/^--(?:no-)?([^=]+)/.exec(word)?.[1] ?? "")));
  const own = action.parameters
    .filter((one) => one.json === "array" || !usedFlags.has(one))
    .map(({ name, json, description, isDeprecated }) => ({
      text: `--${name}${json === "boolean" ? "" : "="}`,
      summary: `${isDeprecated ? "Deprecated. " : ""}${description.split(/(?<=\.) /)[0]}`,
    }));
  const ofDiff = isComparison(action) ? toCandidates(["--fail-on=", "--compatibility=", "--as="]) : [];
  return [...own, ...ofDiff, ...listCommonFlags()];
}

async function listValuesOfFlag(
  draft: Draft,
  spellings: ReadonlyMap<string, ParameterDescription>,
  flag: string,
  input: string,
): Promise<readonly Candidate[]> {
  if (flag === "fail-on" && isComparison(draft.action)) return toCandidates(FAILURES);
  if (flag === "compatibility" && isComparison(draft.action)) return toCandidates(COMPATIBILITIES);
  if (flag === "as" && isComparison(draft.action)) return listDifferenceFormats(draft.description);
  const parameter = spellings.get(flag);
  return parameter ? listValues(draft, parameter, input) : [];
}

function isComparison({ name }: ActionDescription) {
  return name === "model_compare";
}

function listDifferenceFormats(description: Description): readonly Candidate[] {
  const action = findAction(description, "model", "model_compare_as");
  if (typeof action === "string") return [];
  return toCandidates(action.parameters.find(({ name }) => name === "format")?.values ?? []);
}

function listCommonValues(name: string | undefined, { profiles }: Configuration): readonly Candidate[] | undefined {
  if (name === "output") return toCandidates(FORMATS);
  return name === "profile" ? toCandidates(Object.keys(profiles)) : undefined;
}

function listGroups({ groups }: Description): readonly Candidate[] {
  return groups.map(({ name, description }) => ({
    text: toCommandGroup(name),
    summary: description.split(/(?<=\.) /)[0],
  }));
}

function listActions({ actions }: Description, group: string): readonly Candidate[] {
  const isInGroup = (one: ActionDescription) => toGroupName(one.group) === toGroupName(group);
  return actions.filter(isInGroup).map((one) => ({ text: one.name, summary: formatTitle(one) }));
}

function listCommands(): readonly Candidate[] {
  return Object.entries(COMMANDS).map(([text, { summary }]) => ({ text, summary }));
}

function listCommonFlags(): readonly Candidate[] {
  return Object.entries(COMMON_FLAGS).map(([name, { form, summary }]) => ({
    text: `--${name}${form === "text" ? "=" : ""}`,
    summary,
  }));
}

function toCandidates(all: readonly string[]): readonly Candidate[] {
  return all.map((text) => ({ text }));
}

/** A `fetch` with a short timeout: completion must not wait for a silent service. */
const fetchWithTimeout: typeof fetch = (input, init) => {
  const timeout = AbortSignal.timeout(PATIENCE);
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout });
};

// Bash splits words at `=` and `:`, so the part it already has is removed from each candidate.
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

// Loaded from `fpath` it is the body of the function, otherwise a script.
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

// Files are offered when nothing else matches.
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

const SHELLS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

/** Prints the script that lets a shell complete `metaction`. */
export async function printCompletion(terminal: Terminal, args: readonly string[]): Promise<number> {
  const [shell, ...more] = readOwnFlags("completion", args).words;
  const names = Object.keys(SHELLS);
  if (shell === undefined || more.length > 0) {
    throw createUsageFailure(`completion needs one of ${names.join(", ")}: source <(metaction completion bash)`);
  }
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (script === undefined)
    throw createUsageFailure(`Unknown shell ${shell}${suggestWord(shell, names, `write one of ${names.join(", ")}`)}`);
  await write(terminal, script);
  return EXIT.done;
}
