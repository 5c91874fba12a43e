import { differentSets } from "../frictionless/different-sets.ts";
import type { ModelTable } from "../writing/model-tables.ts";
import { writtenName } from "../writing/written-name.ts";
import { columnOf, type SqlColumn } from "./columns.ts";
import { createSqlNames, type SqlNames, sqlName, sqlString } from "./sql-text.ts";

/** A table with its statements. */
export interface SqlTable {
  /** Its name as statements have it. */
  readonly text: string;
  readonly statement: string;
  readonly comments: readonly string[];
  readonly column: (key: string) => SqlColumn | undefined;
  /** The sets of attribute keys that foreign keys may refer to. */
  readonly keys: readonly (readonly string[])[];
  readonly constraints: SqlNames;
}

/** Names that every table of PostgreSQL has columns of. */
const SYSTEM = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid", "oid"];
const KEY_COLUMNS = 32;

/** A table as a statement that makes it, and the comments on it. */
export function tableOf(
  table: ModelTable,
  { text }: { readonly text: string },
  enums: ReadonlyMap<string, { readonly text: string }>,
): SqlTable {
  const { entity, primaryKey, unique, at } = table;
  const names = createSqlNames(SYSTEM);
  const constraints = createSqlNames();
  const columns = table.columns.map((one) => {
    const wanted = writtenName(one.attribute);
    const name = names.take(wanted);
    if (name !== wanted) {
      one.at.warn("/key", "written_otherwise", "a name of PostgreSQL has at most 63 bytes, and is none of its own");
    }
    return columnOf(one, name, enums.get(one.type)?.text);
  });
  const byKey = new Map(columns.map((one) => [one.key, one]));
  const isKey = (keys: readonly string[]): boolean =>
    keys.length > 0 && keys.length <= KEY_COLUMNS && keys.every((key) => byKey.get(key)?.isIndexed);
  const list = (keys: readonly string[]): string => keys.map((key) => sqlName(byKey.get(key)?.name ?? key)).join(", ");
  const primary = isKey(primaryKey) ? primaryKey : [];
  if (primary.length < primaryKey.length) {
    at.warn("/primaryKey", "not_written", `a key has at most ${KEY_COLUMNS} columns, of types that are ordered`);
  }
  const firsts = new Set(differentSets(unique.map((set) => set.columns)));
  const sets = unique.filter((set) => firsts.has(set.columns) && set.columns.length > 0);
  const written = sets.filter((set) => isKey(set.columns));
  for (const set of sets.filter((one) => !written.includes(one))) {
    set.at.warn("", "not_written", `a key has at most ${KEY_COLUMNS} columns, of types that are ordered`);
  }
  const lines = [
    ...columns.map(({ line }) => line),
    ...(primary.length > 0 ? [`PRIMARY KEY (${list(primary)})`] : []),
    ...written.map((set) => `UNIQUE (${list(set.columns)})`),
  ];
  return {
    text,
    statement: lines.length === 0 ? `CREATE TABLE ${text} ();` : `CREATE TABLE ${text} (\n  ${lines.join(",\n  ")}\n);`,
    comments: [
      ...comment(`TABLE ${text}`, entity.description),
      ...table.columns.flatMap(({ attribute, key }) =>
        comment(`COLUMN ${text}.${sqlName(byKey.get(key)?.name ?? key)}`, attribute.description),
      ),
    ],
    column: (key) => byKey.get(key),
    keys: [...(primary.length > 0 ? [primary] : []), ...written.map((set) => set.columns)],
    constraints,
  };
}

function comment(on: string, description: string | undefined): readonly string[] {
  return description === undefined ? [] : [`COMMENT ON ${on} IS ${sqlString(description)};`];
}
