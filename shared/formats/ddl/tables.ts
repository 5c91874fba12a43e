import { isSameValue } from "../../domain/text/json-values.ts";
import { removeEqualSets } from "../common/column-sets.ts";
import type { ModelTable, UniqueSet } from "../common/writing/model-tables.ts";
import { toWrittenName } from "../common/writing/written-names.ts";
import type { SqlCheck } from "./checks.ts";
import { type SqlType, toChosenType } from "./choose-type.ts";
import { type ColumnTerms, chooseColumnType, isNumbered, type SqlColumn, toSqlColumn } from "./columns.ts";
import { warnDescription } from "./descriptions.ts";
import type { DdlDialect } from "./dialect.ts";
import { createIndexes, type SqlIndex } from "./indexes.ts";
import { createNameTaker, describeNames, type MadeName, quoteName, type SchemaNames, type SqlName } from "./names.ts";
import { findFieldPaths } from "./structures.ts";
import { createTableChecks, type TableCheck } from "./table-checks.ts";
import { createTranslator, type Translate } from "./translate.ts";

/** A table for an entity. */
export interface SqlTable extends SqlName {
  readonly entity: ModelTable["entity"];
  readonly columns: readonly SqlColumn[];
  readonly byKey: ReadonlyMap<string, SqlColumn>;
  readonly checks: ReadonlyMap<SqlColumn, readonly NamedCheck[]>;
  readonly tableChecks: readonly TableCheck[];
  readonly primaryKey: SqlKey | undefined;
  readonly unique: readonly SqlKey[];
  readonly indexes: readonly SqlIndex[];
  readonly names: SchemaNames;
}

export interface NamedCheck extends SqlCheck, MadeName {}

export interface SqlKey extends MadeName {
  readonly columns: readonly SqlColumn[];
}

/** A table of a model with its name. */
export interface NamedTable {
  readonly table: ModelTable;
  readonly sqlName: SqlName;
  readonly names: SchemaNames;
}

interface TableSource extends NamedTable {
  /** True if the model is of the dialect. */
  readonly isOwn: boolean;
  /** Dialect of the model. */
  readonly source: string;
  /** Columns in keys and foreign keys. */
  readonly keyed: ReadonlySet<string>;
}

/** Converts an entity. Warns about keys and columns that the dialect does not have. */
export function toSqlTable({ table, sqlName, names, isOwn, source, keyed }: TableSource, terms: ColumnTerms): SqlTable {
  const { entity, primaryKey, at } = table;
  const { dialect } = terms;
  const { maxTableColumns } = dialect.keys;
  const takeName = createNameTaker(dialect.names, dialect.names.systemColumns);
  const written = table.columns.slice(0, maxTableColumns);
  for (const { at: recorder } of table.columns.slice(maxTableColumns)) {
    recorder.warn("", "not_written", `a table has at most ${maxTableColumns} columns`);
  }
  const types = fitRow(
    new Map(written.map((one) => [one.key, chooseColumnType(one, keyed.has(one.key), terms)])),
    table,
    keyed,
    dialect,
  );
  const { hasPrimaryKey, sets } = findKeys(table, types, dialect);
  const mayNumber = createNumberTest(
    table,
    hasPrimaryKey ? primaryKey : [],
    sets.map((set) => set.columns),
    dialect,
  );
  const paths = findFieldPaths(written, keyed, dialect);
  const columnNames = new Map(
    written.map((one) => {
      const field = paths.get(one.key)?.at(-1);
      if (field !== undefined) return [one.key, field];
      const baseName = toWrittenName(one.attribute);
      const name = takeName(baseName);
      if (name !== baseName) one.at.warn("/key", "written_otherwise", describeNames(dialect.name, dialect.names));
      return [one.key, name];
    }),
  );
  const translate = createTableTranslator(table, columnNames, types, terms);
  const columns = written.map((one) => {
    const [name, type] = [columnNames.get(one.key) ?? one.key, types.get(one.key) as SqlType];
    return toSqlColumn(one, { name, type, mayNumber: mayNumber(one.key), path: paths.get(one.key), translate }, terms);
  });
  const byKey = new Map(columns.map((one) => [one.key, one]));
  const toColumns = (keys: readonly string[]) => keys.map((key) => byKey.get(key)).filter((one) => one !== undefined);
  const createKey = (keys: readonly SqlColumn[], end: string): SqlKey => ({
    columns: keys,
    ...names.make(sqlName.name, ...(end === "pkey" ? [] : keys.map((one) => one.name)), end),
  });
  warnDescription(entity.description, "table", at, dialect);
  for (const one of written) warnDescription(one.attribute.description, "column", one.at, dialect);
  if (columns.length === 0 && dialect.needsColumns)
    at.warn("", "not_written", `a table of ${dialect.name} needs a column`);
  for (const set of dialect.keys.nullsAreEqual ? sets : []) {
    const areRequired = toColumns(set.columns).every((one) => one.isRequired);
    const reason = `a unique key of ${dialect.name} allows one row without values only`;
    if (!areRequired) set.at.warn("", "written_otherwise", reason);
  }
  return {
    ...sqlName,
    ...{ entity, columns, byKey, names },
    primaryKey: hasPrimaryKey ? createKey(toColumns(primaryKey), "pkey") : undefined,
    unique: sets.map((set) => createKey(toColumns(set.columns), "key")),
    checks: new Map(
      columns.map((one) => [
        one,
        one.checks.map((check) => ({ ...check, ...names.make(sqlName.name, one.name, "check") })),
      ]),
    ),
    tableChecks: createTableChecks(
      { table, tableName: sqlName.name, names, source, document: terms.document, translate },
      dialect,
    ),
    indexes: createIndexes({ table, tableName: sqlName.name, names, columns, isOwn }, dialect),
  };
}

/** Creates the function that translates the expressions of a table. Columns with values that the database makes are not used. */
function createTableTranslator(
  { entity, columns }: ModelTable,
  names: ReadonlyMap<string, string>,
  types: ReadonlyMap<string, SqlType>,
  { document, dialect }: ColumnTerms,
): Translate {
  const hasExpressions = entity.attributes.some(({ properties }) => properties?.["sql:generated"] !== undefined);
  if (!hasExpressions && entity.properties?.["sql:checks"] === undefined) return () => undefined;
  const made = columns.filter((one) => isNumbered(one) || one.attribute.properties?.["sql:generated"] !== undefined);
  const madeKeys = new Set(made.map(({ key }) => key));
  return createTranslator(entity, document, dialect, (key) => {
    const [name, type] = [names.get(key), types.get(key)];
    if (name === undefined || !type || madeKeys.has(key)) return undefined;
    return { text: quoteName(name, dialect.names), family: type.family };
  });
}

/** Returns the keys of a table that the dialect can have. Warns about the others. */
function findKeys(
  { primaryKey, unique, at }: ModelTable,
  types: ReadonlyMap<string, SqlType>,
  dialect: DdlDialect,
): { readonly hasPrimaryKey: boolean; readonly sets: readonly UniqueSet[] } {
  const { maxColumns, maxBytes = Number.POSITIVE_INFINITY } = dialect.keys;
  const isPossible = (keys: readonly string[]) => {
    const parts = keys.map((key) => types.get(key)).filter((one) => one !== undefined);
    const isKey =
      parts.length === keys.length && keys.length <= maxColumns && parts.every((one) => isKeyable(one, dialect));
    return isKey && countBytes(parts) <= maxBytes;
  };
  const detail = `a key has at most ${maxColumns} columns of sortable types`;
  const hasPrimaryKey = primaryKey.length > 0 && isPossible(primaryKey);
  if (primaryKey.length > 0 && !hasPrimaryKey) at.warn("/primaryKey", "not_written", detail);
  const firstSets = new Set(removeEqualSets(unique.map((set) => set.columns)));
  const ownSets = unique.filter((set) => {
    const isPrimary = isSameValue(set.columns, primaryKey);
    if (isPrimary && primaryKey.length > 0) {
      const reason = `${dialect.name} merges a unique key with the primary key of the same columns`;
      set.at.warn("", "not_written", reason);
    }
    return firstSets.has(set.columns) && !isPrimary;
  });
  const possibleSets = ownSets.filter((set) => {
    if (set.columns.length > 0 && !isPossible(set.columns)) set.at.warn("", "not_written", detail);
    return set.columns.length > 0 && isPossible(set.columns);
  });
  return { hasPrimaryKey, sets: possibleSets };
}

/** Returns true for types that a key can contain. */
export function isKeyable({ text }: SqlType, { keys }: DdlDialect): boolean {
  return !keys.unkeyed.test(text);
}

const MAX_CHARACTER_BYTES = 4;
/** Bytes of a value that is not a text, at most. */
const USUAL_BYTES = 16;
/** Characters of a text in a row whose length is not known. */
const USUAL_LENGTH = 5;

/** Returns how many bytes the values of columns have at most. */
export function countBytes(types: readonly SqlType[]): number {
  return types.reduce((sum, { family, arguments: [length = USUAL_LENGTH] }) => {
    const isText = family === "text" || family === "char";
    return sum + (isText ? length * MAX_CHARACTER_BYTES : family === "bytea" ? length : USUAL_BYTES);
  }, 0);
}

/** Replaces the longest texts of a table whose rows are too long by large ones, which are not in the row. */
function fitRow(
  types: ReadonlyMap<string, SqlType>,
  { columns }: ModelTable,
  keyed: ReadonlySet<string>,
  { rows, dialect }: DdlDialect,
): ReadonlyMap<string, SqlType> {
  let bytes = countBytes([...types.values()]);
  if (!rows || bytes <= rows.maxBytes) return types;
  const fitted = new Map(types);
  const sizes = columns.flatMap((column) => {
    const type = types.get(column.key);
    return type?.family === "text" && !type.values && !keyed.has(column.key)
      ? [{ column, size: countBytes([type]) }]
      : [];
  });
  for (const { column, size } of sizes.toSorted((a, b) => b.size - a.size)) {
    if (bytes <= rows.maxBytes) break;
    bytes -= size - USUAL_BYTES;
    fitted.set(column.key, { ...toChosenType(rows.largeText, dialect), enum: undefined });
    const reason = `rows have at most ${rows.maxBytes} bytes, so the text is written as ${rows.largeText}`;
    column.at.warn("/type", "written_otherwise", reason);
  }
  return fitted;
}

/** Creates a test for the columns that may number the rows. */
function createNumberTest(
  { columns }: ModelTable,
  primaryKey: readonly string[],
  unique: readonly (readonly string[])[],
  { identity }: DdlDialect,
): (key: string) => boolean {
  const first = columns.find(isNumbered);
  const firsts = new Set([primaryKey[0], ...unique.map(([one]) => one)]);
  return (key) => {
    if (identity?.isSingle && key !== first?.key) return false;
    if (identity?.needs === "primary") return primaryKey.length === 1 && primaryKey[0] === key;
    return identity?.needs !== "key" || firsts.has(key);
  };
}
