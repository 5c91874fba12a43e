import { ApiProblem } from "../client/create-client.ts";
import { findNearest } from "../shared/domain/text/suggestions.ts";
import { runAction, toGroupName } from "./calls/run-action.ts";
import { isGroup, showHelp } from "./help/show-help.ts";
import { COMMANDS, type CommandName } from "./input/commands.ts";
import { listCommonForms, readArguments, readOwnVersion, splitLeadingWords, takeCommon } from "./input/flags.ts";
import { write } from "./output/output.ts";
import { createUsageFailure, EXIT } from "./terminal/failure.ts";
import type { Terminal } from "./terminal/terminal.ts";

type RunCommand = (terminal: Terminal, args: readonly string[]) => Promise<number>;

/** Modules that a single command needs. They load when it runs, so that `help` and actions start without them. */
const loadStart = () => import("./commands/start.ts");
const loadSession = () => import("./commands/session.ts");
const loadFiles = () => import("./commands/model-files.ts");
const loadViews = () => import("./commands/views.ts");
const loadDiff = () => import("./commands/diff.ts");
const loadApply = () => import("./commands/apply.ts");
const loadUndo = () => import("./commands/undo.ts");
const loadPull = () => import("./commands/pull.ts");
const loadCompletion = () => import("./completion/complete.ts");

const OWN: Readonly<Record<CommandName | "complete", RunCommand>> = {
  help: showHelp,
  start: async (terminal, args) => (await loadStart()).start(terminal, args),
  init: async (terminal, args) => (await loadSession()).init(terminal, args),
  login: async (terminal, args) => (await loadSession()).login(terminal, args),
  logout: async (terminal, args) => (await loadSession()).logout(terminal, args),
  use: async (terminal, args) => (await loadSession()).useProfile(terminal, args),
  whoami: (terminal, args) => runAction(terminal, "auth", "whoami", args),
  config: async (terminal, args) => (await loadSession()).showConfig(terminal, args),
  import: async (terminal, args) => (await loadFiles()).importModel(terminal, args),
  export: async (terminal, args) => (await loadFiles()).exportModel(terminal, args),
  release: async (terminal, args) => (await loadFiles()).release(terminal, args),
  undo: async (terminal, args) => (await loadUndo()).undo(terminal, args),
  diff: async (terminal, args) => (await loadDiff()).diff(terminal, args),
  show: async (terminal, args) => (await loadViews()).show(terminal, args),
  open: async (terminal, args) => (await loadViews()).openPage(terminal, args),
  search: async (terminal, args) => (await loadViews()).searchModels(terminal, args),
  grant: async (terminal, args) => (await loadViews()).grant(terminal, args),
  plan: async (terminal, args) => (await loadApply()).planOrApply(terminal, "plan", args),
  apply: async (terminal, args) => (await loadApply()).planOrApply(terminal, "apply", args),
  pull: async (terminal, args) => (await loadPull()).pull(terminal, args),
  completion: async (terminal, args) => (await loadCompletion()).printCompletion(terminal, args),
  complete: async (terminal, args) => (await loadCompletion()).complete(terminal, args),
};

/** Returns the pager command; an empty `PAGER` disables paging, as `--no-pager` does. */
export function findPager(environment: Terminal["environment"], args: readonly string[]): string | undefined {
  const { PAGER = "less -FRX", TERM } = environment;
  return PAGER === "" || TERM === "dumb" || args.includes("--no-pager") ? undefined : PAGER;
}

/** Runs one command line, without the program's name, and returns the exit code. */
export async function run(terminal: Terminal, args: readonly string[]): Promise<number> {
  const { words, rest } = splitLeadingWords(args, 2, listCommonForms());
  const [first, second] = words;
  if (first === undefined) {
    if (args.includes("--version")) {
      await write(terminal, `${readOwnVersion()}\n`);
      return EXIT.done;
    }
    return OWN.help(terminal, args);
  }
  const { common } = takeCommon(readArguments(args, listCommonForms()).flags, () => false);
  // Group `config` also has actions.
  const isOwn = Object.hasOwn(OWN, first) && !(first === "config" && second !== undefined);
  if (isOwn && common.help && first !== "help") return OWN.help(terminal, [first]);
  // `isOwn` says that it is a command.
  if (isOwn) return OWN[first as keyof typeof OWN](terminal, splitLeadingWords(args, 1, listCommonForms()).rest);
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
  const options = isComparison ? (await loadDiff()).failing : {};
  return runAction(terminal, first, second, rest, options);
}

async function createUnknownWordError(
  terminal: Terminal,
  word: string,
  close: string,
  rest: readonly string[],
): Promise<Error> {
  // If the service cannot be asked, fall back to what is known without it.
  const isKnown = await isGroup(terminal, word, rest).catch((error: unknown) => {
    if (error instanceof ApiProblem) return false;
    throw error;
  });
  return createUsageFailure(
    isKnown
      ? `${word} needs an action; see: metaction help ${word}`
      : `Unknown group or command ${word}; did you mean ${close}?`,
  );
}
