import { LIMITS } from "../../../../shared/domain/limits.ts";
import type { SourceFormat } from "../../../../shared/domain/values/source-formats.ts";

/** A source that takes its reader as long, or as much memory, as one limit allows. */
export interface WorstSource {
  readonly format: SourceFormat;
  readonly shape: string;
  /** The limit that bounds the source. */
  readonly limit: keyof typeof LIMITS;
  /** Creates the content at the limit, or above it by `extra`. */
  readonly make: (extra: number) => object | string;
  /** True if the source is read at the limit, and refused with its name above it. */
  readonly hasEdge?: true;
}

const { jsonMembers, objectsPerJob, madeCharacters, descriptionBytes, sqlColumns, sqlWalked } = LIMITS;

const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const join = (count: number, make: (i: number) => string, separator = ""): string => many(count, make).join(separator);
const members = (count: number, make: (i: number) => unknown, name = "p"): object =>
  Object.fromEntries(many(count, (i) => [`${name}${i}`, make(i)]));

const TEXT = { type: "string" };
/** Values of an enum, and the number of columns with it that have as many characters as a model may have. */
const ENUM = many(3_000, (i) => `V${10_000 + i}`);
const ENUM_COLUMNS = Math.floor(madeCharacters / JSON.stringify({ enum: ENUM }).length);
const LONG = "x".repeat(descriptionBytes);
const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const part = (i: number) => ({ $ref: `#/parts/p${i}` });
const allOf = (name: string, count: number) => ({ allOf: many(count, () => ref(name)) });
const odcs = (schema: unknown) => ({ kind: "DataContract", apiVersion: "v3.1.0", name: "x", schema });
const dbt = (models: unknown) => ({ version: 2, models });
const own = (parts: object) => ({ $schema: "urn:metaction:model:2", key: "m", types: [{ key: "t" }], ...parts });
const sqlTable = (columns: number, name = "a") => `CREATE TABLE ${name} (${join(columns, (i) => `c${i} int`, ",")});\n`;

/** Half of the members that a request may have: each column of most formats has a name and a type. */
const COLUMNS = Math.floor(jsonMembers / 2) - 20;

/** A table partial of 1,000 characters. */
const PARTIAL = `${`TablePartial p {\n${join(120, (i) => `c${i} a\n`)}//`.padEnd(998, "x")}\n}\n`;

const JSON_SCHEMA: readonly WorstSource[] = [
  {
    format: "jsonschema",
    shape: "one table of columns",
    limit: "jsonMembers",
    make: () => ({ properties: members(COLUMNS, () => TEXT) }),
  },
  {
    ...{ format: "jsonschema", shape: "tables that refer to the next one", limit: "jsonMembers" },
    make: () => ({ $defs: members(60_000, (i) => ({ properties: { p: ref(`p${i + 1}`) } })) }),
  },
  {
    ...{ format: "jsonschema", shape: "refs that double at each level", limit: "objectsPerJob", hasEdge: true },
    make: (extra) => ({
      properties: { q: part(0) },
      parts: {
        ...members(16, (i) => ({ properties: { a: part(i + 1), b: part(i + 1) } })),
        p16: { properties: { a: TEXT, b: TEXT, ...(extra > 0 && { c: TEXT, d: TEXT }) } },
      },
    }),
  },
  {
    ...{ format: "jsonschema", shape: "a chain of refs", limit: "jsonMembers" },
    make: () => ({
      properties: { a: ref("p0") },
      $defs: members(60_000, (i) => (i < 59_999 ? { allOf: [ref(`p${i + 1}`)], title: "x" } : TEXT)),
    }),
  },
  {
    ...{ format: "jsonschema", shape: "columns of one enum", limit: "madeCharacters", hasEdge: true },
    make: (extra) => ({
      properties: members(ENUM_COLUMNS + extra, () => ref("e")),
      $defs: { e: { enum: ENUM } },
    }),
  },
  {
    ...{ format: "jsonschema", shape: "columns of one description", limit: "madeCharacters", hasEdge: true },
    make: (extra) => ({
      properties: members(madeCharacters / descriptionBytes + extra, () => ref("e")),
      $defs: { e: { ...TEXT, description: LONG } },
    }),
  },
  {
    ...{ format: "jsonschema", shape: "an allOf of many parts", limit: "jsonMembers" },
    make: () => ({ $id: "x", allOf: many(60_000, (i) => ({ properties: { [`p${i}`]: TEXT }, required: [`p${i}`] })) }),
  },
  {
    ...{ format: "jsonschema", shape: "an allOf of refs to one wide definition", limit: "jsonMembers" },
    make: () => ({ $defs: { w: { properties: members(50_000, () => TEXT) }, a: allOf("w", 50_000) } }),
  },
  {
    ...{ format: "jsonschema", shape: "a oneOf of allOf of a wide definition", limit: "jsonMembers" },
    make: () => ({
      properties: { p: { oneOf: many(20_000, () => allOf("w", 2)) } },
      $defs: { w: { properties: members(50_000, () => TEXT) } },
    }),
  },
  {
    ...{ format: "jsonschema", shape: "an allOf of refs inside another one", limit: "jsonMembers" },
    make: () => ({
      properties: {
        p: {
          allOf: many(40_000, (i) => ref(`p${i}`)),
          properties: { q: { allOf: many(40_000, (i) => ref(`q${i}`)) } },
        },
      },
      $defs: { ...members(40_000, () => ({})), ...members(40_000, () => ({}), "q") },
    }),
  },
];

const OTHER_JSON: readonly WorstSource[] = [
  {
    ...{ format: "openapi", shape: "schemas that refer to the next one", limit: "jsonMembers" },
    make: () => ({
      ...{ openapi: "3.1.0", info: { title: "x", version: "1.0.0" } },
      components: {
        schemas: members(60_000, (i) => ({ properties: { p: { $ref: `#/components/schemas/p${i + 1}` } } })),
      },
    }),
  },
  {
    ...{ format: "avro", shape: "records that refer to the one before", limit: "jsonMembers" },
    make: () =>
      many(49_000, (i) => ({
        type: "record",
        name: `r${i}`,
        fields: [{ name: "b", type: i > 0 ? `r${i - 1}` : "int" }],
      })),
  },
  {
    ...{ format: "avro", shape: "fields of one union of all records", limit: "jsonMembers" },
    make: () => [
      ...many(400, (i) => ({ type: "record", name: `r${i}`, fields: [] })),
      { type: "record", name: "u", fields: many(490, (i) => ({ name: `f${i}`, type: many(400, (j) => `r${j}`) })) },
    ],
  },
  {
    ...{ format: "avro", shape: "fields of one enum", limit: "madeCharacters" },
    make: (extra) => [
      { type: "enum", name: "E", symbols: ENUM },
      { type: "record", name: "R", fields: many(ENUM_COLUMNS + extra, (i) => ({ name: `f${i}`, type: "E" })) },
    ],
  },
  {
    ...{ format: "frictionless", shape: "one table of fields", limit: "jsonMembers" },
    make: () => ({ fields: many(COLUMNS, (i) => ({ name: `f${i}`, type: "string" })) }),
  },
  {
    ...{ format: "frictionless", shape: "foreign keys of one table", limit: "jsonMembers" },
    make: () => ({
      fields: many(40_000, (i) => ({ name: `f${i}`, constraints: { unique: true } })),
      foreignKeys: many(32_000, (i) => ({ fields: `f${i}`, reference: { resource: "", fields: "f0" } })),
    }),
  },
  {
    ...{
      format: "frictionless",
      shape: "unique keys of two fields, and foreign keys of one",
      limit: "jsonMembers",
    },
    make: () => ({
      fields: [{ name: "a" }, { name: "b" }],
      uniqueKeys: many(60_000, () => ["a", "b"]),
      foreignKeys: many(60_000, () => ({ fields: "a", reference: { resource: "", fields: "b" } })),
    }),
  },
  {
    ...{ format: "frictionless", shape: "a field with an enum", limit: "jsonMembers" },
    make: () => ({ fields: [{ name: "a", type: "string", constraints: { enum: many(240_000, (i) => `v${i}`) } }] }),
  },
  {
    ...{ format: "dbt", shape: "columns with tests", limit: "jsonMembers" },
    make: () => dbt([{ name: "m", columns: many(80_000, (i) => ({ name: `c${i}`, tests: ["unique", "odd"] })) }]),
  },
  {
    ...{ format: "odcs", shape: "objects that refer to the next one", limit: "jsonMembers" },
    make: () =>
      odcs(
        many(40_000, (i) => ({ name: `t${i}`, properties: [{ name: "a", relationships: [{ to: `t${i + 1}.a` }] }] })),
      ),
  },
  {
    ...{ format: "odcs", shape: "lists in lists", limit: "jsonDepth" },
    make: () =>
      odcs(
        many(9_000, (i) => ({
          name: `t${i}`,
          properties: [...many(7, (j) => j)].reduce<object[]>(
            (inner, j) => [{ name: `l${j}`, items: { properties: inner } }],
            [{ name: "a" }],
          ),
        })),
      ),
  },
  {
    ...{ format: "medatarun", shape: "entities of one attribute", limit: "jsonMembers" },
    make: () => ({
      ...{ $schema: "https://raw.githubusercontent.com/Ooxo-fr/medatarun/main/schemas/medatarun-model-3.0.json" },
      ...{ id: "m", key: "m", version: "1.0.0", types: [{ id: "t", key: "t" }], relationships: [] },
      entities: many(20_000, (i) => ({
        id: `e${i}`,
        key: `e${i}`,
        attributes: [{ id: `a${i}`, key: "a", type: "key:t" }],
      })),
    }),
  },
  {
    ...{ format: "metaction", shape: "entities of one attribute", limit: "jsonMembers" },
    make: () => own({ entities: many(49_000, (i) => ({ key: `e${i}`, attributes: [{ key: "a", type: "key:t" }] })) }),
  },
  {
    ...{ format: "metaction", shape: "one entity of attributes", limit: "jsonMembers" },
    make: () => own({ entities: [{ key: "e", attributes: many(COLUMNS, (i) => ({ key: `a${i}`, type: "key:t" })) }] }),
  },
  {
    ...{ format: "metaction", shape: "unknown members", limit: "jsonMembers" },
    make: () => own({ entities: [{ key: "e", attributes: [], ...members(240_000, () => 1, "primaryKee") }] }),
  },
  {
    ...{ format: "metaction", shape: "descriptions", limit: "requestBytes" },
    make: () => own({ entities: many(61, (i) => ({ key: `e${i}`, attributes: [], description: LONG })) }),
  },
];

const SQL: readonly WorstSource[] = [
  {
    ...{ format: "postgresql", shape: "tables that refer to the next one", limit: "objectsPerJob", hasEdge: true },
    make: (extra) =>
      join(
        Math.floor((objectsPerJob - 2) / 6) + extra,
        (i) => `CREATE TABLE t${i}(id int PRIMARY KEY,b int REFERENCES t${i + 1},c int,d int);\n`,
      ),
  },
  {
    ...{
      format: "postgresql",
      shape: "a table that copies the columns of another",
      limit: "objectsPerJob",
      hasEdge: true,
    },
    make: (extra) =>
      sqlTable(200) + join(Math.floor((objectsPerJob - 200) / 201) + extra, (i) => `CREATE TABLE u${i} (LIKE a);\n`),
  },
  {
    ...{ format: "postgresql", shape: "changes that look through all columns", limit: "sqlWalked", hasEdge: true },
    make: (extra) => sqlTable(sqlColumns) + "ALTER TABLE a DROP CONSTRAINT x;\n".repeat(sqlWalked / sqlColumns + extra),
  },
  {
    ...{ format: "postgresql", shape: "renamed columns of a wide table", limit: "sqlWalked" },
    make: () => sqlTable(sqlColumns) + join(1_990, (i) => `ALTER TABLE a RENAME c${i} TO d${i};\n`),
  },
  {
    ...{ format: "postgresql", shape: "renamed columns among many tables", limit: "sqlWalked" },
    make: () =>
      join(10_000, (i) => `CREATE TABLE t${i}(a int REFERENCES t0);\n`) +
      join(990, (i) => `ALTER TABLE t0 RENAME a${i || ""} TO a${i + 1};\n`),
  },
  {
    ...{ format: "postgresql", shape: "columns of one enum", limit: "madeCharacters" },
    make: (extra) =>
      `CREATE TYPE e AS ENUM ('${ENUM.join("','")}');\nCREATE TABLE a (${join(ENUM_COLUMNS + extra, (i) => `c${i} e`, ",")});`,
  },
  {
    ...{ format: "postgresql", shape: "views of all columns", limit: "sqlColumns" },
    make: (extra) =>
      sqlTable(sqlColumns / 2 + extra) + join(18, (i) => `CREATE VIEW v${i} AS SELECT a.*, a.* FROM a;\n`),
  },
  {
    ...{ format: "postgresql", shape: "own columns beside inherited ones", limit: "sqlTokens" },
    make: () =>
      sqlTable(sqlColumns) +
      join(4, (k) => `CREATE TABLE u${k} (${join(33_000, (i) => `d${i} int`, ",")}) INHERITS (a);\n`),
  },
  {
    ...{ format: "mysql", shape: "columns dropped in one list", limit: "sqlTokens" },
    make: () =>
      join(6, (k) => sqlTable(16_000, `t${k}`) + `ALTER TABLE t${k} DROP (${join(16_000, (i) => `c${i}`, ",")});\n`),
  },
  {
    ...{
      format: "postgresql",
      shape: "unique keys of two columns, and foreign keys of one",
      limit: "objectsPerJob",
    },
    make: () =>
      `CREATE TABLE a (x int,y int${",UNIQUE(x,y)".repeat(13_000)});\n${"ALTER TABLE a ADD UNIQUE(x,y);\n".repeat(30_000)}${"ALTER TABLE a ADD FOREIGN KEY(x)REFERENCES a(y);\n".repeat(60_000)}`,
  },
  {
    ...{ format: "postgresql", shape: "rows of data", limit: "requestBytes" },
    make: () => `CREATE TABLE a (b int);\n${"INSERT INTO a VALUES (1,'it''s',NULL);\n".repeat(150_000)}`,
  },
  {
    ...{ format: "postgresql", shape: "semicolons", limit: "requestBytes" },
    make: () => `CREATE TABLE a (b int);${";".repeat(6_100_000)}`,
  },
  {
    ...{ format: "bigquery", shape: "structures in structures", limit: "sqlTokens" },
    make: () => join(8, (k) => `CREATE TABLE t${k} (a ${"STRUCT<a ".repeat(12_000)}INT64${">".repeat(12_000)});\n`),
  },
  ...(["mysql", "sqlite", "tsql", "oracle", "snowflake", "redshift", "sql", "bigquery"] as const).map(
    (format): WorstSource => ({
      ...{ format, shape: "tables of four columns", limit: "objectsPerJob" },
      make: () =>
        join(49_000, (i) => `CREATE TABLE t${i} (id int NOT NULL, b varchar(10) DEFAULT 'x', c int, d int);\n`),
    }),
  ),
];

const OTHER_TEXTS: readonly WorstSource[] = [
  {
    ...{ format: "dbml", shape: "tables", limit: "dbmlBytes", hasEdge: true },
    make: (extra) =>
      cut(
        join(5_000, (i) => `Table t${i} {\n a int\n}\n`),
        LIMITS.dbmlBytes,
        extra,
      ),
  },
  {
    ...{ format: "dbml", shape: "columns", limit: "dbmlBytes" },
    make: () => `Table t {\n${join(9_900, (i) => `c${10_000 + i} a\n`)}}\n`,
  },
  {
    ...{ format: "dbml", shape: "columns of one enum", limit: "dbmlEnumCharacters", hasEdge: true },
    make: (extra) =>
      `Enum e {\n${"v".repeat(LIMITS.dbmlEnumCharacters / 1_000)}\n}\nTable t {\n${join(1_000 + extra, (i) => `c${i} e\n`)}}\n`,
  },
  {
    ...{ format: "dbml", shape: "columns of an enum of many values", limit: "dbmlEnumCharacters" },
    make: () => `Enum e {\n${join(2_000, (i) => `v${i}\n`)}}\nTable t {\n${join(450, (i) => `c${i} e\n`)}}\n`,
  },
  {
    ...{ format: "dbml", shape: "tables of one partial", limit: "dbmlPartialCharacters", hasEdge: true },
    make: (extra) =>
      PARTIAL + join(LIMITS.dbmlPartialCharacters / PARTIAL.trim().length + extra, (i) => `Table t${i} {\n~p\n}\n`),
  },
  {
    ...{ format: "dbml", shape: "references", limit: "dbmlBytes" },
    make: () =>
      `${["a", "b"].map((t) => `Table ${t} {\n${join(2_600, (i) => `c${i} a\n`)}}\n`).join("")}${join(2_600, (i) => `Ref: a.c${i} > b.c${i}\n`)}`,
  },
  {
    ...{ format: "jsonschema", shape: "YAML with anchors", limit: "yamlAnchors", hasEdge: true },
    make: (extra) =>
      `$id: x\nproperties:\n${join(LIMITS.yamlAnchors / 2, (i) => ` p${i}: &a${i}\n  type: string\n`)}$defs:\n${join(LIMITS.yamlAnchors / 2 + extra, (i) => ` q${i}: *a${i % 2_500}\n`)}`,
  },
  {
    ...{ format: "jsonschema", shape: "YAML with uses of one anchor", limit: "yamlAliases", hasEdge: true },
    make: (extra) =>
      `x-a: &a {${join(110, (i) => `p${i}: {type: string}`, ",")}}\nproperties: {}\n$defs:\n${join(LIMITS.yamlAliases - 1 + 2 * extra, (i) => ` d${i}: {properties: *a}\n`)}`,
  },
  {
    ...{ format: "dbt", shape: "YAML", limit: "yamlBytes", hasEdge: true },
    make: (extra) =>
      cut(
        `version: 2\nmodels:\n- name: m\n  columns:\n${join(30_000, (i) => `  - name: c${i}\n`)}`,
        LIMITS.yamlBytes,
        extra,
      ),
  },
];

/** Returns a text of so many bytes, filled with blank lines after its last whole part. */
function cut(text: string, bytes: number, extra: number): string {
  const end = text.lastIndexOf(text.includes("}\n") ? "}\n" : "\n", bytes - 10) + (text.includes("}\n") ? 2 : 1);
  return text.slice(0, end).padEnd(bytes + extra, "\n");
}

/** The worst sources of all readers. */
export const WORST_SOURCES: readonly WorstSource[] = [...JSON_SCHEMA, ...OTHER_JSON, ...SQL, ...OTHER_TEXTS];
