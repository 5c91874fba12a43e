import type { Fields, PlainField } from "../../domain/fields/field.ts";
import { LIMITS } from "../../domain/limits.ts";
import { describeJsonType } from "../../domain/values/value-type.ts";
import { holdsCredentials, link, markdown, modelVersion, singleLine, uri } from "../../domain/values/value-types.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { isAbsent, type JsonObject, type KnownMembers } from "../common/json-object.ts";
import { describeKeyChange, toLegalKeys } from "../common/legal-key.ts";
import { readDescription, readLink, readName, readText, readVersion, warnCredentials } from "../common/source-texts.ts";

/** One way of writing a model as JSON: objects with keys in lists, and refs between them. */
export interface ModelJsonForm {
  readonly texts: DocumentTexts;
  /** A ref in a list of attributes as a ref of ours, `key:…` or `id:…`. */
  readonly attributeRef: (written: unknown) => unknown;
  /** True for the members of an object that are read where a field has that name. */
  readonly reads: (member: string) => boolean;
  /** Members with a better sentence than "is not carried over". */
  readonly sentences?: { readonly [member: string]: string };
}

/** The known members of an object with these fields. */
export function listKnownMembers(fields: Fields, { reads, sentences }: ModelJsonForm): KnownMembers {
  const documented = Object.entries(fields).filter(([, { is }]) => is !== "internal");
  const read = documented.map(([member]) => member).filter(reads);
  const identifying = ["renamedFrom"].filter(reads);
  return { read: new Set(["$schema", "id", "key", ...identifying, ...read]), ...(sentences && { sentences }) };
}

/** An object of a source without the members that its form has no place for. */
export function pickReadableMembers(source: JsonObject, { reads }: ModelJsonForm): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([member]) => reads(member)));
}

/** A member that is a list; absent is empty, anything else a fault. */
export function readList(holder: JsonObject, member: string, diagnostics: Diagnostics): readonly unknown[] {
  const list = holder[member];
  if (Array.isArray(list)) return list;
  if (!isAbsent(list)) diagnostics.reject(`/${member}`, `expected a list, got ${describeJsonType(list)}`);
  return [];
}

/** How many members a list has; 0 for any other value. */
export function countItems(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

/** The value of a member as its field has it; it is checked with the rest of the document. */
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

/** Reads one text member; undefined when there is none. */
type TextReader = (source: JsonObject, member: string, diagnostics: Diagnostics) => string | undefined;

/** How the keys and texts of a model document are taken: as they are, or made to fit. */
interface DocumentTexts {
  readonly name: TextReader;
  readonly description: TextReader;
  readonly link: TextReader;
  readonly origin: TextReader;
  readonly version: TextReader;
  /** The keys of the objects of one scope, in their order; `diagnostics` are theirs. */
  readonly keys: (keys: readonly string[], diagnostics: (i: number) => Diagnostics) => readonly string[];
}

/** A text as it stands; anything but a text is a fault. */
export const readExactText: TextReader = (source, member, diagnostics) => {
  const value = source[member];
  if (isAbsent(value) || typeof value === "string") return value ?? undefined;
  diagnostics.reject(`/${member}`, `expected a text, got ${describeJsonType(value)}`);
  return undefined;
};

/** For documents of our own making: everything as it stands, so that what went out comes back. */
export const EXACT_TEXTS: DocumentTexts = {
  name: readExactText,
  description: readExactText,
  link: readExactText,
  origin: readExactText,
  version: readExactText,
  keys: (keys) => keys,
};

/** For documents of another service, whose texts and keys may break our limits: changed with a warning. */
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
      `is no URI of at most ${LIMITS.urlCharacters} characters; it is not carried over`,
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
