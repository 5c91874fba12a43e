import type { SourceFormat } from "../../../shared/domain/values/source-formats.ts";
import { DIALECTS } from "../../../shared/formats/sql/dialects.ts";
import { type MakeSource, TABLE_SOURCES } from "./table-sources.ts";

/** Bytes of a text that is larger than any source that reaches a reader from outside. */
const LARGE_BYTES = 50_000_000;

/** A text of a format that is about `LARGE_BYTES` long. */
export interface LargeText {
  readonly format: SourceFormat;
  /** The way in which it is large. */
  readonly shape: string;
  readonly make: () => string;
}

const filler = "x".repeat(LARGE_BYTES);

function repeated(make: (i: number) => string, bytes = LARGE_BYTES): string {
  const parts: string[] = [];
  for (let i = 0, length = 0; length < bytes; i++) {
    const part = make(i);
    parts.push(part);
    length += part.length;
  }
  return parts.join("");
}

const SQL: Readonly<Record<string, () => string>> = {
  tables: () => repeated((i) => `CREATE TABLE t${i} (id int PRIMARY KEY, c varchar(10) DEFAULT 'x' NOT NULL);\n`),
  columns: () => `CREATE TABLE a (${repeated((i) => `c${i} int,`)} z int);`,
  "columns added one by one": () => `CREATE TABLE a (b int);\n${repeated((i) => `ALTER TABLE a ADD c${i} int;\n`)}`,
  rows: () => `CREATE TABLE a (b int);\n${repeated(() => "INSERT INTO a VALUES (1, 'it''s', NULL);\n")}`,
  "a text": () => `CREATE TABLE a (b varchar(9) DEFAULT '${filler}');`,
  "a name": () => `CREATE TABLE a (b int);\nCREATE TABLE ${filler} (b int);`,
  "a comment": () => `CREATE TABLE a (b int);\nCOMMENT ON TABLE a IS '${filler}';`,
  "a quote that is never closed": () => `CREATE TABLE a (b int);\nCREATE TABLE b (c int DEFAULT '${filler}`,
  "an expression": () => `CREATE TABLE a (b int CHECK (b > 1${repeated(() => " and b < 9")}));`,
  brackets: () => `CREATE TABLE a (b int DEFAULT ${"(".repeat(LARGE_BYTES)});`,
  "nothing but semicolons": () => `CREATE TABLE a (b int);${";".repeat(LARGE_BYTES)}`,
  "blank lines": () => `${"\n".repeat(LARGE_BYTES)}CREATE TABLE a (b int);`,
  "lines of comments": () => `${repeated(() => "-- it's\n")}CREATE TABLE a (b int);`,
  words: () => `CREATE TABLE a (b int);\n${repeated(() => "word ")}`,
  views: () => `CREATE TABLE a (b int);\n${repeated((i) => `CREATE VIEW v${i} AS SELECT a.*, b AS c FROM a;\n`)}`,
  indexes: () => `CREATE TABLE a (b int);\n${repeated((i) => `CREATE UNIQUE INDEX i${i} ON a (b);\n`)}`,
  "types of enums": () => repeated((i) => `CREATE TYPE e${i} AS ENUM ('a', 'b');\n`),
  placeholders: () => repeated((i) => `CREATE TABLE @schema${i}.t (b int);\n`),
};

const OTHER_SOURCES: readonly (readonly [format: SourceFormat, make: MakeSource])[] = [
  [
    "dbt",
    (tables) => ({
      metadata: { dbt_schema_version: "https://schemas.getdbt.com/dbt/manifest/v12.json", project_name: "x" },
      nodes: Object.fromEntries(
        tables.map(({ name, text }) => [
          `model.x.${name}`,
          {
            ...{ resource_type: "model", name, unique_id: `model.x.${name}`, description: text },
            columns: { a: { name: "a" } },
          },
        ]),
      ),
    }),
  ],
  [
    "frictionless",
    (tables) => ({ fields: tables.map(({ name, text }) => ({ name, description: text, type: "string" })) }),
  ],
];

function tables(count: number, bytes = LARGE_BYTES) {
  const text = "x".repeat(Math.ceil(bytes / count));
  return Array.from({ length: count }, (_, i) => ({ name: `t${i}`, text }));
}

function listShapes(make: MakeSource): Readonly<Record<string, () => string>> {
  const withMember = (value: string) => JSON.stringify(make(tables(1, 1))).replace("{", () => `{"odd":${value},`);
  return {
    "tables of which each says little": () => {
      const each = JSON.stringify(make(tables(1_000, 1_000))).length / 1_000;
      return JSON.stringify(make(tables(Math.ceil(LARGE_BYTES / each), 1)));
    },
    "10,000 tables with long texts": () => JSON.stringify(make(tables(10_000))),
    "a text": () => JSON.stringify(make(tables(1))),
    "a name": () => JSON.stringify(make([{ name: filler, text: "x" }])),
    "a member that nobody knows": () => withMember(`"${filler}"`),
    "a number": () => withMember("1".repeat(LARGE_BYTES)),
    "empty lists": () => withMember(`[${repeated(() => "[],")}[]]`),
    brackets: () => withMember("[".repeat(LARGE_BYTES)),
    "escaped quotes": () => withMember(`"${'\\"'.repeat(LARGE_BYTES / 2)}"`),
    "blank lines": () => withMember(`${"\n".repeat(LARGE_BYTES)}1`),
    YAML: () => `x: |\n${repeated(() => `  ${"x".repeat(100)}\n`)}`,
  };
}

const DBML: Readonly<Record<string, () => string>> = {
  tables: () => repeated((i) => `Table t${i} {\n  id int [pk]\n}\n`),
  "a name": () => `Table ${filler} {\n  id int\n}\n`,
  "a comment": () => `Table a {\n  id int\n}\n/*${filler}`,
};

/** Texts of all formats, each large in its own way. */
export const LARGE_TEXTS: readonly LargeText[] = [
  ...(Object.keys(DIALECTS) as SourceFormat[]).flatMap((format) =>
    Object.entries(SQL).map(([shape, make]) => ({ format, shape, make })),
  ),
  ...[...(Object.entries(TABLE_SOURCES) as [SourceFormat, MakeSource][]), ...OTHER_SOURCES].flatMap(
    ([format, source], i) =>
      Object.entries(listShapes(source)).map(([shape, make]) => ({
        ...{ format, make, shape: i < Object.keys(TABLE_SOURCES).length ? shape : `${shape} (1)` },
      })),
  ),
  ...Object.entries(DBML).map(([shape, make]) => ({ format: "dbml" as const, shape, make })),
];
