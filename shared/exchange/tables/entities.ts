import { ifDefined } from "../../domain/content.ts";
import type { AttributeDocument, EntityDocument } from "../../domain/document.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { createSizeCheck } from "../document-size.ts";
import type { Keyword } from "../frictionless/keywords.ts";
import { legalKeys } from "../legal-key.ts";
import { below, originAt, type SourcePlace } from "../source-place.ts";
import { constraintsOf, keptOf, propertiesOf, textsOf, warnKey } from "./part-members.ts";
import type { SourceColumn, SourcePart, SourceTable } from "./source-tables.ts";

/** The circumstances that all parts of a source share. */
export interface PartTerms {
  readonly namespace: string;
  readonly place: SourcePlace;
  /** The ref of a type by its name in the source. */
  readonly typeRef: (name: string) => string;
  /** The links to the tags that a part's texts became. */
  readonly tagLinks: (keywords: readonly Keyword[]) => { readonly tags?: readonly string[] };
  /** Counts what a part says; see `createSizeCheck`. */
  readonly checkSize: ReturnType<typeof createSizeCheck>;
}

/** A table with the entity that it became. */
export interface TableEntity {
  readonly source: SourceTable;
  readonly entity: EntityDocument;
  /** The attributes by the name of their column. */
  readonly columns: ReadonlyMap<string, AttributeDocument>;
  /** Sets of attribute keys whose values together are different in each row. */
  readonly unique: readonly (readonly string[])[];
  /** Those of them that become business keys. */
  readonly businessKeys: readonly (readonly string[])[];
}

/** The tags of a part with the place of each. */
export function keywordsOf({ tags = [], findings }: Pick<SourcePart, "tags" | "findings">): readonly Keyword[] {
  return tags
    .filter((text) => text.trim() !== "")
    .map((text) => ({ text: text.trim(), findings: findings.at("/tags") }));
}

/** The entities of tables under legal keys, in the order of the tables. */
export function entitiesOf(tables: readonly SourceTable[], terms: PartTerms): readonly TableEntity[] {
  const keys = legalKeys(tables.map(({ name }) => name));
  return tables.map((table, i) => entityOf(table, keys[i] ?? table.name, terms));
}

function entityOf(source: SourceTable, key: string, terms: PartTerms): TableEntity {
  const { namespace, place, tagLinks, checkSize } = terms;
  warnKey(source, key);
  const keys = legalKeys(source.columns.map(({ name }) => name));
  const attributes = source.columns.map((column, i) => attributeOf(column, keys[i] ?? column.name, terms));
  const columns = new Map<string, AttributeDocument>();
  for (const [i, { name }] of source.columns.entries()) {
    const attribute = attributes[i];
    if (attribute && !columns.has(name)) columns.set(name, attribute);
  }
  const primaryKey = keyOf(source.primaryKey, columns, LIMITS.primaryKeyAttributes);
  const sets = source.unique.map((names) => ({ names, keys: keyOf(names, columns, LIMITS.businessKeyParticipants) }));
  const kept = {
    ...source.kept,
    ...(!primaryKey && { primaryKey: source.primaryKey }),
    ...(sets.some((set) => !set.keys) && { unique: sets.filter((set) => !set.keys).map(({ names }) => names) }),
  };
  if (!primaryKey || "unique" in kept) {
    const detail = "a key names a column that is not there, or too many; it is kept as a property";
    source.findings.warn("", "kept_as_property", detail);
  }
  const businessKeys = sets.flatMap((set) => (set.keys && set.keys.length > 0 ? [set.keys] : []));
  const entity: EntityDocument = {
    key,
    ...textsOf(source, key),
    ...ifDefined("documentationHome", source.documentationHome),
    ...originAt(below(place, ...source.path)),
    ...propertiesOf(namespace, keptOf(namespace, kept, source.findings)),
    ...tagLinks(keywordsOf(source)),
    attributes,
    primaryKey: (primaryKey ?? []).map((one) => `key:${one}`),
  };
  checkSize(entity);
  const unique = primaryKey && primaryKey.length > 0 ? [...businessKeys, primaryKey] : businessKeys;
  return { source, entity, columns, unique, businessKeys };
}

function attributeOf(source: SourceColumn, key: string, terms: PartTerms): AttributeDocument {
  const { namespace, place, typeRef, tagLinks, checkSize } = terms;
  warnKey(source, key);
  const { constraints, misfits } = constraintsOf(source);
  const attribute = {
    key,
    ...textsOf(source, key),
    type: typeRef(source.type),
    optional: source.optional,
    ...ifDefined("constraints", constraints),
    ...propertiesOf(namespace, keptOf(namespace, { ...source.kept, ...misfits }, source.findings)),
    ...tagLinks(keywordsOf(source)),
    ...originAt(below(place, ...source.path)),
  };
  checkSize(attribute);
  return attribute;
}

/** The keys of the attributes that columns became; undefined where one is not there, or there are more than `most`. */
function keyOf(names: readonly string[], columns: TableEntity["columns"], most: number): readonly string[] | undefined {
  const keys = [...new Set(names)].map((name) => columns.get(name)?.key);
  return keys.length <= most && keys.every((key) => key !== undefined) ? keys : undefined;
}
