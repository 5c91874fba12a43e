import { findConstraintFaults } from "../../../domain/constraints/check.ts";
import { type Constraints, isKeyword } from "../../../domain/constraints/keywords.ts";
import type { AttributeDocument, EntityDocument } from "../../../domain/document/document.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { includeMember } from "../../../domain/model/content.ts";
import { escapePointerToken } from "../../../domain/text/characters.ts";
import { isScalar } from "../../../domain/text/json-values.ts";
import type { Diagnostics } from "../diagnostics.ts";
import type { SourceSize } from "../document-size.ts";
import { isEmptyValue, type JsonObject } from "../json-object.ts";
import { type KeptValue, toProperties } from "../kept-properties.ts";
import type { Keyword } from "../keywords.ts";
import { describeKeyChange, toLegalKeys } from "../legal-key.ts";
import { appendPath, type SourcePath, toOrigin } from "../source-path.ts";
import { readDescription, readName, toName } from "../source-texts.ts";
import type { SourceColumn, SourcePart, SourceTable } from "./source-tables.ts";

/** Context for all parts of a source. */
export interface PartTerms {
  readonly namespace: string;
  readonly path: SourcePath;
  readonly typeRef: (name: string) => string;
  readonly tagLinks: (keywords: readonly Keyword[]) => { readonly tags?: readonly string[] };
  readonly size: SourceSize;
}

/** A table with its entity. */
export interface TableEntity {
  readonly source: SourceTable;
  readonly entity: EntityDocument;
  readonly columns: ReadonlyMap<string, AttributeDocument>;
  /** Sets of attribute keys that identify a row. */
  readonly unique: readonly (readonly string[])[];
  readonly businessKeys: readonly (readonly string[])[];
}

/** Returns the tags of a part as keywords. */
export function listKeywords({ tags = [], diagnostics }: Pick<SourcePart, "tags" | "diagnostics">): readonly Keyword[] {
  return tags
    .filter((text) => text.trim() !== "")
    .map((text) => ({ text: text.trim(), diagnostics: diagnostics.at("/tags") }));
}

/** Creates the entities of tables under legal keys, in the same order. */
export function createEntities(tables: readonly SourceTable[], terms: PartTerms): readonly TableEntity[] {
  const keys = toLegalKeys(tables.map(({ name }) => name));
  return tables.map((table, i) => toEntity(table, keys[i] ?? table.name, terms));
}

function toEntity(source: SourceTable, key: string, terms: PartTerms): TableEntity {
  const { namespace, path, tagLinks, size } = terms;
  warnKey(source, key);
  const keys = toLegalKeys(source.columns.map(({ name }) => name));
  const attributes = source.columns.map((column, i) => toAttribute(column, keys[i] ?? column.name, terms));
  const columns = indexByName(source.columns, attributes);
  const primaryKey = toKeys(source.primaryKey, columns, LIMITS.primaryKeyAttributes);
  const sets = source.unique.map((names) => ({ names, keys: toKeys(names, columns, LIMITS.businessKeyParticipants) }));
  const keptMembers = {
    ...source.rest,
    ...(!primaryKey && { primaryKey: source.primaryKey }),
    ...(sets.some((set) => !set.keys) && { unique: sets.filter((set) => !set.keys).map(({ names }) => names) }),
  };
  if (!primaryKey || "unique" in keptMembers) {
    const detail = "a key has an unknown column or too many columns; it is kept as a property";
    source.diagnostics.warn("", "kept_as_property", detail);
  }
  const businessKeys = sets.flatMap((set) => (set.keys && set.keys.length > 0 ? [set.keys] : []));
  const entity: EntityDocument = {
    key,
    ...readPartTexts(source, key),
    ...toOrigin(appendPath(path, ...source.path)),
    ...toNamespaceProperties(namespace, keepMembers(namespace, keptMembers, source.diagnostics)),
    ...tagLinks(listKeywords(source)),
    attributes,
    primaryKey: (primaryKey ?? []).map((one) => `key:${one}`),
  };
  size.addTexts(entity);
  const unique = primaryKey && primaryKey.length > 0 ? [...businessKeys, primaryKey] : businessKeys;
  return { source, entity, columns, unique, businessKeys };
}

/** Indexes attributes by the names of their columns. The first of two equal names wins. */
export function indexByName(
  columns: readonly { readonly name: string }[],
  attributes: readonly AttributeDocument[],
): ReadonlyMap<string, AttributeDocument> {
  const byName = Map.groupBy(attributes, (_, i) => columns[i]?.name ?? "");
  return new Map([...byName].flatMap(([name, [first]]) => (first ? [[name, first] as const] : [])));
}

function toAttribute(source: SourceColumn, key: string, terms: PartTerms): AttributeDocument {
  const { namespace, path, typeRef, tagLinks, size } = terms;
  warnKey(source, key);
  const { constraints, misfits } = splitConstraints(source);
  const attribute = {
    key,
    ...readPartTexts(source, key),
    type: typeRef(source.type),
    optional: source.optional,
    ...includeMember("constraints", constraints),
    ...toNamespaceProperties(namespace, keepMembers(namespace, { ...source.rest, ...misfits }, source.diagnostics)),
    ...tagLinks(listKeywords(source)),
    ...toOrigin(appendPath(path, ...source.path)),
  };
  size.addTexts(attribute);
  return attribute;
}

function toKeys(names: readonly string[], columns: TableEntity["columns"], maxColumns: number) {
  const keys = [...new Set(names)].map((name) => columns.get(name)?.key);
  return keys.length <= maxColumns && keys.every((key) => key !== undefined) ? keys : undefined;
}

/** Returns name and description; the name, if it differs from the key, replaces a missing title. */
export function readPartTexts({ name, title, description, diagnostics }: Omit<SourcePart, "path">, key: string) {
  const source = { title, description };
  const fallbackName = name === key || name.trim() === "" ? undefined : toName(name);
  return {
    ...includeMember("name", readName(source, "title", diagnostics) ?? fallbackName),
    ...includeMember("description", readDescription(source, "description", diagnostics)),
  };
}

/** Warns when a key differs from the name. */
export function warnKey(
  { name, diagnostics }: { readonly name: string; readonly diagnostics: Diagnostics },
  key: string,
): void {
  const change = describeKeyChange(name, key);
  if (change !== undefined) diagnostics.warn("", "key_made", change);
}

/** Returns the members of a part that become properties in a namespace. */
export function keepMembers(
  namespace: string,
  members: JsonObject | undefined,
  diagnostics: Diagnostics,
): readonly KeptValue[] {
  return Object.entries(members ?? {})
    .filter(([, value]) => !isEmptyValue(value))
    .map(([member, value]) => ({
      name: `${namespace}:${member}`,
      value,
      diagnostics: diagnostics.at(`/${escapePointerToken(member)}`),
    }));
}

export function toNamespaceProperties(namespace: string, values: readonly KeptValue[]) {
  return toProperties(values, `${namespace}:memberNames`);
}

function splitConstraints({ constraints = {}, diagnostics }: SourceColumn): {
  readonly constraints?: Constraints;
  readonly misfits: JsonObject;
} {
  const keywords: Record<string, unknown> = {};
  const misfits: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(constraints)) {
    // Null is a valid value of `default` and `const` only.
    if (value === undefined || (value === null && keyword !== "default" && keyword !== "const")) continue;
    const path = `/${escapePointerToken(keyword)}`;
    if (!addKeyword(keywords, keyword, removeRepeats(keyword, value), diagnostics.at(path))) misfits[keyword] = value;
  }
  return { ...toConstraints(keywords), misfits };
}

/** Adds a keyword to others if it fits. Warns and returns false if not. */
export function addKeyword(
  keywords: Record<string, unknown>,
  keyword: string,
  value: unknown,
  diagnostics: Diagnostics,
): boolean {
  const [fault] = isKeyword(keyword)
    ? findConstraintFaults({ ...keywords, [keyword]: value })
    : [{ detail: "unknown constraint" }];
  if (fault === undefined) keywords[keyword] = value;
  else diagnostics.warn("", "kept_as_property", `${fault.detail}; it is kept as a property`);
  return fault === undefined;
}

/** Returns keywords that fit as the constraints of an attribute. */
export function toConstraints(keywords: Record<string, unknown>): { readonly constraints?: Constraints } {
  return Object.keys(keywords).length > 0 ? { constraints: keywords as Constraints } : {};
}

/** Returns the value of a keyword, an enum without repeated values. */
export function removeRepeats(keyword: string, value: unknown): unknown {
  if (keyword !== "enum" || !Array.isArray(value)) return value;
  if (value.every(isScalar)) return [...new Set(value)];
  return [...new Map(value.map((one) => [JSON.stringify(one), one])).values()];
}
