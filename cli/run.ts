import { ApiProblem } from "../client/create-client.ts";
import { nearest } from "../shared/domain/nearest.ts";
import { EXIT, usage } from "./failure.ts";
import { commonForms, readArguments } from "./flags.ts";
import { takeCommon } from "./general-flags.ts";
import { COMMANDS } from "./help-pages.ts";
import { leading } from "./leading-words.ts";
import { write } from "./output.ts";
import { ownVersion } from "./own-version.ts";
import { groupName, runAction } from "./run-action.ts";
import { isGroup, showHelp } from "./show-help.ts";
import type { Terminal } from "./terminal.ts";

/** A command with its own words and flags; answers the exit code. Those that few calls need are loaded when they are called. */
type Command = (place: Terminal, given: readonly string[]) => Promise<number>;

const OWN: Readonly<Record<keyof typeof COMMANDS | "complete", Command>> = {
  help: showHelp,
  start: async (place, given) => (await import("./start.ts")).start(place, given),
  init: async (place, given) => (await import("./init.ts")).init(place, given),
  login: async (place, given) => (await import("./login.ts")).login(place, given),
  logout: async (place, given) => (await import("./login.ts")).logout(place, given),
  use: async (place, given) => (await import("./use-profile.ts")).useProfile(place, given),
  whoami: (place, given) => runAction(place, "auth", "whoami", given),
  config: async (place, given) => (await import("./show-config.ts")).showConfig(place, given),
  import: async (place, given) => (await import("./conveniences.ts")).importModel(place, given),
  export: async (place, given) => (await import("./conveniences.ts")).exportModel(place, given),
  diff: async (place, given) => (await import("./diff.ts")).diff(place, given),
  show: async (place, given) => (await import("./show.ts")).show(place, given),
  open: async (place, given) => (await import("./open-page.ts")).openPage(place, given),
  search: async (place, given) => (await import("./search.ts")).searchModels(place, given),
  grant: async (place, given) => (await import("./grant.ts")).grant(place, given),
  release: async (place, given) => (await import("./conveniences.ts")).release(place, given),
  plan: async (place, given) => (await import("./apply.ts")).plan(place, given),
  apply: async (place, given) => (await import("./apply.ts")).apply(place, given),
  pull: async (place, given) => (await import("./pull.ts")).pull(place, given),
  completion: async (place, given) => (await import("./completion-scripts.ts")).printCompletion(place, given),
  complete: async (place, given) => (await import("./complete.ts")).complete(place, given),
};

/** The command that pages long texts; an empty `PAGER` means none, as `--no-pager` does. */
export function pagerOf(environment: Terminal["environment"], given: readonly string[]): string | undefined {
  const { PAGER = "less -FRX", TERM } = environment;
  return PAGER === "" || TERM === "dumb" || given.includes("--no-pager") ? undefined : PAGER;
}

/** Runs one command line, without the program's name, and answers the exit code. */
export async function run(place: Terminal, given: readonly string[]): Promise<number> {
  const { words, rest } = leading(given, 2, commonForms());
  const [first, second] = words;
  if (first === undefined) {
    if (given.includes("--version")) {
      await write(place, `${ownVersion()}\n`);
      return EXIT.done;
    }
    return OWN.help(place, given);
  }
  const { common } = takeCommon(readArguments(given, commonForms()).flags, () => false);
  // The group `config` has actions of its own.
  const isOwn = Object.hasOwn(OWN, first) && !(first === "config" && second !== undefined);
  if (isOwn && common.help && first !== "help") return OWN.help(place, [first]);
  // Of the commands, that is what `isOwn` says.
  if (isOwn) return OWN[first as keyof typeof OWN](place, second === undefined ? rest : [second, ...rest]);
  // The models are what most people look for first.
  if (second === undefined && groupName(first) === "model" && !common.help) {
    return runAction(place, "model", "model_list", rest);
  }
  if (second === undefined) {
    const close = nearest(first, Object.keys(COMMANDS));
    if (common.help || !close) return OWN.help(place, [first, ...rest]);
    throw await unknownWord(place, first, close, rest);
  }
  const isComparison = groupName(first) === "model" && second.replaceAll("-", "_") === "model_compare";
  const otherwise = isComparison ? (await import("./diff.ts")).failing : {};
  return runAction(place, first, second, rest, otherwise);
}

/** A group alone shows its help; a word that is none is a slip of the pen. */
async function unknownWord(place: Terminal, word: string, close: string, rest: readonly string[]): Promise<Error> {
  // Where the service cannot be asked, what is known without it is the best guess.
  const known = await isGroup(place, word, rest).catch((error: unknown) => {
    if (error instanceof ApiProblem) return false;
    throw error;
  });
  return usage(
    known ? `${word} needs an action; see: metaction help ${word}` : `there is no ${word}; did you mean ${close}?`,
  );
}
