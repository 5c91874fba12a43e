import type { Fields, PlainField } from "../../domain/fields/field.ts";
import { LIMITS } from "../../domain/limits.ts";
import { describeJsonType } from "../../domain/values/value-type.ts";
import { holdsCredentials, link, markdown, modelVersion, singleLine, uri } from "../../domain/values/value-types.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { isAbsent, type JsonObject, type KnownMembers } from "../common/json-object.ts";
import { describeKeyChange, toLegalKeys } from "../common/legal-key.ts";
import { readDescription, readLink, readName, readText, readVersion, warnCredentials } from "../common/source-texts.ts";

/** A variant of model documents: objects with keys in lists, and refs between them. */
export interface ModelJsonForm {
  readonly texts: DocumentTexts;
  /** Converts an item of a list of attributes to a ref `key:…` or `id:…`. */
  readonly attributeRef: (written: unknown) => unknown;
  /** Returns true for members that are read. */
  readonly reads: (member: string) => boolean;
  /** Explanations that replace "is not imported". */
  readonly sentences?: { readonly [member: string]: string };
}

export function listKnownMembers(fields: Fields, { reads, sentences }: ModelJsonForm): KnownMembers {
  const documented = Object.entries(fields).filter(([, { is }]) => is !== "internal");
  const read = documented.map(([member]) => member).filter(reads);
  const identifying = ["renamedFrom"].filter(reads);
  return { read: new Set(["$schema", "id", "key", ...identifying, ...read]), ...(sentences && { sentences }) };
}

/** Returns the members that the variant has. */
export function pickReadableMembers(source: JsonObject, { reads }: ModelJsonForm): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([member]) => reads(member)));
}

/** Returns a list. An absent list is empty; other values are rejected. */
export function readList(holder: JsonObject, member: string, diagnostics: Diagnostics): readonly unknown[] {
  const list = holder[member];
  if (Array.isArray(list)) return list;
  if (!isAbsent(list)) diagnostics.reject(`/${member}`, `expected a list, got ${describeJsonType(list)}`);
  return [];
}

/** Returns the length of a list, or 0 for other values. */
export function countItems(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

/** Returns the value of a member. It is checked with the whole document later. */
export function readValue(
  source: JsonObject,
  member: string,
  { type }: PlainField,
  { texts }: ModelJsonForm,
  diagnostics: Diagnostics,
): unknown {
  if (type.json === "string") return findTextReader(type.id, texts)(source, member, diagnostics);
  const value = source[member];
  if (isAbsent(value)) return undefined;
  if (type.json !== "boolean" || typeof value === "boolean") return value;
  diagnostics.reject(`/${member}`, `expected true or false, got ${describeJsonType(value)}`);
  return undefined;
}

function findTextReader(typeId: string, texts: DocumentTexts): TextReader {
  const readers = new Map<string, TextReader>([
    [singleLine.id, texts.name],
    [markdown.id, texts.description],
    [link.id, texts.link],
    [uri.id, texts.origin],
    [modelVersion.id, texts.version],
  ]);
  return readers.get(typeId) ?? readExactText;
}

/** Reads a text member. Returns undefined if it is absent. */
type TextReader = (source: JsonObject, member: string, diagnostics: Diagnostics) => string | undefined;

/** Readers of keys and texts: unchanged, or adapted to the limits. */
interface DocumentTexts {
  readonly name: TextReader;
  readonly description: TextReader;
  readonly link: TextReader;
  readonly origin: TextReader;
  readonly version: TextReader;
  /** Makes the keys of the objects of one scope. `diagnostics` returns those of an object. */
  readonly keys: (keys: readonly string[], diagnostics: (i: number) => Diagnostics) => readonly string[];
}

/** Reads a text unchanged. Rejects other values. */
export const readExactText: TextReader = (source, member, diagnostics) => {
  const value = source[member];
  if (isAbsent(value) || typeof value === "string") return value ?? undefined;
  diagnostics.reject(`/${member}`, `expected a text, got ${describeJsonType(value)}`);
  return undefined;
};

/** Readers for documents of this service: everything stays unchanged. */
export const EXACT_TEXTS: DocumentTexts = {
  name: readExactText,
  description: readExactText,
  link: readExactText,
  origin: readExactText,
  version: readExactText,
  keys: (keys) => keys,
};

/** Readers for documents of other services: texts and keys are adapted to the limits, with warnings. */
export const FITTING_TEXTS: DocumentTexts = {
  name: readName,
  description: readDescription,
  link: readLink,
  origin: (source, member, diagnostics) => {
    const text = readText(source, member, diagnostics);
    if (text !== undefined && holdsCredentials(text)) return warnCredentials(member, diagnostics);
    if (text === undefined || (!/\s/.test(text) && text.length <= LIMITS.urlCharacters)) return text;
    diagnostics.warn(
      `/${member}`,
      "not_carried_over",
      `is not a URI of at most ${LIMITS.urlCharacters} characters; it is not imported`,
    );
    return undefined;
  },
  version: readVersion,
  keys: (given, diagnostics) => {
    const keys = toLegalKeys(given);
    for (const [i, name] of given.entries()) {
      const change = describeKeyChange(name, keys[i] ?? name);
      if (change !== undefined) diagnostics(i).warn("/key", "key_made", change);
    }
    return keys;
  },
};
