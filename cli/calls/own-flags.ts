import { COMMANDS, type CommandName } from "../input/commands.ts";
import { type Common, listForms, readArguments, readSwitch, takeCommon } from "../input/flags.ts";
import { splitAtCommas } from "../input/values.ts";
import { listOutputForms } from "../output/output.ts";
import { createUnknownFlagFailure, createUnknownValueFailure, createUsageFailure } from "../terminal/failure.ts";

/** Words and flags of a command that is not an action. */
export interface OwnFlags {
  readonly common: Common;
  readonly words: readonly string[];
  text(flag: string): string | undefined;
  /** Returns the items of a list flag: split at commas if the flag was given once, else one item per flag. */
  list(flag: string): readonly string[];
  on(flag: string): boolean;
}

/** Reads the arguments of a command. Throws a usage failure for wrong words, flags or values. */
export function readOwnFlags(command: CommandName, args: readonly string[]): OwnFlags {
  const own = COMMANDS[command].flags ?? {};
  const forms = listForms(own);
  const { words, flags } = readArguments(args, forms);
  const { common, rest } = takeCommon(flags, (name) => Object.hasOwn(own, name));
  for (const flag of rest) {
    if (!Object.hasOwn(own, flag.name)) throw createUnknownFlagFailure(command, flag.name, forms.keys());
  }
  const duplicate = rest.find(({ name }, i) => !own[name]?.list && rest.findIndex((one) => one.name === name) !== i);
  if (duplicate) throw createUsageFailure(`--${duplicate.name} was given twice.`);
  const listTexts = (name: string): readonly string[] =>
    rest.flatMap((flag) => (flag.name === name ? [String(flag.value)] : []));
  // One text is split at commas; several texts are kept as they are, because a key may contain a comma.
  const list = (name: string) => {
    const all = listTexts(name);
    return all.length === 1 ? all.flatMap(splitAtCommas) : all;
  };
  for (const [name, flag] of Object.entries(own))
    refuseUnknown(name, flag.list ? list(name) : listTexts(name), flag.values);
  // Checked first: the command would otherwise run before its answer is formatted.
  refuseUnknown("output", common.output === undefined ? [] : [common.output], listOutputForms(command));
  checkWords(command, words);
  return {
    common,
    words,
    text: (name) => listTexts(name)[0],
    list,
    on: (name) => rest.some((flag) => flag.name === name && readSwitch(flag)),
  };
}

/** Throws a usage failure if a command gets too few or too many words. */
export function checkWords(command: CommandName, words: readonly string[]): void {
  const { least = 0, most, takes, needs } = COMMANDS[command].words ?? { most: words.length };
  if (words.length < least) throw createUsageFailure(`${command} needs ${needs}`);
  if (words.length <= most) return;
  throw createUsageFailure(
    takes === undefined
      ? `${command} takes no argument ${words[0]}; see: metaction help ${command}`
      : `${command} takes ${takes}; unexpected argument ${words[most]}`,
  );
}

function refuseUnknown(flag: string, args: readonly string[], values: readonly string[] | undefined) {
  const word = args.find((value) => values?.includes(value) === false);
  if (values && word !== undefined) throw createUnknownValueFailure(`--${flag}=${word}`, word, values);
}
