import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import { createImporter } from "../../shared/formats/importer.ts";
import { parseByGrammar } from "../formats/grammar/grammar-schema.ts";
import { linesOf, listTables, toSqlSchema } from "../formats/grammar/sql-schema.ts";

const FOLDER = fileURLToPath(new URL("../../../shared/data/", import.meta.url));
const importer = createImporter({ allowPrivate: false });
const textOf = (file: string) => readFileSync(FOLDER + file, "utf8");
const read = (file: string) => importer.read({ content: textOf(file) }, { modelKey: "m" });

/** Numbers of a file: tables, columns, primary keys, unique keys, foreign keys and holdings, enums, parts that are not read. */
type Counts = readonly [number, number, number, number, number, number, number];

const FILES: readonly (readonly [path: string, format: string, ...Counts])[] = [
  ["sql/chinook.mssql.sql", "tsql", 11, 64, 11, 0, 11, 0, 32],
  ["sql/chinook.mysql.sql", "mysql", 11, 64, 11, 0, 11, 0, 25],
  ["sql/chinook.oracle.sql", "oracle", 11, 64, 11, 0, 11, 0, 30],
  ["sql/chinook.pg.sql", "postgresql", 11, 64, 11, 0, 11, 0, 25],
  ["sql/chinook.sqlite.sql", "sqlite", 11, 64, 11, 0, 11, 0, 24],
  // The four fields of two structures are attributes with paths.
  ["sql/sample.bigquery.sql", "bigquery", 8, 36, 3, 0, 2, 0, 0],
  ["sql/sample.snowflake.sql", "snowflake", 9, 75, 8, 3, 4, 0, 0],
  ["dbml/ecommerce.dbml", "dbml", 5, 33, 5, 4, 5, 3, 0],
  ["dbml/multiple-schemas.dbml", "dbml", 5, 18, 5, 0, 4, 8, 1],
  ["dbt/jaffle-shop.schema.yml", "dbt", 2, 16, 0, 2, 1, 1, 2],
  ["dbt/jaffle-shop.staging.schema.yml", "dbt", 3, 5, 0, 3, 0, 2, 1],
  ["odcs/all-data-types.odcs.yaml", "odcs", 1, 10, 0, 0, 0, 0, 0],
  ["odcs/all-schema-types.odcs.yaml", "odcs", 4, 6, 1, 0, 1, 0, 0],
  ["odcs/full-example.odcs.yaml", "odcs", 2, 7, 2, 1, 2, 0, 1],
  ["odcs/postgresql-adventureworks-contract.odcs.yaml", "odcs", 68, 456, 68, 0, 0, 0, 0],
];
const SQL_FILES = FILES.map(([path]) => path).filter((path) => path.startsWith("sql/"));

/** The same numbers by regular expressions over the text without its comments and rows. */
function counted(text: string): { readonly tables: number; readonly keys: number; readonly references: number } {
  const bare = text.replace(/\/\*[\s\S]*?\*\/|--[^\n]*/g, "");
  const count = (pattern: RegExp) => bare.match(pattern)?.length ?? 0;
  return {
    tables: count(/^\s*create\s+(or\s+replace\s+)?(transient\s+)?table\b/gim),
    keys: count(/\bprimary\s+key\b/gi),
    references: count(/\breferences\s+[\w[`"]/gi),
  };
}

test("every SQL file has its expected counts here", () => {
  const found = readdirSync(`${FOLDER}sql`).filter((file) => file.endsWith(".sql"));
  expect(found.map((file) => `sql/${file}`).sort()).toEqual(SQL_FILES.toSorted());
});

test.each(FILES)("the real file %s is read completely", async (path, format, ...counts) => {
  const { document, recognised, warnings } = await importer.read(
    { content: textOf(path) },
    SQL_FILES.includes(path) ? { modelKey: "m" } : {},
  );
  const { entities, businessKeys, relationships } = document;
  const attributes = entities.flatMap((one) => one.attributes);
  const keyed = entities.filter(({ primaryKey }) => primaryKey.length > 0).length;
  const enums = attributes.filter(({ constraints }) => constraints?.enum !== undefined).length;
  const skipped = warnings.reduce((sum, { count }) => sum + count, 0);
  const found = [entities.length, attributes.length, keyed, businessKeys.length, relationships.length, enums, skipped];
  expect([recognised.format, ...found]).toEqual([format, ...counts]);
});

test.each(SQL_FILES)("%s has as many tables, keys and references as its text", async (file) => {
  const { document } = await read(file);
  expect({
    tables: document.entities.length,
    keys: document.entities.filter(({ primaryKey }) => primaryKey.length > 0).length,
    references: document.relationships.length,
  }).toEqual(counted(textOf(file)));
});

test("chinook of PostgreSQL equals the reading of PostgreSQL's own grammar", async () => {
  const { document } = await read("sql/chinook.pg.sql");
  const statements = textOf("sql/chinook.pg.sql").replace(/^\\.*$/gm, "");
  const told = linesOf(await parseByGrammar(statements));
  expect(linesOf(toSqlSchema(document))).toEqual(told);
  expect(told.length).toBeGreaterThan(90);
});

/** What the dialects have in common: not how names are cased, nor types, nor how constraints and indexes are named. */
function common({ entities, relationships, businessKeys }: ModelDocument) {
  const plain = (name: string) => name.replace(/^key:/, "").replaceAll("_", "").toLowerCase();
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
  const [one, other] = await Promise.all([read(`sql/chinook.${dialect}.sql`), read("sql/chinook.sqlite.sql")]);
  expect(common(one.document)).toEqual(common(other.document));
});

test("chinook of SQLite equals the tables that SQLite creates", async () => {
  const { document } = await read("sql/chinook.sqlite.sql");
  const database = new DatabaseSync(":memory:");
  database.exec(textOf("sql/chinook.sqlite.sql"));
  const tables = listTables(toSqlSchema(document), ({ name, type, required }) => [name, type, required]);
  expect(reported(database)).toEqual(
    tables.map(({ comment: _, unique, ...one }) => ({ ...one, unique: unique.length })),
  );
});

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
