import type { RelationshipDocument } from "../../domain/document/document.ts";
import { isSameValue } from "../../domain/text/json-values.ts";
import { removeEqualSets } from "../common/column-sets.ts";
import type { ModelTable } from "../common/writing/model-tables.ts";
import { toWrittenName } from "../common/writing/written-names.ts";
import type { SqlCheck } from "./checks.ts";
import { isIndexable, type SqlColumn, toSqlColumn } from "./columns.ts";
import { createSqlNames, type MadeName, type SchemaNames, type SqlEnum, type SqlPlace } from "./names.ts";

/** A table of PostgreSQL for an entity. */
export interface SqlTable extends SqlPlace {
  readonly entity: ModelTable["entity"];
  readonly columns: readonly SqlColumn[];
  /** Checks by column. */
  readonly checks: ReadonlyMap<SqlColumn, readonly NamedCheck[]>;
  readonly primaryKey: SqlKey | undefined;
  readonly unique: readonly SqlKey[];
  readonly names: SchemaNames;
}

export interface NamedCheck extends SqlCheck, MadeName {}

export interface SqlKey extends MadeName {
  readonly columns: readonly SqlColumn[];
}

export interface SqlForeignKey extends MadeName {
  readonly relationship: RelationshipDocument;
  readonly from: SqlTable;
  readonly to: SqlTable;
  readonly columns: readonly SqlColumn[];
  readonly referred: readonly SqlColumn[];
  readonly description: string | undefined;
}

/** System columns of every table. */
const SYSTEM_COLUMNS = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid", "oid"];

export const MAX_KEY_COLUMNS = 32;

const MAX_TABLE_COLUMNS = 1_600;

/** Converts an entity to a table. Warns about everything that a table cannot have. */
export function toSqlTable(
  table: ModelTable,
  place: SqlPlace,
  names: SchemaNames,
  enums: ReadonlyMap<string, SqlEnum>,
): SqlTable {
  const { entity, primaryKey, unique, at } = table;
  const columnNames = createSqlNames(SYSTEM_COLUMNS);
  const columns = table.columns.slice(0, MAX_TABLE_COLUMNS).map((one) => {
    const wanted = toWrittenName(one.attribute);
    const name = columnNames.take(wanted);
    if (name !== wanted) {
      one.at.warn("/key", "written_otherwise", "PostgreSQL names have at most 63 bytes and are not reserved");
    }
    return toSqlColumn(one, name, enums.get(one.type));
  });
  for (const { at: missing } of table.columns.slice(MAX_TABLE_COLUMNS)) {
    missing.warn("", "not_written", `a table has at most ${MAX_TABLE_COLUMNS} columns`);
  }
  const byKey = new Map(columns.map((one) => [one.key, one]));
  const findKeyColumns = (keys: readonly string[], refused: () => void): readonly SqlColumn[] | undefined => {
    const found = keys.map((key) => byKey.get(key)).filter((one) => one !== undefined);
    const isKey =
      found.length === keys.length && keys.length <= MAX_KEY_COLUMNS && found.every((one) => isIndexable(one.type));
    if (keys.length > 0 && !isKey) refused();
    return keys.length > 0 && isKey ? found : undefined;
  };
  const why = `a key has at most ${MAX_KEY_COLUMNS} columns of sortable types`;
  const primary = findKeyColumns(primaryKey, () => at.warn("/primaryKey", "not_written", why));
  const firsts = new Set(removeEqualSets(unique.map((set) => set.columns)));
  // PostgreSQL merges two keys of the same columns.
  const sets = unique.filter((set) => firsts.has(set.columns) && !isSameValue(set.columns, primaryKey));
  const made = (keys: readonly SqlColumn[], end: string): SqlKey => ({
    columns: keys,
    ...names.make(place.name, ...(end === "pkey" ? [] : keys.map((one) => one.name)), end),
  });
  return {
    ...place,
    ...{ entity, columns, names },
    primaryKey: primary && made(primary, "pkey"),
    unique: sets.flatMap((set) => {
      const keys = findKeyColumns(set.columns, () => set.at.warn("", "not_written", why));
      return keys ? [made(keys, "key")] : [];
    }),
    checks: new Map(
      columns.map((one) => [
        one,
        one.checks.map((check) => ({ ...check, ...names.make(place.name, one.name, "check") })),
      ]),
    ),
  };
}
