import { LIMITS } from "../../../../shared/domain/limits.ts";
import type { SourceFormat } from "../../../../shared/domain/values/source-formats.ts";

/** A source that takes its reader as long, or as much memory, as one limit allows. */
export interface WorstSource {
  readonly format: SourceFormat;
  readonly shape: string;
  readonly limit: keyof typeof LIMITS;
  readonly make: MakeSource;
}

/** Creates the content at the limit. One with a parameter is read there, and refused with the limit above it by `extra`. */
type MakeSource = (extra: number) => object | string;

const { objectsPerJob, madeCharacters, descriptionBytes, sqlColumns, sqlWalked, yamlAnchors } = LIMITS;
const { dbmlBytes, dbmlEnumCharacters, dbmlPartialCharacters } = LIMITS;

export const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const join = (count: number, make: (i: number) => string, separator = ""): string => many(count, make).join(separator);
const members = (count: number, make: (i: number) => unknown, name = "p"): object =>
  Object.fromEntries(many(count, (i) => [`${name}${i}`, make(i)]));
/** Returns a text of so many bytes, filled with blank lines after its last whole part. */
const cut = (text: string, end: string, bytes: number): string =>
  text.slice(0, text.lastIndexOf(end, bytes - 10) + end.length).padEnd(bytes, "\n");

/** Half of the members that a request may have: each column of most formats has a name and a type. */
const COLUMNS = LIMITS.jsonMembers / 2 - 20;
const TEXT = { type: "string" };
const LONG = "x".repeat(descriptionBytes);
/** Values of an enum, and the number of columns with it that have as many characters as a model may have. */
const ENUM = many(3_000, (i) => `V${10_000 + i}`);
const ENUM_COLUMNS = Math.floor(madeCharacters / JSON.stringify({ enum: ENUM }).length);

const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const part = (i: number) => ({ $ref: `#/parts/p${i}` });
const refs = (count: number, name: string) => many(count, (i) => ref(`${name}${i}`));
const wide = () => ({ w: { properties: members(50_000, () => TEXT) } });
const odcs = (schema: unknown) => ({ kind: "DataContract", apiVersion: "v3.1.0", name: "x", schema });
const nested = (levels: number): object[] =>
  levels === 0 ? [{ name: "a" }] : [{ name: `l${levels}`, items: { properties: nested(levels - 1) } }];
const own = (entities: object) => ({ $schema: "urn:metaction:model:2", key: "m", types: [{ key: "t" }], entities });
const MEDATARUN = "https://raw.githubusercontent.com/Ooxo-fr/medatarun/main/schemas/medatarun-model-3.0.json";
const medatarun = (entities: object) => ({
  ...{ $schema: MEDATARUN, id: "m", key: "m", version: "1.0.0", types: [{ id: "t", key: "t" }], relationships: [] },
  entities,
});
const table = (columns: number, name = "a") => `CREATE TABLE ${name} (${join(columns, (i) => `c${i} int`, ",")});\n`;
/** A table partial of 1,000 characters. */
const PARTIAL = `${`TablePartial p {\n${join(120, (i) => `c${i} a\n`)}//`.padEnd(998, "x")}\n}\n`;
const partialTables = (count: number) => join(count, (i) => `Table t${i} {\n~p\n}\n`);
const dbmlColumns = (name: string, count: number, type: string) =>
  `Table ${name} {\n${join(count, (i) => `c${i} ${type}\n`)}}\n`;

/** Sources by format, and by their shape with the limit that bounds it. */
const SOURCES: Readonly<Partial<Record<SourceFormat, Readonly<Record<string, MakeSource>>>>> = {
  jsonschema: {
    "one table of columns (jsonMembers)": () => ({ properties: members(COLUMNS, () => TEXT) }),
    "tables that refer to the next one (jsonMembers)": () => ({
      $defs: members(60_000, (i) => ({ properties: { p: ref(`p${i + 1}`) } })),
    }),
    "refs that double at each level (objectsPerJob)": (extra) => ({
      properties: { q: part(0) },
      parts: {
        ...members(16, (i) => ({ properties: { a: part(i + 1), b: part(i + 1) } })),
        p16: { properties: { a: TEXT, b: TEXT, ...(extra > 0 && { c: TEXT, d: TEXT }) } },
      },
    }),
    "a chain of refs (jsonMembers)": () => ({
      properties: { a: ref("p0") },
      $defs: members(60_000, (i) => ({ allOf: [ref(`p${i + 1}`)], title: "x" })),
    }),
    "columns of one enum (madeCharacters)": () => ({
      properties: members(ENUM_COLUMNS, () => ref("e")),
      $defs: { e: { enum: ENUM } },
    }),
    "columns of one description (madeCharacters)": (extra) => ({
      properties: members(madeCharacters / descriptionBytes + extra, () => ref("e")),
      $defs: { e: { ...TEXT, description: LONG } },
    }),
    "an allOf of many parts (jsonMembers)": () => ({
      $id: "x",
      allOf: many(60_000, (i) => ({ properties: { [`p${i}`]: TEXT }, required: [`p${i}`] })),
    }),
    "an allOf of refs to one wide definition (copiedMembers)": (extra) => ({
      $defs: { ...wide(), a: { allOf: Array(LIMITS.copiedMembers / 50_000 + extra).fill(ref("w")) } },
    }),
    "a oneOf of an allOf of a wide definition (jsonMembers)": () => ({
      properties: { p: { oneOf: many(20_000, () => ({ allOf: [ref("w"), ref("w")] })) } },
      $defs: wide(),
    }),
    "an allOf of refs inside another one (jsonMembers)": () => ({
      properties: { p: { allOf: refs(40_000, "p"), properties: { q: { allOf: refs(40_000, "q") } } } },
      $defs: { ...members(40_000, () => ({})), ...members(40_000, () => ({}), "q") },
    }),
    "YAML with anchors (yamlAnchors)": (extra) =>
      `$id: x\nproperties:\n${join(yamlAnchors / 2, (i) => ` p${i}: &a${i}\n  type: string\n`)}$defs:\n` +
      join(yamlAnchors / 2 + extra, (i) => ` q${i}: *a${i % 2_500}\n`),
    "YAML with uses of one anchor (yamlAliases)": (extra) =>
      `x-a: &a {${join(110, (i) => `p${i}: {type: string}`, ",")}}\nproperties: {}\n$defs:\n` +
      join(LIMITS.yamlAliases - 1 + 2 * extra, (i) => ` d${i}: {properties: *a}\n`),
  },
  openapi: {
    "schemas that refer to the next one (jsonMembers)": () => {
      const schemas = members(60_000, (i) => ({ properties: { p: { $ref: `#/components/schemas/p${i + 1}` } } }));
      return { openapi: "3.1.0", info: { title: "x", version: "1.0.0" }, components: { schemas } };
    },
  },
  avro: {
    "records that refer to the one before (jsonMembers)": () =>
      many(49_000, (i) => ({ type: "record", name: `r${i}`, fields: [{ name: "b", type: i ? `r${i - 1}` : "int" }] })),
    "fields of one union of all records (jsonMembers)": () => [
      ...many(400, (i) => ({ type: "record", name: `r${i}`, fields: [] })),
      { type: "record", name: "u", fields: many(490, (i) => ({ name: `f${i}`, type: many(400, (j) => `r${j}`) })) },
    ],
    "columns of one enum (madeCharacters)": () => [
      { type: "enum", name: "E", symbols: ENUM },
      { type: "record", name: "R", fields: many(ENUM_COLUMNS, (i) => ({ name: `f${i}`, type: "E" })) },
    ],
  },
  frictionless: {
    "one table of fields (jsonMembers)": () => ({ fields: many(COLUMNS, (i) => ({ name: `f${i}`, type: "string" })) }),
    "foreign keys of one table (jsonMembers)": () => ({
      fields: many(40_000, (i) => ({ name: `f${i}`, constraints: { unique: true } })),
      foreignKeys: many(32_000, (i) => ({ fields: `f${i}`, reference: { resource: "", fields: "f0" } })),
    }),
    "unique keys of two fields, and foreign keys of one (jsonMembers)": () => ({
      fields: [{ name: "a" }, { name: "b" }],
      uniqueKeys: many(60_000, () => ["a", "b"]),
      foreignKeys: many(60_000, () => ({ fields: "a", reference: { resource: "", fields: "b" } })),
    }),
    "a field with an enum (jsonMembers)": () => ({
      fields: [{ name: "a", type: "string", constraints: { enum: many(240_000, (i) => `v${i}`) } }],
    }),
  },
  dbt: {
    "columns with tests (jsonMembers)": () => ({
      version: 2,
      models: [{ name: "m", columns: many(80_000, (i) => ({ name: `c${i}`, tests: ["unique", "odd"] })) }],
    }),
    "YAML (yamlBytes)": (extra) =>
      cut(
        `version: 2\nmodels:\n- name: m\n  columns:\n${join(30_000, (i) => `  - name: c${i}\n`)}`,
        "\n",
        LIMITS.yamlBytes,
      ) + "\n".repeat(extra),
  },
  odcs: {
    "objects that refer to the next one (jsonMembers)": () => {
      const properties = (i: number) => [{ name: "a", relationships: [{ to: `t${i + 1}.a` }] }];
      return odcs(many(40_000, (i) => ({ name: `t${i}`, properties: properties(i) })));
    },
    "lists in lists (jsonDepth)": () => odcs(many(9_000, (i) => ({ name: `t${i}`, properties: nested(7) }))),
  },
  medatarun: {
    "entities of one attribute (jsonMembers)": () => {
      const attributes = [{ id: "a", key: "a", type: "key:t" }];
      return medatarun(many(20_000, (i) => ({ id: `e${i}`, key: `e${i}`, attributes })));
    },
  },
  metaction: {
    "entities of one attribute (jsonMembers)": () =>
      own(many(49_000, (i) => ({ key: `e${i}`, attributes: [{ key: "a", type: "key:t" }] }))),
    "one entity of attributes (jsonMembers)": () =>
      own([{ key: "e", attributes: many(COLUMNS, (i) => ({ key: `a${i}`, type: "key:t" })) }]),
    "unknown members (jsonMembers)": () => own([{ key: "e", ...members(240_000, () => 1, "primaryKee") }]),
    "descriptions (requestBytes)": () => own(many(61, (i) => ({ key: `e${i}`, description: LONG }))),
  },
  postgresql: {
    "tables that refer to the next one (objectsPerJob)": () =>
      join(
        Math.floor((objectsPerJob - 2) / 6),
        (i) => `CREATE TABLE t${i}(id int PRIMARY KEY,b int REFERENCES t${i + 1},c int,d int);\n`,
      ),
    "tables that copy the columns of another (objectsPerJob)": (extra) =>
      table(200) + join(Math.floor((objectsPerJob - 200) / 201) + extra, (i) => `CREATE TABLE u${i} (LIKE a);\n`),
    "changes that look through all columns (sqlWalked)": (extra) =>
      table(sqlColumns) + "ALTER TABLE a DROP CONSTRAINT x;\n".repeat(sqlWalked / sqlColumns + extra),
    "renamed columns of a wide table (sqlWalked)": () =>
      table(sqlColumns) + join(1_990, (i) => `ALTER TABLE a RENAME c${i} TO d${i};\n`),
    "renamed columns among many tables (sqlWalked)": () =>
      join(10_000, (i) => `CREATE TABLE t${i}(a int REFERENCES t0);\n`) +
      join(990, (i) => `ALTER TABLE t0 RENAME a${i || ""} TO a${i + 1};\n`),
    "columns of one enum (madeCharacters)": () =>
      `CREATE TYPE e AS ENUM ('${ENUM.join("','")}');\nCREATE TABLE a (${join(ENUM_COLUMNS, (i) => `c${i} e`, ",")});`,
    "views of all columns (sqlColumns)": () =>
      table(sqlColumns / 2) + join(18, (i) => `CREATE VIEW v${i} AS SELECT a.*, a.* FROM a;\n`),
    "own columns beside inherited ones (sqlTokens)": () =>
      table(sqlColumns) +
      join(4, (k) => `CREATE TABLE u${k} (${join(33_000, (i) => `d${i} int`, ",")}) INHERITS (a);\n`),
    "unique keys of two columns, and foreign keys of one (objectsPerJob)": () =>
      `CREATE TABLE a (x int,y int);\n${"ALTER TABLE a ADD UNIQUE(x,y);\n".repeat(43_000)}` +
      "ALTER TABLE a ADD FOREIGN KEY(x)REFERENCES a(y);\n".repeat(60_000),
    "rows of data (requestBytes)": () =>
      `CREATE TABLE a (b int);\n${"INSERT INTO a VALUES (1,'it''s',NULL);\n".repeat(150_000)}`,
    "semicolons (requestBytes)": () => `CREATE TABLE a (b int);${";".repeat(6_100_000)}`,
  },
  mysql: {
    "columns dropped in one list (sqlTokens)": () =>
      join(6, (k) => table(16_000, `t${k}`) + `ALTER TABLE t${k} DROP (${join(16_000, (i) => `c${i}`, ",")});\n`),
  },
  bigquery: {
    "structures in structures (sqlTokens)": () =>
      join(8, (k) => `CREATE TABLE t${k} (a ${"STRUCT<a ".repeat(12_000)}INT64${">".repeat(12_000)});\n`),
  },
  dbml: {
    "tables (dbmlBytes)": (extra) =>
      cut(
        join(5_000, (i) => `Table t${i} {\n a int\n}\n`),
        "}\n",
        dbmlBytes,
      ) + "\n".repeat(extra),
    "columns (dbmlBytes)": () => dbmlColumns("t", 9_900, "int"),
    "columns of one enum (dbmlEnumCharacters)": (extra) =>
      `Enum e {\n${"v".repeat(dbmlEnumCharacters / 1_000)}\n}\n${dbmlColumns("t", 1_000 + extra, "e")}`,
    "columns of an enum of many values (dbmlEnumCharacters)": () =>
      `Enum e {\n${join(2_000, (i) => `v${i}\n`)}}\n${dbmlColumns("t", 450, "e")}`,
    "tables of one partial (dbmlPartialCharacters)": (extra) =>
      PARTIAL + partialTables(dbmlPartialCharacters / PARTIAL.trim().length + extra),
    "a partial of many columns in many tables (dbmlPartialCharacters)": () =>
      `TablePartial p {\n${join(4_300, (i) => `c${i} a\n`)}}\n${partialTables(3_100)}`,
    "references (dbmlBytes)": () =>
      dbmlColumns("a", 2_600, "a") + dbmlColumns("b", 2_600, "a") + join(2_600, (i) => `Ref: a.c${i} > b.c${i}\n`),
  },
};

const TABLES: Readonly<Record<string, MakeSource>> = {
  "tables of four columns (objectsPerJob)": () =>
    join(33_000, (i) => `CREATE TABLE t${i} (id int NOT NULL, b varchar(10) DEFAULT 'x', c int, d int);\n`),
};
const DIALECTS = ["mysql", "sqlite", "tsql", "oracle", "snowflake", "redshift", "sql", "bigquery"] as const;

/** The worst sources of all readers. */
export const WORST_SOURCES: readonly WorstSource[] = [
  ...(Object.entries(SOURCES) as [SourceFormat, Readonly<Record<string, MakeSource>>][]),
  ...DIALECTS.map((dialect) => [dialect, TABLES] as const),
].flatMap(([format, makers]) =>
  Object.entries(makers).map(([name, make]) => {
    const [, shape = "", limit] = /^(.*) \((\w+)\)$/.exec(name) ?? [];
    // The names end with limits.
    return { format, shape, limit: limit as WorstSource["limit"], make };
  }),
);
