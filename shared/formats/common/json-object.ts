import { escapePointerToken } from "../../domain/text/characters.ts";
import { describeJsonType } from "../../domain/values/value-type.ts";
import type { Diagnostics } from "./diagnostics.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns true for a JSON object, not for a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns true for null and undefined. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Known members of an object of a source. Every other one causes a warning. */
export interface KnownMembers {
  readonly names: ReadonlySet<string>;
  /** Explanations that replace "is not imported". */
  readonly sentences?: { readonly [member: string]: string };
}

/** Warns about each member that is not imported. Empty values are ignored. */
export function warnUnread(source: JsonObject, spec: KnownMembers, diagnostics: Diagnostics): void {
  for (const [member, value] of Object.entries(source)) {
    if (spec.names.has(member) || isEmptyValue(value)) continue;
    const sentence = spec.sentences && Object.hasOwn(spec.sentences, member) ? spec.sentences[member] : undefined;
    diagnostics.warn(`/${escapePointerToken(member)}`, "not_carried_over", sentence ?? "is not imported");
  }
}

/** Returns true for null, undefined, "" and an empty list. */
export function isEmptyValue(value: unknown): boolean {
  return isAbsent(value) || value === "" || (Array.isArray(value) && value.length === 0);
}

/** Returns the members that were not read, without empty and default values. */
export function omitRead(source: JsonObject, members: ReadonlySet<string>, defaults: JsonObject = {}): JsonObject {
  const isKept = ([member, value]: readonly [string, unknown]) =>
    !members.has(member) && !isEmptyValue(value) && !(Object.hasOwn(defaults, member) && defaults[member] === value);
  return Object.fromEntries(Object.entries(source).filter(isKept));
}

/** Returns a member that is a non-blank text. */
export function readOptionalText(source: JsonObject, member: string): string | undefined {
  const value = source[member];
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** Returns the texts of a member that is a list. */
export function readTextList(source: JsonObject, member: string): readonly string[] {
  const value = source[member];
  return Array.isArray(value) ? listTexts(value) : [];
}

/** Returns the texts of a list, or a single text as a list. */
export function listTexts(value: unknown): readonly string[] {
  return [value].flat().filter((one) => typeof one === "string");
}

/** An object of a source with its diagnostics. */
export interface Part {
  readonly source: JsonObject;
  readonly diagnostics: Diagnostics;
}

/** An object of a source with a valid name. */
export interface NamedPart extends Part {
  readonly name: string;
}

/** Returns a list. An absent list is empty; other values are rejected. */
export function readList(source: JsonObject, member: string, diagnostics: Diagnostics): readonly unknown[] {
  const list = source[member];
  if (Array.isArray(list)) return list;
  if (!isAbsent(list)) diagnostics.reject(`/${member}`, `expected a list, got ${describeJsonType(list)}`);
  return [];
}

/** Returns the objects of a list. Rejects other items and non-lists. */
export function readPartList(source: JsonObject, member: string, diagnostics: Diagnostics): readonly Part[] {
  return readList(source, member, diagnostics).flatMap((one, i): readonly Part[] => {
    const itemDiagnostics = diagnostics.at(`/${member}/${i}`);
    if (isObject(one)) return [{ source: one, diagnostics: itemDiagnostics }];
    itemDiagnostics.reject("", `expected an object, got ${describeJsonType(one)}`);
    return [];
  });
}

/** Returns the named objects of a list. Rejects objects without a name. */
export function readNamedParts(source: JsonObject, member: string, diagnostics: Diagnostics): readonly NamedPart[] {
  return readPartList(source, member, diagnostics).flatMap((part): readonly NamedPart[] => {
    const { name } = part.source;
    if (typeof name === "string" && name.trim() !== "") return [{ ...part, name }];
    part.diagnostics.reject("/name", "the name is missing or not a text");
    return [];
  });
}

/** Returns a list, or a single value as a list. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value].filter((one) => !isAbsent(one) && one !== "");
}
