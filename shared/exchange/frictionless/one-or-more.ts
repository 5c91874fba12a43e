import { isAbsent } from "../json-object.ts";

/** The members of a list, or the one value that stands where a list may; absent and empty values are none. */
export function oneOrMore(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value].filter((one) => !isAbsent(one) && one !== "");
}
