import type { ModelTable } from "../common/writing/model-tables.ts";
import type { SqlColumn } from "./columns.ts";
import type { DdlDialect, IndexRules } from "./dialect.ts";
import { findUnknownPart } from "./expressions.ts";
import { createNameTaker, type SchemaNames } from "./names.ts";

/** An index that is not a key. */
export interface SqlIndex {
  readonly name: string;
  readonly isUnique: boolean;
  readonly method: string | undefined;
  /** Quoted columns or expressions, separated by commas. */
  readonly columns: string;
  readonly keys: readonly (SqlColumn | string)[];
  readonly condition: string | undefined;
}

/** Table whose indexes are created. */
interface IndexedTable {
  readonly table: ModelTable;
  readonly tableName: string;
  readonly names: SchemaNames;
  readonly columns: readonly SqlColumn[];
  readonly isOwn: boolean;
}

interface SourceIndex {
  readonly name?: unknown;
  readonly columns?: unknown;
  readonly unique?: unknown;
  readonly where?: unknown;
  readonly using?: unknown;
}

/** Returns the indexes of a table. Warns about those that the dialect does not have. */
export function createIndexes(source: IndexedTable, dialect: DdlDialect): readonly SqlIndex[] {
  const { table, tableName, names } = source;
  const list = table.entity.properties?.["sql:indexes"];
  if (list === undefined) return [];
  const at = table.at.at("/properties/sql:indexes");
  const { indexes: rules } = dialect;
  const takeName = rules?.scope === "table" ? createNameTaker(dialect.names) : names.take;
  const find = createColumnFinder(source.columns);
  return (Array.isArray(list) ? list : [list]).flatMap((one: SourceIndex | null, i): readonly SqlIndex[] => {
    const index = rules ? toIndex(one ?? {}, find, source, rules, dialect) : "it has no indexes";
    if (typeof index === "string") {
      at.warn(Array.isArray(list) ? `/${i}` : "", "not_written", `${dialect.name}: ${index}`);
      return [];
    }
    const { name } = one as SourceIndex;
    const keys = index.keys.map((key) => (typeof key === "string" ? "expr" : key.name));
    const baseName = typeof name === "string" && name.trim() !== "" ? name : [tableName, ...keys, "idx"].join("_");
    return [{ ...index, name: takeName(baseName) }];
  });
}

/** Creates a function that finds a column by its key, its name in the source, or either in another case. */
function createColumnFinder(columns: readonly SqlColumn[]) {
  const exact = new Map<string, SqlColumn>();
  const folded = new Map<string, SqlColumn>();
  for (const one of columns) {
    for (const name of [one.key, one.attribute.name, one.name]) {
      if (name === undefined) continue;
      if (!exact.has(name)) exact.set(name, one);
      if (!folded.has(name.toLowerCase())) folded.set(name.toLowerCase(), one);
    }
  }
  return (name: string) => exact.get(name) ?? folded.get(name.toLowerCase());
}

type Index = Omit<SqlIndex, "name">;

function toIndex(
  { columns, unique, where, using }: SourceIndex,
  find: (name: string) => SqlColumn | undefined,
  { isOwn }: IndexedTable,
  rules: IndexRules,
  dialect: DdlDialect,
): Index | string {
  if (!Array.isArray(columns) || columns.length === 0 || columns.length > dialect.keys.maxColumns) {
    return `an index has 1 to ${dialect.keys.maxColumns} columns`;
  }
  const names = columns.filter((one) => typeof one === "string");
  const keys = names.map((one) => find(one) ?? one);
  const expressions = keys.filter((one) => typeof one === "string");
  const method = typeof using === "string" && !/^btree$/i.test(using) ? using.toLowerCase() : undefined;
  if (expressions.length > 0 && !(isOwn && rules.hasExpressions))
    return "it has no indexes of expressions of another dialect";
  if (where !== undefined && !(isOwn && rules.hasConditions))
    return "it has no indexes with conditions of another dialect";
  if (method !== undefined && !(isOwn && rules.methods.includes(method)))
    return `it has no indexes of the kind ${method}`;
  for (const text of [...expressions, ...(typeof where === "string" ? [where] : [])]) {
    const reason = findUnknownPart(text, dialect);
    if (reason !== undefined) return reason;
  }
  const refused = keys.find((one) => typeof one !== "string" && !canIndex(one, rules, dialect));
  if (refused) return "the type of a column cannot be in an index";
  return {
    isUnique: unique === true,
    method,
    keys,
    columns: keys.map((one) => formatKey(one, rules, method)).join(", "),
    condition: typeof where === "string" ? where : undefined,
  };
}

function canIndex({ type }: SqlColumn, { prefixed }: IndexRules, { keys }: DdlDialect) {
  return prefixed?.types.test(type.text) || !keys.unkeyed.test(type.text);
}

const MAX_WHOLE_LENGTH = 768;

function formatKey(key: SqlColumn | string, { prefixed }: IndexRules, method: string | undefined): string {
  if (typeof key === "string") return /^\w+\s*\(.*\)$/s.test(key) || key.startsWith("(") ? key : `(${key})`;
  const isText = key.type.family === "text" || key.type.family === "char" || key.type.family === "bytea";
  const isLong = prefixed?.types.test(key.type.text) || (isText && (key.type.arguments[0] ?? 0) > MAX_WHOLE_LENGTH);
  return prefixed && isLong && method === undefined ? `${key.text}(${prefixed.length})` : key.text;
}
