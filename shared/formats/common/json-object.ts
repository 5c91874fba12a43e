import { escapePointerToken } from "../../domain/text/characters.ts";
import { describeJsonType } from "../../domain/values/value-type.ts";
import type { Diagnostics } from "./diagnostics.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object, which a list is not. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Absent and null are the same: no value. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** The members of one object of a source that are read or explained; every other member is a warning. */
export interface KnownMembers {
  /** Members that are read, or that only say which format this is. */
  readonly read: ReadonlySet<string>;
  /** Members with a better sentence than "is not carried over". */
  readonly sentences?: { readonly [member: string]: string };
  /** Values that say nothing beyond the format's default. */
  readonly defaults?: { readonly [member: string]: unknown };
}

/** Notes a warning for each member of an object that is not carried over; empty values lose nothing and are skipped. */
export function warnUnread(source: JsonObject, known: KnownMembers, diagnostics: Diagnostics): void {
  for (const [member, value] of Object.entries(source)) {
    if (known.read.has(member) || isEmptyValue(value)) continue;
    if (known.defaults && Object.hasOwn(known.defaults, member) && isSameJson(known.defaults[member], value)) continue;
    const sentence = known.sentences && Object.hasOwn(known.sentences, member) ? known.sentences[member] : undefined;
    diagnostics.warn(`/${escapePointerToken(member)}`, "not_carried_over", sentence ?? "is not carried over");
  }
}

/** True for a value that says nothing. */
export function isEmptyValue(value: unknown): boolean {
  return isAbsent(value) || value === "" || (Array.isArray(value) && value.length === 0);
}

function isSameJson(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** The members of an object that nothing else read, without empty ones and those that only repeat a default. */
export function omitRead(source: JsonObject, read: ReadonlySet<string>, defaults: JsonObject = {}): JsonObject {
  const said = ([member, value]: readonly [string, unknown]): boolean =>
    !read.has(member) && !isEmptyValue(value) && !(Object.hasOwn(defaults, member) && defaults[member] === value);
  return Object.fromEntries(Object.entries(source).filter(said));
}

/** A member that is a text with something in it. */
export function readOptionalText(source: JsonObject, member: string): string | undefined {
  const value = source[member];
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** The texts of a member that is a list of them. */
export function readTextList(source: JsonObject, member: string): readonly string[] {
  const value = source[member];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** An object of a source with its place. */
export interface Part {
  readonly source: JsonObject;
  readonly diagnostics: Diagnostics;
}

/** An object of a source that has a usable name. */
export interface NamedPart extends Part {
  readonly name: string;
}

/** The objects of a list; a fault for whatever else stands in it, and for a member that is no list. */
export function readPartList(source: JsonObject, member: string, diagnostics: Diagnostics): readonly Part[] {
  const list = source[member];
  if (isAbsent(list)) return [];
  if (!Array.isArray(list)) {
    diagnostics.reject(`/${member}`, `expected a list, got ${describeJsonType(list)}`);
    return [];
  }
  return list.flatMap((one: unknown, i): readonly Part[] => {
    const here = diagnostics.at(`/${member}/${i}`);
    if (isObject(one)) return [{ source: one, diagnostics: here }];
    here.reject("", `expected an object, got ${describeJsonType(one)}`);
    return [];
  });
}

/** The objects of a list that have a name; a fault for each of the others. */
export function readNamedParts(source: JsonObject, member: string, diagnostics: Diagnostics): readonly NamedPart[] {
  return readPartList(source, member, diagnostics).flatMap((part): readonly NamedPart[] => {
    const { name } = part.source;
    if (typeof name === "string" && name.trim() !== "") return [{ ...part, name }];
    part.diagnostics.reject("/name", "the name is missing or no text");
    return [];
  });
}

/** The members of a list, or the one value that stands where a list may; absent and empty values are none. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value].filter((one) => !isAbsent(one) && one !== "");
}
