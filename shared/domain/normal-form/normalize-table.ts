import type { EntityDocument, ModelDocument, RelationshipDocument } from "../document/document.ts";
import { omitUndefined } from "../model/content.ts";
import { findAttributeType } from "../types/find-logical-type.ts";
import { type CheckedColumn, listObjects, normalizeChecks } from "./checks.ts";
import { readTableCollation } from "./collations.ts";
import { isMadeName } from "./made-names.ts";
import { type Misfit, normalizeColumn } from "./normalize-column.ts";
import type { NormalTypes } from "./normalize-types.ts";
import { PropertyChanges, sortByText } from "./property-changes.ts";
import { getSourceName, getTableName, type ModelTerms, TableExpressions } from "./table-expressions.ts";

/** Names of the foreign keys of a table, by their columns. */
export type TableReferences = ReadonlyMap<string, ReadonlySet<unknown>>;

/** Table of a relationship, with the columns that join it. */
export interface ReferenceSide {
  readonly table: string;
  readonly columns: readonly string[];
}

/** What the normal form of a table depends on, in addition to its model. */
export interface TableTerms extends ModelTerms {
  readonly types: NormalTypes;
  /** Document with the types in their normal form. */
  readonly typed: ModelDocument;
  readonly references: TableReferences;
  readonly addMisfit: (misfit: Misfit) => void;
}

/** Index of a table, as the property `sql:indexes` lists it. */
interface Index {
  readonly name?: string;
  readonly columns: readonly string[];
  readonly using?: string;
  readonly where?: string;
}

/** Returns a table in its normal form, with its columns. */
export function normalizeTable(entity: EntityDocument, terms: TableTerms): EntityDocument {
  const { rules, types, typed, addMisfit } = terms;
  const expressions = new TableExpressions(terms, entity, (attribute) =>
    attribute.type === undefined
      ? undefined
      : findAttributeType({ ...attribute, type: types.toRef(attribute.type) }, typed).logicalType,
  );
  const changes = new PropertyChanges(entity.properties);
  const table = getTableName(entity);
  const { checks, keywords } = normalizeChecks(changes.get("checks"), table, expressions, rules);
  const jsonColumns = rules.dialect === "mysql" ? new Set(checks.flatMap(findJsonColumn)) : new Set<string>();
  changes.replaceList(
    "checks",
    checks.filter((check) => findJsonColumn(check).length === 0),
  );
  changes.replace("keyNames", normalizeKeyNames(changes.get("keyNames"), entity, terms));
  changes.replaceList("indexes", normalizeIndexes(changes.get("indexes"), entity, expressions, terms));
  const query = changes.getText("query");
  if (query !== undefined) changes.replace("query", expressions.normalizeQuery(query.replace(DATA_OPTION, "")));
  const partitions = changes.getText("partitionBy");
  if (partitions !== undefined) changes.replace("partitionBy", normalizePartitions(partitions, expressions));
  const collation = rules.dialect === "mysql" ? readTableCollation(changes.getText("options") ?? "") : undefined;
  const byColumn = Map.groupBy(keywords, ({ column }) => column);
  const { properties: _, ...others } = entity;
  const attributes = entity.attributes?.map((attribute) => {
    const name = getSourceName(attribute);
    return normalizeColumn(attribute, {
      ...{ rules, entity: entity.key, table, collation, expressions, types, addMisfit },
      document: typed,
      keywords: Object.assign({}, ...(byColumn.get(name) ?? []).map((one: CheckedColumn) => one.keywords)),
      isJson: jsonColumns.has(name),
    });
  });
  return { ...others, ...changes.toMember(), ...(attributes && { attributes }) };
}

/** Returns the column of which a check says that it contains JSON. */
function findJsonColumn({ check = "" }: { readonly check?: string }): readonly string[] {
  const [, column] = /^json_valid\(`?([^`()]+)`?\)$/.exec(check) ?? [];
  return column === undefined ? [] : [column];
}

function normalizeKeyNames(value: unknown, entity: EntityDocument, { rules }: TableTerms): object | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const names = new Map(entity.attributes.map((one) => [`key:${one.key}`, getSourceName(one)]));
  const primaryKey = (entity.primaryKey ?? []).map((ref) => names.get(ref)).join("\n");
  const table = getTableName(entity);
  const entries = Object.entries(value as Readonly<Record<string, readonly string[]>>).filter(([name, columns]) => {
    const isPrimary = primaryKey !== "" && columns.join("\n") === primaryKey;
    if (isPrimary && rules.omitsPrimaryKeyName) return false;
    return !isMadeName(name, { part: isPrimary ? "primaryKey" : "unique", table, columns }, rules);
  });
  return Object.fromEntries(entries);
}

function normalizeIndexes(
  value: unknown,
  entity: EntityDocument,
  expressions: TableExpressions,
  { rules, references }: TableTerms,
): readonly object[] {
  const table = getTableName(entity);
  const indexes = listObjects<Index>(value).map((index): Index => {
    const columns = index.columns.map((column) => {
      const attribute = expressions.findColumn(column);
      return attribute ? getSourceName(attribute) : expressions.normalize(removeDefaultOrder(column));
    });
    const { name, using, where } = index;
    const named = columns.map((column) => (expressions.findColumn(column) ? column : nameExpression(column)));
    const isMade = name !== undefined && isMadeName(name, { part: "index", table, columns: named }, rules);
    const isDefault = using !== undefined && rules.indexTypes.includes(using);
    return omitUndefined({
      ...index,
      ...(isMade && { name: undefined }),
      ...(isDefault && { using: undefined }),
      columns,
      ...(where !== undefined && { where: expressions.normalize(where) }),
    });
  });
  const isMadeForReference = ({ name, using, columns }: Index) => {
    const names = rules.indexesReferences && using === undefined ? references.get(columns.join("\n")) : undefined;
    return names !== undefined && (name === undefined || names.has(name));
  };
  return sortByText(indexes.filter((index) => !isMadeForReference(index)));
}

/** Option of a materialized view, which says nothing about its columns. */
const DATA_OPTION = /\s+with\s+(no\s+)?data\s*$/i;

/** Returns how a table is divided: the method in upper case, and the columns in brackets. */
function normalizePartitions(text: string, expressions: TableExpressions): string {
  return expressions.joinTokens(text).replace(PARTITION_METHOD, (_, method: string) => `${method.toUpperCase()} (`);
}

const PARTITION_METHOD = /^((?:linear )?(?:range|list|hash|key)(?: columns)?) ?\(/i;

/** Removes the order that an index has by default. */
function removeDefaultOrder(column: string): string {
  return column.replace(/\s+nulls\s+last\s*$/i, "").replace(/\s+asc\s*$/i, "");
}

/** Returns what PostgreSQL takes from an expression into the name of an index. */
function nameExpression(text: string): string {
  return /^([a-z_]\w*)\(/.exec(text)?.[1] ?? "expr";
}

/** Returns a foreign key in its normal form: without a made name, and without facts that repeat the default. */
export function normalizeReference(
  relationship: RelationshipDocument,
  sides: readonly ReferenceSide[],
  { rules }: ModelTerms,
): RelationshipDocument {
  if (relationship.properties === undefined) return relationship;
  const changes = new PropertyChanges(relationship.properties);
  const name = changes.getText("constraint");
  const isMade = name !== undefined && sides.some((side) => isMadeName(name, { part: "reference", ...side }, rules));
  if (isMade) changes.replace("constraint", undefined);
  for (const action of ["onDelete", "onUpdate"]) {
    if (rules.referenceActions.includes(changes.getText(action) ?? "")) changes.replace(action, undefined);
  }
  if (changes.get("match") === "simple") changes.replace("match", undefined);
  // A check that is deferred at first can be deferred.
  if (changes.get("initially") === "deferred") changes.replace("deferrable", true);
  const { properties: _, ...others } = relationship;
  return { ...others, ...changes.toMember() };
}
