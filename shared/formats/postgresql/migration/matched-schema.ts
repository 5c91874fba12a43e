import type { DocumentObject } from "../../../domain/compare/document-members.ts";
import type { DocumentMatch } from "../../../domain/compare/match-documents.ts";
import type { SqlColumn } from "../../ddl/columns.ts";
import type { SqlIndex } from "../../ddl/indexes.ts";
import type { SqlEnum } from "../../ddl/names.ts";
import type { SqlForeignKey } from "../../ddl/references.ts";
import type { SqlSchema } from "../../ddl/schema.ts";
import type { TableCheck } from "../../ddl/table-checks.ts";
import type { NamedCheck, SqlKey, SqlTable } from "../../ddl/tables.ts";
import type { SqlView } from "../../ddl/views.ts";

/** An object of a database before and after. */
export interface Pair<T> {
  readonly left: T;
  readonly right: T;
}

/** Objects of one kind: kept, removed and added. */
export interface Diff<T> {
  readonly pairs: readonly Pair<T>[];
  readonly removals: readonly T[];
  readonly additions: readonly T[];
}

export interface ColumnCheck extends NamedCheck {
  readonly column: SqlColumn;
}

/** A key with its kind. */
export interface KindedKey extends SqlKey {
  readonly kind: "PRIMARY KEY" | "UNIQUE";
}

/** An existing table before and after. */
export interface KeptTable extends Pair<SqlTable> {
  readonly columns: Diff<SqlColumn>;
  readonly keys: Diff<KindedKey>;
  /** Checks of kept columns, matched by condition and type. */
  readonly checks: Diff<ColumnCheck>;
  /** Checks of several columns, matched by name and condition. */
  readonly tableChecks: Diff<TableCheck>;
  /** Indexes, matched by name and columns. */
  readonly indexes: Diff<SqlIndex>;
}

/** Two matched schemas. Keys are matched by their columns. */
export interface MatchedSchema {
  readonly enums: Diff<SqlEnum>;
  readonly tables: Diff<SqlTable>;
  readonly keptTables: readonly KeptTable[];
  readonly foreignKeys: Diff<SqlForeignKey>;
  readonly views: Diff<SqlView>;
}

/** Matches two schemas along the match of their models. */
export function matchSchemas(left: SqlSchema, right: SqlSchema, { findLeft: leftOf }: DocumentMatch): MatchedSchema {
  const ids = new Map<object, string>();
  const nameIn = (object: object) => {
    const id = ids.get(object) ?? String(ids.size);
    ids.set(object, id);
    return id;
  };
  const matchObjects = <T extends object>(from: readonly T[], to: readonly T[], pick: (one: T) => DocumentObject) => {
    const matches = matchBy(from, to, pick, (one) => leftOf(pick(one)));
    // A kept object has the same id on both sides.
    for (const pair of matches.pairs) ids.set(pair.right, nameIn(pair.left));
    return matches;
  };
  const tables = matchObjects(left.tables, right.tables, ({ entity }) => entity);
  const enums = matchObjects(left.enums, right.enums, ({ type }) => type);
  const list = (columns: readonly SqlColumn[]) => columns.map(nameIn).join(",");
  const keptTables = tables.pairs.map(({ left: leftTable, right: rightTable }): KeptTable => {
    const columns = matchObjects(leftTable.columns, rightTable.columns, ({ attribute }) => attribute);
    const keyName = ({ kind, columns: keyColumns }: KindedKey) => `${kind} ${list(keyColumns)}`;
    const typeName = ({ type }: SqlColumn) => (type.enum ? nameIn(type.enum) : type.name);
    const checkName = ({ column, keyword, format }: ColumnCheck) =>
      `${nameIn(column)} ${typeName(column)} ${keyword} ${format("x")}`;
    const listChecks = (side: "left" | "right", { checks }: SqlTable) =>
      columns.pairs.flatMap(({ [side]: column }) =>
        (checks.get(column) ?? []).map((check): ColumnCheck => ({ ...check, column })),
      );
    return {
      ...{ left: leftTable, right: rightTable, columns },
      keys: matchBy(listKeys(leftTable), listKeys(rightTable), keyName),
      checks: matchBy(listChecks("left", leftTable), listChecks("right", rightTable), checkName),
      tableChecks: matchBy(leftTable.tableChecks, rightTable.tableChecks, ({ name, condition }) =>
        JSON.stringify([name, condition]),
      ),
      indexes: matchBy(leftTable.indexes, rightTable.indexes, ({ keys, ...index }) =>
        JSON.stringify({ ...index, columns: keys.map((key) => (typeof key === "string" ? key : nameIn(key))) }),
      ),
    };
  });
  const foreignName = ({ from, to, columns, targets }: SqlForeignKey) =>
    [nameIn(from), nameIn(to), list(columns), list(targets)].join(" ");
  const views = matchBy(left.views, right.views, ({ text, query, isMaterialized }) =>
    JSON.stringify([text, query, isMaterialized]),
  );
  const foreignKeys = matchBy(left.foreignKeys, right.foreignKeys, foreignName);
  return { enums, tables, keptTables, foreignKeys, views };
}

/** Returns the primary and unique keys of a table. */
export function listKeys({ primaryKey, unique }: SqlTable): readonly KindedKey[] {
  return [
    ...(primaryKey ? [{ ...primaryKey, kind: "PRIMARY KEY" as const }] : []),
    ...unique.map((key) => ({ ...key, kind: "UNIQUE" as const })),
  ];
}

function matchBy<T>(
  left: readonly T[],
  right: readonly T[],
  markOf: (left: T) => unknown,
  leftMarkOf: (right: T) => unknown = markOf,
): Diff<T> {
  const leftByMark = Map.groupBy(left, markOf);
  const pairs: Pair<T>[] = [];
  const additions: T[] = [];
  for (const one of right) {
    const mark = leftMarkOf(one);
    const other = mark === undefined ? undefined : leftByMark.get(mark)?.shift();
    if (other === undefined) additions.push(one);
    else pairs.push({ left: other, right: one });
  }
  return { pairs, removals: [...leftByMark.values()].flat(), additions };
}

/** Returns how the values of an existing enum change. */
export function findEnumChange(
  { left, right }: Pair<SqlEnum>,
  { tables, keptTables }: MatchedSchema,
): "none" | "added" | "replaced" {
  const [leftValues, rightValues] = [new Set(left.values), new Set(right.values)];
  const commonValues = right.values.filter((one) => leftValues.has(one));
  if (commonValues.length < left.values.length || String(commonValues) !== String(left.values)) return "replaced";
  if (rightValues.size === leftValues.size) return "none";
  const all = [...tables.pairs.map((pair) => pair.right), ...tables.additions].flatMap(({ columns }) => columns);
  // A transaction cannot use an enum value that it added.
  const isDefault = all.some(({ type, attribute }) => {
    const value = attribute.constraints?.default;
    return type.enum === right && typeof value === "string" && !leftValues.has(value);
  });
  const isConverted = keptTables.some(({ columns }) =>
    columns.pairs.some(({ left: { type }, right: { type: to } }) => to.enum === right && type.enum !== left),
  );
  return isDefault || isConverted ? "replaced" : "added";
}

/** Tests whether a foreign key cannot join new values with old ones. */
export function changesFamily({ left, right }: Pair<SqlColumn>, match: MatchedSchema): boolean {
  const [leftEnum, rightEnum] = [left.type.enum, right.type.enum];
  if (!leftEnum && !rightEnum) return left.type.family !== right.type.family;
  const pair = match.enums.pairs.find((one) => one.left === leftEnum && one.right === rightEnum);
  return !pair || findEnumChange(pair, match) === "replaced";
}

/** Tests for a foreign key that must be dropped temporarily, because it, its columns or the referenced key change. */
export function isRecreated({ left, right }: Pair<SqlForeignKey>, match: MatchedSchema): boolean {
  if (left.onDelete !== right.onDelete || left.onUpdate !== right.onUpdate) return true;
  const pairs = [
    ...left.columns.map((one, i) => [one, right.columns[i]] as const),
    ...left.targets.map((one, i) => [one, right.targets[i]] as const),
  ];
  if (pairs.some(([from, to]) => to !== undefined && changesFamily({ left: from, right: to }, match))) return true;
  const removedKeys = match.keptTables.find((table) => table.left === left.to)?.keys.removals ?? [];
  return removedKeys.some(
    ({ columns }) => columns.length === left.targets.length && columns.every((one) => left.targets.includes(one)),
  );
}
