import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import { createImporter } from "../../shared/formats/importer.ts";
import { parseByGrammar } from "../formats/grammar/grammar-schema.ts";
import { linesOf, toSqlSchema } from "../formats/grammar/sql-schema.ts";

const FOLDER = fileURLToPath(new URL("../../../shared/data/sql/", import.meta.url));
const importer = createImporter({ allowPrivate: false });
const textOf = (file: string): string => readFileSync(FOLDER + file, "utf8");
const read = (file: string) => importer.read({ content: textOf(file) }, { modelKey: "m" });

/** What is read from a file: tables, columns, primary keys, unique keys, foreign keys and holdings, statements that are counted. */
type Counts = readonly [number, number, number, number, number, number];

const FILES: readonly (readonly [file: string, format: string, ...Counts])[] = [
  ["chinook.mssql.sql", "tsql", 11, 64, 11, 0, 11, 32],
  ["chinook.mysql.sql", "mysql", 11, 64, 11, 0, 11, 25],
  ["chinook.oracle.sql", "oracle", 11, 64, 11, 0, 11, 30],
  ["chinook.pg.sql", "postgresql", 11, 64, 11, 0, 11, 25],
  ["chinook.sqlite.sql", "sqlite", 11, 64, 11, 0, 11, 24],
  // The four fields of two structures are attributes with paths.
  ["sample.bigquery.sql", "bigquery", 8, 36, 3, 0, 2, 0],
  ["sample.snowflake.sql", "snowflake", 9, 75, 8, 3, 4, 0],
];

/** The same numbers by regular expressions over the text without its comments and rows. */
function counted(text: string): { readonly tables: number; readonly keys: number; readonly references: number } {
  const bare = text.replace(/\/\*[\s\S]*?\*\/|--[^\n]*/g, "");
  const count = (pattern: RegExp): number => bare.match(pattern)?.length ?? 0;
  return {
    tables: count(/^\s*create\s+(or\s+replace\s+)?(transient\s+)?table\b/gim),
    keys: count(/\bprimary\s+key\b/gi),
    references: count(/\breferences\s+[\w[`"]/gi),
  };
}

const rows: string[] = [];
afterAll(() => {
  const head =
    "| file | dialect | tables | columns | primary keys | unique keys | relationships | statements counted |";
  console.log([head, "|---|---|---|---|---|---|---|---|", ...rows].join("\n"));
});

test("every SQL file has its expected counts here", () => {
  expect(
    readdirSync(FOLDER)
      .filter((file) => file.endsWith(".sql"))
      .sort(),
  ).toEqual(FILES.map(([file]) => file).sort());
});

describe.each(FILES)("the real file %s", (file, format, ...counts) => {
  test("is read completely", async () => {
    const { document, recognised, warnings } = await read(file);
    const { entities, businessKeys, relationships } = document;
    const skipped = warnings.reduce((sum, { count }) => sum + count, 0);
    const keyed = entities.filter(({ primaryKey }) => primaryKey.length > 0).length;
    const columns = entities.flatMap(({ attributes }) => attributes).length;
    const found = [entities.length, columns, keyed, businessKeys.length, relationships.length, skipped];
    rows.push(`| ${[file, recognised.format, ...found].join(" | ")} |`);
    expect([recognised.format, ...found]).toEqual([format, ...counts]);
  });

  test("has as many tables, keys and references as its text", async () => {
    const { document } = await read(file);
    expect({
      tables: document.entities.length,
      keys: document.entities.filter(({ primaryKey }) => primaryKey.length > 0).length,
      references: document.relationships.length,
    }).toEqual(counted(textOf(file)));
  });
});

test("chinook of PostgreSQL equals the reading of PostgreSQL's own grammar", async () => {
  const { document } = await read("chinook.pg.sql");
  const statements = textOf("chinook.pg.sql").replace(/^\\.*$/gm, "");
  const told = linesOf(await parseByGrammar(statements));
  expect(linesOf(toSqlSchema(document))).toEqual(told);
  expect(told.length).toBeGreaterThan(90);
});

/** What the dialects have in common: not how names are cased, nor types, nor how constraints and indexes are named. */
function common({ entities, relationships, businessKeys }: ModelDocument) {
  const plain = (name: string): string => name.replace(/^key:/, "").replaceAll("_", "").toLowerCase();
  return {
    entities: entities
      .map(({ key, primaryKey, attributes }) => ({
        key: plain(key),
        primaryKey: primaryKey.map(plain),
        attributes: attributes.map((one) => ({
          ...{ key: plain(one.key), optional: one.optional, constraints: one.constraints },
          precision: [one.properties?.["sql:precision"], one.properties?.["sql:scale"]],
        })),
      }))
      .toSorted((a, b) => a.key.localeCompare(b.key)),
    relationships: relationships
      .map(({ roles, keyPairs }) => ({
        ends: roles.map(({ entity, cardinality }) => `${plain(entity)} ${cardinality}`).toSorted(),
        pairs: keyPairs?.map((pair) => pair.map(plain)),
      }))
      .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
    businessKeys: businessKeys.length,
  };
}

test.each([
  "mssql",
  "mysql",
  "oracle",
  "pg",
])("chinook of %s equals the model of SQLite except for its types", async (dialect) => {
  const [one, other] = await Promise.all([read(`chinook.${dialect}.sql`), read("chinook.sqlite.sql")]);
  expect(common(one.document)).toEqual(common(other.document));
});

test("chinook of SQLite equals the tables that SQLite creates", async () => {
  const { document } = await read("chinook.sqlite.sql");
  const database = new DatabaseSync(":memory:");
  database.exec(textOf("chinook.sqlite.sql"));
  const tables = [...toSqlSchema(document).tables].map(([name, { columns, primaryKey, unique, references }]) => ({
    name,
    columns: columns.map((one) => [one.name, one.type, one.required]),
    ...{
      primaryKey: primaryKey.split("+").filter(Boolean),
      unique: unique.size,
      references: [...references].toSorted(),
    },
  }));
  expect(reported(database)).toEqual(tables);
});

/** The tables that a database of SQLite reports, with their columns, keys and references. */
function reported(database: DatabaseSync) {
  const all = (sql: string): readonly Record<string, unknown>[] => database.prepare(sql).all();
  const names = all("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name");
  return names.map(({ name }) => {
    const table = `'${String(name).replaceAll("'", "''")}'`;
    const columns = all(`select * from pragma_table_info(${table}) order by cid`);
    const keys = columns.filter(({ pk }) => Number(pk) > 0).toSorted((a, b) => Number(a.pk) - Number(b.pk));
    const unique = all(
      `select name from pragma_index_list(${table}) where "unique" = 1 and origin <> 'pk' and partial = 0`,
    );
    return {
      name,
      columns: columns.map(({ name: column, type, notnull, pk }) => [column, type, notnull !== 0 || pk !== 0]),
      primaryKey: keys.map(({ name: column }) => column),
      unique: unique.length,
      references: all(`select * from pragma_foreign_key_list(${table})`)
        .map((one) => `${one.from} > ${one.table} ${one.to}`)
        .toSorted(),
    };
  });
}
