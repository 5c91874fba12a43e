import { expect, test } from "vitest";
import { compareModels } from "../../shared/domain/compare/compare.ts";
import { foldNames } from "../../shared/domain/normal-form/fold-names.ts";
import type { SourceFormat } from "../../shared/domain/values/source-formats.ts";
import { readContent } from "../formats/reading.ts";

async function compareTexts(...sides: readonly [readonly [SourceFormat, string], readonly [SourceFormat, string]]) {
  const [left, right] = await Promise.all(
    sides.map(async ([format, content]) => (await readContent(content, { format, modelKey: "m" })).document),
  );
  if (!left || !right) throw new Error("a side is missing");
  return compareModels(left, right, { sameModel: false, scope: "structural" }).map(
    ({ status, entityKey, attributeKey, impact }) =>
      [status, [entityKey, attributeKey].filter(Boolean).join("."), impact].join(" "),
  );
}

const POSTGRESQL = `CREATE TABLE person (person_id integer PRIMARY KEY);
  CREATE TABLE visit (visit_id integer PRIMARY KEY, person_id integer NOT NULL REFERENCES person (person_id), UNIQUE (person_id));`;

test("databases of different dialects are compared by the names that they find without quotes", async () => {
  const oracle = POSTGRESQL.replaceAll("integer", "NUMBER(9)").toUpperCase();
  const snowflake = POSTGRESQL.replaceAll("person", "Person");
  for (const other of [["oracle", oracle] as const, ["snowflake", snowflake] as const]) {
    const found = await compareTexts(["postgresql", POSTGRESQL], other);
    expect(
      found.filter((one) => !one.startsWith("MODIFIED")),
      other[0],
    ).toEqual([]);
  }
});

test("a name in quotes with other letters is another one, and so are names of one dialect", async () => {
  const quoted = 'CREATE TABLE "Person" (person_id NUMBER(9) PRIMARY KEY);';
  const person = "CREATE TABLE person (person_id integer PRIMARY KEY);";
  expect(await compareTexts(["postgresql", person], ["oracle", quoted])).toContain("RENAMED person breaking");
  expect(
    await compareTexts(["postgresql", person], ["postgresql", 'CREATE TABLE "PERSON" ("PERSON_ID" integer);']),
  ).toContain("RENAMED person breaking");
});

test("two names that would become one stay as they are", async () => {
  const { document } = await readContent("CREATE TABLE T (A integer);", { format: "mysql", modelKey: "m" });
  const [table] = document.entities;
  const twice = { ...document, entities: [...document.entities, ...(table ? [{ ...table, key: "t" }] : [])] };
  expect([foldNames(document), foldNames(twice)].map(({ entities }) => entities.map(({ key }) => key))).toEqual([
    ["t"],
    ["T", "t"],
  ]);
});
