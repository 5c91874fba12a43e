import { partedAtCommas } from "../input/bare-ref.ts";
import { type Common, formsWith, type OwnFlag, readArguments, readSwitch, takeCommon } from "../input/flags.ts";
import { listOutputForms } from "../output/output.ts";
import { unknownFlag, unknownValue, usage } from "../terminal/failure.ts";

/** The words and flags of a command of its own. */
export interface OwnFlags {
  readonly common: Common;
  readonly words: readonly string[];
  /** The text of a flag of the command's own. */
  text(flag: string): string | undefined;
  /** The members of a flag that takes a list: apart by commas where it was given once, else each as it stands. */
  list(flag: string): readonly string[];
  /** Whether a switch of the command's own is on. */
  on(flag: string): boolean;
}

/**
 * Reads the arguments of a command of its own; a flag that it does not have, and a value that a flag of few values does not have,
 * end it with the nearest one.
 */
export function ownFlags(command: string, own: Readonly<Record<string, OwnFlag>>, given: readonly string[]): OwnFlags {
  const forms = formsWith(own);
  const { words, flags } = readArguments(given, forms);
  const { common, rest } = takeCommon(flags, (name) => Object.hasOwn(own, name));
  for (const flag of rest) {
    if (!Object.hasOwn(own, flag.name)) throw unknownFlag(command, flag.name, forms.keys());
  }
  const twice = rest.find(({ name }, i) => !own[name]?.list && rest.findIndex((one) => one.name === name) !== i);
  if (twice) throw usage(`--${twice.name} is given twice`);
  const texts = (name: string): readonly string[] =>
    rest.flatMap((flag) => (flag.name === name ? [String(flag.value)] : []));
  const list = (name: string): readonly string[] => splitListValue(texts(name));
  for (const [name, flag] of Object.entries(own))
    refuseUnknown(name, flag.list ? list(name) : texts(name), flag.values);
  // Before anything is done, which would have been done already when its answer is written.
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
  if (known && stranger !== undefined) throw unknownValue(`--${flag}=${stranger}`, stranger, known);
}

/** The members of a list: of one text those between its commas, of several each as it stands, so that a key may hold a comma. */
function splitListValue(given: readonly string[]): readonly string[] {
  const [first, ...more] = given;
  if (first === undefined || more.length > 0) return given;
  return partedAtCommas(first);
}
