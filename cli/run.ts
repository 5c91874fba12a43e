import { ApiProblem } from "../client/create-client.ts";
import { findNearest } from "../shared/domain/text/suggestions.ts";
import { runAction, toGroupName } from "./calls/run-action.ts";
import { isGroup, showHelp } from "./help/show-help.ts";
import { COMMANDS, type CommandName } from "./input/commands.ts";
import { listCommonForms, readArguments, readOwnVersion, splitLeadingWords, takeCommon } from "./input/flags.ts";
import { write } from "./output/output.ts";
import { createUsageFailure, EXIT } from "./terminal/failure.ts";
import type { Terminal } from "./terminal/terminal.ts";

type RunCommand = (terminal: Terminal, given: readonly string[]) => Promise<number>;

/** Modules that a single command needs. They load when it runs, so that `help` and actions start without them. */
const loadStart = () => import("./commands/start.ts");
const loadSession = () => import("./commands/session.ts");
const loadFiles = () => import("./commands/model-files.ts");
const loadViews = () => import("./commands/views.ts");
const loadDiff = () => import("./commands/diff.ts");
const loadApply = () => import("./commands/apply.ts");
const loadPull = () => import("./commands/pull.ts");
const loadCompletion = () => import("./completion/complete.ts");

const OWN: Readonly<Record<CommandName | "complete", RunCommand>> = {
  help: showHelp,
  start: async (terminal, given) => (await loadStart()).start(terminal, given),
  init: async (terminal, given) => (await loadSession()).init(terminal, given),
  login: async (terminal, given) => (await loadSession()).login(terminal, given),
  logout: async (terminal, given) => (await loadSession()).logout(terminal, given),
  use: async (terminal, given) => (await loadSession()).useProfile(terminal, given),
  whoami: (terminal, given) => runAction(terminal, "auth", "whoami", given),
  config: async (terminal, given) => (await loadSession()).showConfig(terminal, given),
  import: async (terminal, given) => (await loadFiles()).importModel(terminal, given),
  export: async (terminal, given) => (await loadFiles()).exportModel(terminal, given),
  release: async (terminal, given) => (await loadFiles()).release(terminal, given),
  diff: async (terminal, given) => (await loadDiff()).diff(terminal, given),
  show: async (terminal, given) => (await loadViews()).show(terminal, given),
  open: async (terminal, given) => (await loadViews()).openPage(terminal, given),
  search: async (terminal, given) => (await loadViews()).searchModels(terminal, given),
  grant: async (terminal, given) => (await loadViews()).grant(terminal, given),
  plan: async (terminal, given) => (await loadApply()).planOrApply(terminal, "plan", given),
  apply: async (terminal, given) => (await loadApply()).planOrApply(terminal, "apply", given),
  pull: async (terminal, given) => (await loadPull()).pull(terminal, given),
  completion: async (terminal, given) => (await loadCompletion()).printCompletion(terminal, given),
  complete: async (terminal, given) => (await loadCompletion()).complete(terminal, given),
};

/** Returns the pager command; an empty `PAGER` disables paging, as `--no-pager` does. */
export function findPager(environment: Terminal["environment"], given: readonly string[]): string | undefined {
  const { PAGER = "less -FRX", TERM } = environment;
  return PAGER === "" || TERM === "dumb" || given.includes("--no-pager") ? undefined : PAGER;
}

/** Runs one command line, without the program's name, and returns the exit code. */
export async function run(terminal: Terminal, given: readonly string[]): Promise<number> {
  const { words, rest } = splitLeadingWords(given, 2, listCommonForms());
  const [first, second] = words;
  if (first === undefined) {
    if (given.includes("--version")) {
      await write(terminal, `${readOwnVersion()}\n`);
      return EXIT.done;
    }
    return OWN.help(terminal, given);
  }
  const { common } = takeCommon(readArguments(given, listCommonForms()).flags, () => false);
  // Group `config` also has actions.
  const isOwn = Object.hasOwn(OWN, first) && !(first === "config" && second !== undefined);
  if (isOwn && common.help && first !== "help") return OWN.help(terminal, [first]);
  // `isOwn` says that it is a command.
  if (isOwn) return OWN[first as keyof typeof OWN](terminal, second === undefined ? rest : [second, ...rest]);
  // `metaction models` alone lists the models.
  if (second === undefined && toGroupName(first) === "model" && !common.help) {
    return runAction(terminal, "model", "model_list", rest);
  }
  if (second === undefined) {
    const close = findNearest(first, Object.keys(COMMANDS));
    if (common.help || !close) return OWN.help(terminal, [first, ...rest]);
    throw await createUnknownWordError(terminal, first, close, rest);
  }
  const isComparison = toGroupName(first) === "model" && second.replaceAll("-", "_") === "model_compare";
  const otherwise = isComparison ? (await loadDiff()).failing : {};
  return runAction(terminal, first, second, rest, otherwise);
}

async function createUnknownWordError(
  terminal: Terminal,
  word: string,
  close: string,
  rest: readonly string[],
): Promise<Error> {
  // If the service cannot be asked, fall back to what is known without it.
  const known = await isGroup(terminal, word, rest).catch((error: unknown) => {
    if (error instanceof ApiProblem) return false;
    throw error;
  });
  return createUsageFailure(
    known
      ? `${word} needs an action; see: metaction help ${word}`
      : `Unknown group or command ${word}; did you mean ${close}?`,
  );
}
