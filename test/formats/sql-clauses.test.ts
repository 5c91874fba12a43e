import { expect, test } from "vitest";
import type { SourceFormat } from "../../shared/domain/values/source-formats.ts";
import { getDetails, listParts, readContent } from "./reading.ts";

const NOTE = "x".repeat(10_000);
const UNKNOWN_COLUMN = "it has an unknown column; it is kept as a property";
const QUERY = "SELECT DISTINCT x.b loud, c AS d, c + b total, 'b' AS e FROM a x";

const NORMAL_QUERY = "SELECT DISTINCT b AS loud, c AS d, c + b AS total, 'b' AS e FROM a x";

test.each<[SourceFormat, text: string, lines: readonly string[]]>([
  [
    "tsql",
    `EXEC sp_addextendedproperty N'MS_Description', N'All shops'
CREATE TABLE a (b datetime2 GENERATED ALWAYS AS ROW START NOT NULL, c int IDENTITY(5,2) PRIMARY KEY)
CREATE TABLE d (index varchar(9), key int, INDEX i (key))
ALTER TABLE d ADD FOREIGN KEY (key) REFERENCES a (c) ON DELETE CASCADE`,
    [
      ...["a (b datetime2, c int) c", "d (index varchar?, key int?) ", "d_key: a zeroOrOne - d many (c = key)"],
      ...['a/b {"properties":{"sql:generated":"row start"}}', 'a/c {"properties":{"sql:identity":"5,2"}}'],
      'd {"properties":{"sql:indexes":[{"name":"i","columns":["key"]}]}}',
      ...['d/index {"constraints":{"maxLength":9}}', 'd_key {"properties":{"sql:onDelete":"cascade"}}'],
      "All shops",
    ],
  ],
  [
    "sql",
    "DELIMITER $$\nDELIMITER ;\nCREATE TABLE a (b int, FULLTEXT KEY k (b));",
    ["a (b int?) ", 'a {"properties":{"sql:indexes":[{"name":"k","using":"fulltext","columns":["b"]}]}}'],
  ],
  [
    "mysql",
    `CREATE TABLE a (\nb int, #count\nc int, --sum\nd int, --${NOTE}\ne int, --${NOTE}y\nf int, KEY k (b) USING BTREE, KEY l USING HASH (b))`,
    [
      "a (b int?, c int?, d int?, e int?, f int?) ",
      'a {"properties":{"sql:indexes":[{"name":"k","columns":["b"]},{"name":"l","columns":["b"]}]}}',
      ...['a/b {"description":"count"}', 'a/c {"description":"sum"}', `a/d {"description":"${NOTE}"}`],
    ],
  ],
  [
    "postgresql",
    `CREATE TABLE a (b time DEFAULT time '10:00', "B" int DEFAULT 4\n/\n2, c text CHECK (c BETWEEN '1' AND 'z'));
COMMENT ON COLUMN a.b IS 'low'; COMMENT ON COLUMN a."B" IS 'high';
ALTER TABLE a ADD CHECK ("B" BETWEEN 1 AND c), ADD FOREIGN KEY (c) REFERENCES a (z);`,
    [
      "a (b time?, B integer?, c text?) ",
      `a {"properties":{"sql:checks":[{"check":"\\"B\\" >= 1 AND \\"B\\" <= c"},{"check":"c >= '1' AND c <= 'z'"}],` +
        `"sql:references":[{"columns":["c"],"to":"public.a","referred":["z"]}]}}`,
      'a/b {"description":"low","constraints":{"default":"10:00:00"}}',
      ...['a/B {"description":"high","properties":{"sql:default":"4 / 2"}}', UNKNOWN_COLUMN],
    ],
  ],
  [
    "sqlite",
    `CREATE TABLE a (b text(9), c int); CREATE VIEW v AS ${QUERY};`,
    [
      ...["a (b text?, c int?) ", "v (loud text?, d int?, total any?, e any?) "],
      ...['a/b {"constraints":{"maxLength":9}}', `v {"properties":{"sql:kind":"view","sql:query":"${NORMAL_QUERY}"}}`],
      'v/loud {"constraints":{"maxLength":9}}',
    ],
  ],
  [
    "tsql",
    "CREATE TABLE a (b int, t AS b * 2, c int DEFAULT NULL, d int CHECK (d % 5), e decimal DEFAULT .5, f int CHECK (f > d))",
    [
      "a (b int?, t any?, c int?, d int?, e decimal?, f int?) ",
      'a {"properties":{"sql:checks":[{"check":"d % 5"},{"check":"f > d"}]}}',
      ...['a/t {"properties":{"sql:generated":"b * 2"}}', 'a/e {"constraints":{"default":0.5}}'],
    ],
  ],
  [
    "postgresql",
    `CREATE TABLE a (b int, c int); CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON a (b); CREATE TABLE :schema.p (q int);
CREATE VIEW v AS SELECT ALL b AS "X""y", c "end" FROM a;`,
    [
      ...["a (b integer?, c integer?) ", "p (q integer?) ", "v (X_y integer?, end integer?) "],
      'a {"properties":{"sql:indexes":[{"name":"i","columns":["b"]}]}}',
      `v {"properties":{"sql:kind":"view","sql:query":${JSON.stringify('SELECT ALL b AS "X""y", c AS "end" FROM a')}}}`,
      'v/X_y {"name":"X\\"y"}',
      ...["the placeholder schema before a name is omitted", 'is not a valid key, so it became "X_y"'],
    ],
  ],
  [
    "oracle",
    "CREATE TABLE a (b int, c int); ALTER TABLE a DROP (c, z); RENAME a TO z;\n/\nSET ROLE x;",
    [
      ...["A (B INT?) ", "unknown change of a table: DROP", 'ignored: not a table definition: "RENAME a"'],
      "settings, transactions and client commands are ignored",
    ],
  ],
  [
    "mysql",
    "CREATE TABLE a (b int, FOREIGN KEY f (b) REFERENCES c (d) MATCH FULL);\n/\nCREATE TABLE e (g int)",
    [
      "a (b int?) ",
      'a {"properties":{"sql:references":[{"columns":["b"],"to":"c","referred":["d"],"constraint":"f","match":"full"}]}}',
      ...['ignored: not a table definition: "/ CREATE"', 'the source has no table "c"; it is kept as a property'],
    ],
  ],
  [
    "mysql",
    "CREATE TABLE a (b int COMMENT 'x', KEY k (b), KEY l (b)); ALTER TABLE a DROP INDEX k, MODIFY b bigint FIRST; USE;\n" +
      "CREATE TABLE `a\\n` (c int REFERENCES a (b) ON DELETE SET);",
    [
      ...["a (b bigint?) ", "a_n (c int?) ", "a_n_c: a zeroOrOne - a_n many (b = c)"],
      ...['a {"properties":{"sql:indexes":[{"name":"l","columns":["b"]}]}}', 'a/b {"description":"x"}'],
      ...['a_n {"name":"a\\\\n"}', 'a_n_c {"properties":{"sql:onDelete":"set"}}'],
      'is not a valid key, so it became "a_n"',
    ],
  ],
  [
    "postgresql",
    `CREATE TABLE a (b int, c int UNIQUE); CREATE UNIQUE INDEX i ON a (b); ALTER TABLE a ALTER b SET STATISTICS 9;
ALTER TABLE a ADD PRIMARY KEY USING INDEX i, ADD UNIQUE USING INDEX z; CREATE VIEW v AS SELECT b FROM (SELECT a.c FROM a) x;`,
    [
      ...["a (b integer, c integer?) b", "v (b any?) ", "unique a_c: c"],
      ...['a {"properties":{"sql:keyNames":{"i":["b"]}}}', 'a/c {"constraints":{"unique":true}}'],
      'v {"properties":{"sql:kind":"view","sql:query":"SELECT b FROM (SELECT a.c FROM a) x"}}',
      "unknown change of a table: ADD",
    ],
  ],
  ["mysql", "CREATE TABLE a (b int); CREATE OR REPLACE TABLE A (c int);", ["A (c int?) "]],
  [
    "bigquery",
    "CREATE TABLE a (b INT64 OPTIONS(description='d', , x=1));",
    ["a (b INT64?) ", 'a/b {"description":"d","properties":{"sql:x":"1"}}'],
  ],
  [
    "oracle",
    "CREATE TABLE a (b int DEFAULT ON NULL 5);",
    ["A (B INT?) ", 'A/B {"constraints":{"default":5},"properties":{"sql:defaultOnNull":true}}'],
  ],
  [
    "tsql",
    "CREATE TABLE a (b nvarchar(9) DEFAULT N'a\\', c int)\nCREATE TABLE d (e int)",
    ["a (b nvarchar?, c int?) ", "d (e int?) ", 'a/b {"constraints":{"maxLength":9,"default":"a\\\\"}}'],
  ],
])("clauses of %s are read", async (format, text, lines) => {
  const { document, warnings } = await readContent(text, { format, modelKey: "m" });
  const details = Object.entries(getDetails(document)).map(([path, members]) => `${path} ${JSON.stringify(members)}`);
  const said = [document.description ?? [], ...warnings.map(({ detail }) => detail)].flat();
  expect([...listParts(document), ...details, ...said]).toEqual(lines);
});
