import type { JsonObject } from "../json-object.ts";
import { isEmpty } from "../members.ts";

/** The members of an object that nothing else read, without empty ones and those that only repeat a default. */
export function restOf(source: JsonObject, read: ReadonlySet<string>, defaults: JsonObject = {}): JsonObject {
  const said = ([member, value]: readonly [string, unknown]): boolean =>
    !read.has(member) && !isEmpty(value) && !(Object.hasOwn(defaults, member) && defaults[member] === value);
  return Object.fromEntries(Object.entries(source).filter(said));
}

/** A member that is a text with something in it. */
export function textIn(source: JsonObject, member: string): string | undefined {
  const value = source[member];
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** The texts of a member that is a list of them. */
export function textsIn(source: JsonObject, member: string): readonly string[] {
  const value = source[member];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
