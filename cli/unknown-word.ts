import { nearest } from "../shared/domain/nearest.ts";
import { type Failure, usage } from "./failure.ts";

/** The end of a sentence about a word that is not known: the known one that it is near to, else the way to them. */
export function meant(word: string, known: Iterable<string>, way: string, written = (close: string) => close): string {
  const close = nearest(word, known);
  return `; ${close === undefined ? way : `did you mean ${written(close)}?`}`;
}

/** The failure of a flag that a command does not have; `help` are the words behind `metaction help` that tell which it has. */
export function unknownFlag(command: string, flag: string, known: Iterable<string>, help = command): Failure {
  // Of one letter, every other short flag would be near.
  const isShort = flag.length === 1;
  const end = meant(flag, isShort ? [] : known, `see: ${`metaction help ${help}`.trimEnd()}`, (close) => `--${close}`);
  return usage(`${command} knows no ${isShort ? "-" : "--"}${flag}${end}`);
}

/** The failure of a value that is none of the few there are; `setting` says what was given, such as `--kind=enity`. */
export function unknownValue(setting: string, value: string, known: readonly string[]): Failure {
  const close = nearest(value, known);
  return usage(`${setting}: write ${known.join(", ")}${close === undefined ? "" : `; did you mean ${close}?`}`);
}
