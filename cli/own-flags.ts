import { nearest } from "../shared/domain/nearest.ts";
import { partedAtCommas } from "./bare-ref.ts";
import { usage } from "./failure.ts";
import { commonForms, type OwnFlag, readArguments, switchOf } from "./flags.ts";
import { type Common, takeCommon } from "./general-flags.ts";

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

/** Reads the arguments of a command of its own; a flag that it does not have ends it with the nearest that it has. */
export function ownFlags(command: string, own: Readonly<Record<string, OwnFlag>>, given: readonly string[]): OwnFlags {
  const forms = new Map([...commonForms(), ...Object.entries(own).map(([name, { form }]) => [name, form] as const)]);
  const { words, flags } = readArguments(given, forms);
  const { common, rest } = takeCommon(flags, (name) => Object.hasOwn(own, name));
  for (const flag of rest) {
    if (Object.hasOwn(own, flag.name)) continue;
    const close = nearest(flag.name, forms.keys());
    throw usage(
      `${command} knows no --${flag.name}${close ? `; did you mean --${close}?` : `; see: metaction help ${command}`}`,
    );
  }
  const twice = rest.find(({ name }, i) => !own[name]?.list && rest.findIndex((one) => one.name === name) !== i);
  if (twice) throw usage(`--${twice.name} is given twice`);
  const texts = (name: string): readonly string[] =>
    rest.flatMap((flag) => (flag.name === name ? [String(flag.value)] : []));
  return {
    common,
    words,
    text: (name) => texts(name)[0],
    list: (name) => membersOf(texts(name)),
    on: (name) => rest.some((flag) => flag.name === name && switchOf(flag)),
  };
}

/** The members of a list: of one text those between its commas, of several each as it stands, so that a key may hold a comma. */
function membersOf(given: readonly string[]): readonly string[] {
  const [first, ...more] = given;
  if (first === undefined || more.length > 0) return given;
  return partedAtCommas(first);
}
