import type { Fields, PlainField } from "../domain/fields/field.ts";
import { jsonTypeOf } from "../domain/value-type.ts";
import { link, markdown, modelVersion, singleLine, uri } from "../domain/value-types.ts";
import { type DocumentTexts, exactText, type TextReader } from "./document-texts.ts";
import type { Findings } from "./findings.ts";
import { isAbsent, type JsonObject } from "./json-object.ts";
import type { KnownMembers } from "./members.ts";

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
export function knownMembers(fields: Fields, { reads, sentences }: ModelJsonForm): KnownMembers {
  const documented = Object.entries(fields).filter(([, { is }]) => is !== "internal");
  const read = documented.map(([member]) => member).filter(reads);
  const identifying = ["renamedFrom"].filter(reads);
  return { read: new Set(["$schema", "id", "key", ...identifying, ...read]), ...(sentences && { sentences }) };
}

/** An object of a source without the members that its form has no place for. */
export function readMembers(source: JsonObject, { reads }: ModelJsonForm): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([member]) => reads(member)));
}

/** A member that is a list; absent is empty, anything else a fault. */
export function listOf(holder: JsonObject, member: string, findings: Findings): readonly unknown[] {
  const list = holder[member];
  if (Array.isArray(list)) return list;
  if (!isAbsent(list)) findings.fault(`/${member}`, `expected a list, got ${jsonTypeOf(list)}`);
  return [];
}

/** How many members a list has; 0 for any other value. */
export function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

/** The value of a member as its field has it; it is checked with the rest of the document. */
export function readValue(
  source: JsonObject,
  member: string,
  { type }: PlainField,
  { texts }: ModelJsonForm,
  findings: Findings,
): unknown {
  if (type.json === "string") return textReaderOf(type.id, texts)(source, member, findings);
  const value = source[member];
  if (isAbsent(value)) return undefined;
  if (type.json !== "boolean" || typeof value === "boolean") return value;
  findings.fault(`/${member}`, `expected true or false, got ${jsonTypeOf(value)}`);
  return undefined;
}

function textReaderOf(typeId: string, texts: DocumentTexts): TextReader {
  const readers = new Map<string, TextReader>([
    [singleLine.id, texts.name],
    [markdown.id, texts.description],
    [link.id, texts.link],
    [uri.id, texts.origin],
    [modelVersion.id, texts.version],
  ]);
  return readers.get(typeId) ?? exactText;
}
