import { splitAtCommas } from "../input/bare-ref.ts";
import { type Common, listForms, type OwnFlag, readArguments, readSwitch, takeCommon } from "../input/flags.ts";
import { listOutputForms } from "../output/output.ts";
import { createUnknownFlagFailure, createUnknownValueFailure, createUsageFailure } from "../terminal/failure.ts";

/** Words and flags of a command that is not an action. */
export interface OwnFlags {
  readonly common: Common;
  readonly words: readonly string[];
  /** Returns the text of one of the command's flags. */
  text(flag: string): string | undefined;
  /** Returns the items of a list flag: split at commas if the flag was given once, else one item per flag. */
  list(flag: string): readonly string[];
  /** Returns whether one of the command's switches is on. */
  on(flag: string): boolean;
}

/** Reads the arguments of a command. Throws a usage failure with the nearest name for unknown flags and values. */
export function readOwnFlags(
  command: string,
  own: Readonly<Record<string, OwnFlag>>,
  given: readonly string[],
): OwnFlags {
  const forms = listForms(own);
  const { words, flags } = readArguments(given, forms);
  const { common, rest } = takeCommon(flags, (name) => Object.hasOwn(own, name));
  for (const flag of rest) {
    if (!Object.hasOwn(own, flag.name)) throw createUnknownFlagFailure(command, flag.name, forms.keys());
  }
  const twice = rest.find(({ name }, i) => !own[name]?.list && rest.findIndex((one) => one.name === name) !== i);
  if (twice) throw createUsageFailure(`--${twice.name} was given twice.`);
  const texts = (name: string): readonly string[] =>
    rest.flatMap((flag) => (flag.name === name ? [String(flag.value)] : []));
  const list = (name: string): readonly string[] => splitListValue(texts(name));
  for (const [name, flag] of Object.entries(own))
    refuseUnknown(name, flag.list ? list(name) : texts(name), flag.values);
  // Checked first: the command would otherwise run before its answer is formatted.
  refuseUnknown("output", common.output === undefined ? [] : [common.output], listOutputForms(command));
  return {
    common,
    words,
    text: (name) => texts(name)[0],
    list,
    on: (name) => rest.some((flag) => flag.name === name && readSwitch(flag)),
  };
}

function refuseUnknown(flag: string, given: readonly string[], known: readonly string[] | undefined): void {
  const stranger = given.find((value) => known?.includes(value) === false);
  if (known && stranger !== undefined) throw createUnknownValueFailure(`--${flag}=${stranger}`, stranger, known);
}

/**
 * Returns the items of a list: one text is split at commas; several texts are kept as they are, so a key may contain a
 * comma.
 */
function splitListValue(given: readonly string[]): readonly string[] {
  const [first, ...more] = given;
  if (first === undefined || more.length > 0) return given;
  return splitAtCommas(first);
}
