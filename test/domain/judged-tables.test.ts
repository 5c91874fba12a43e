import { expect, test } from "vitest";
import { compareModels } from "../../shared/domain/compare/compare.ts";
import { IMPACTS, VERDICTS } from "../../shared/domain/differences.ts";
import type { SourceFormat } from "../../shared/domain/values/source-formats.ts";
import { readContent } from "../formats/reading.ts";

/** Returns the most severe class and verdicts of the differences of two texts; `none` without differences. */
async function judge(format: SourceFormat, before: string, after: string): Promise<string> {
  const read = async (content: string) => (await readContent(content, { format, modelKey: "m" })).document;
  const entries = compareModels(await read(before), await read(after), { sameModel: false, scope: "complete" });
  const find = (side: "readers" | "writers") =>
    VERDICTS.find((verdict) => entries.some((entry) => entry[side].verdict === verdict)) ?? "safe";
  const impact = IMPACTS.find((one) => entries.some((entry) => entry.impact === one)) ?? "none";
  return [impact, find("readers"), find("writers")].join(" ");
}

const table = (columns: string, more = "") =>
  `CREATE TABLE t (id integer PRIMARY KEY${columns && `, ${columns}`});${more}`;
const parent = (more: string) => `CREATE TABLE p (id integer PRIMARY KEY); ${table(`p_id integer${more}`)}`;

/** Pairs of one table: before, after, and what must be found. */
const PAIRS: readonly (readonly [before: string, after: string, found: string])[] = [
  [table(""), table("x text NOT NULL"), "breaking safe breaks"],
  [table(""), table("x text NOT NULL DEFAULT 'a'"), "additive safe safe"],
  [table(""), table("x integer NOT NULL GENERATED ALWAYS AS (id) STORED"), "additive safe safe"],
  [table("x text NOT NULL"), table("x text NOT NULL DEFAULT 'a'"), "additive safe safe"],
  [table("x text NOT NULL DEFAULT 'a'"), table("x text NOT NULL"), "breaking safe breaks"],
  [table("x text DEFAULT 'a'"), table("x text DEFAULT upper('a')"), "behavioural risk risk"],
  [table("x text DEFAULT upper('a')"), table("x text"), "behavioural risk risk"],
  [table("x integer"), table("x integer GENERATED ALWAYS AS (id) STORED"), "breaking risk breaks"],
  [
    table("x integer GENERATED ALWAYS AS (id) STORED"),
    table("x integer GENERATED ALWAYS AS (id + 1) STORED"),
    "behavioural risk safe",
  ],
  [table("x integer GENERATED ALWAYS AS (id) STORED"), table("x integer"), "behavioural risk risk"],
  [table("x text"), table("x text UNIQUE"), "breaking safe breaks"],
  [table("x text UNIQUE"), table("x text"), "behavioural risk safe"],
  [table("x text, y text, UNIQUE (x, y)"), table("x text, y text, UNIQUE (x)"), "breaking risk breaks"],
  [parent(""), parent(" REFERENCES p (id)"), "breaking safe breaks"],
  [parent(" REFERENCES p (id)"), parent(""), "behavioural risk safe"],
  [parent(" REFERENCES p (id)"), parent(" REFERENCES p (id) ON DELETE CASCADE"), "behavioural risk risk"],
  // A new column refers to nothing yet.
  [`CREATE TABLE p (id integer PRIMARY KEY); ${table("")}`, parent(" REFERENCES p (id)"), "additive safe safe"],
  [table("x integer"), table("x integer CHECK (x > 0)"), "breaking safe breaks"],
  [table("x integer CHECK (x > 0)"), table("x integer CHECK (x >= 0)"), "additive risk safe"],
  [table("x integer CHECK (x BETWEEN 1 AND 9)"), table("x integer CHECK (x BETWEEN 1 AND 5)"), "breaking safe breaks"],
  [table("x text CHECK (x IN ('a', 'b'))"), table("x text CHECK (x IN ('a', 'b', 'it''s'))"), "additive risk safe"],
  [table("x integer, y integer"), table("x integer, y integer, CHECK (x < y)"), "breaking safe breaks"],
  [table("x integer, y integer, CHECK (x < y)"), table("x integer, y integer"), "additive risk safe"],
  [table("x integer, y integer, CHECK (x < y)"), table("x integer, y integer, CHECK (x <= y)"), "breaking risk breaks"],
  [table("x text"), table("x text", "CREATE INDEX i ON t (x);"), "operational safe safe"],
  [table("x text"), table("x text", "CREATE UNIQUE INDEX i ON t (lower(x));"), "breaking safe breaks"],
  [table("x text", "CREATE UNIQUE INDEX i ON t (lower(x));"), table("x text"), "behavioural risk safe"],
  [table("x text"), table('x text COLLATE "C"'), "behavioural risk risk"],
  [
    "CREATE TABLE t (a integer, b integer, PRIMARY KEY (a, b));",
    "CREATE TABLE t (a integer, b integer, PRIMARY KEY (b, a));",
    "operational safe safe",
  ],
  ["CREATE TABLE t (a integer NOT NULL);", "CREATE TABLE t (a integer PRIMARY KEY);", "breaking safe breaks"],
  [
    table("x integer", "CREATE VIEW v AS SELECT x FROM t;"),
    table("x integer", "CREATE VIEW v AS SELECT x FROM t WHERE x > 1;"),
    "behavioural risk safe",
  ],
  [table("x integer, y integer"), table("y integer, x integer"), "cosmetic safe safe"],
];

test.each(PAIRS)("%s to %s", async (before, after, found) => {
  expect(await judge("postgresql", before, after)).toBe(found);
});

test("storage options of MySQL are operational, and an identity that only the database sets refuses values", async () => {
  const own = "CREATE TABLE t (id int PRIMARY KEY)";
  expect(await judge("mysql", `${own} ENGINE=InnoDB;`, `${own} ENGINE=MyISAM;`)).toBe("operational safe safe");
  const numbered = (kind: string) => `CREATE TABLE t (id integer GENERATED ${kind} AS IDENTITY PRIMARY KEY);`;
  expect(await judge("postgresql", numbered("BY DEFAULT"), numbered("ALWAYS"))).toBe("breaking risk breaks");
  expect(await judge("postgresql", numbered("ALWAYS"), numbered("BY DEFAULT"))).toBe("additive risk safe");
});

test("a required member with a default stays required for a validator of JSON", async () => {
  const schema = (...required: readonly string[]) =>
    JSON.stringify({
      title: "T",
      properties: { a: { type: "string", default: "x" }, b: { type: "string" } },
      required,
    });
  expect(await judge("jsonschema", schema("b"), schema("a", "b"))).toBe("breaking safe breaks");
});
