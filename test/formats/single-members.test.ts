import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import type { ExportFormat } from "../../shared/domain/values/export-formats.ts";
import { isReferringRole } from "../../shared/formats/common/writing/model-tables.ts";
import { createExporter } from "../../shared/formats/exporter.ts";
import { getDetails, listParts, pointers, problemOf, readContent } from "./reading.ts";

const NAMES = { modelKey: "m" } as const;
const many = Array.from({ length: LIMITS.businessKeyParticipants + 1 }, (_, i) => `c${i}`);

describe("reading keeps", () => {
  test.each<[title: string, content: unknown, format: string, part: string, details: object]>([
    [
      "a unique key of too many columns as a property",
      `CREATE TABLE t (${many.map((name) => `${name} int`).join(", ")}, UNIQUE (${many.join(", ")}));`,
      "postgresql",
      expect.stringMatching(/^t \(c0 integer\?, /),
      {
        t: { properties: { "sql:unique": [many] } },
        warned: ["a key has an unknown column or too many columns; it is kept as a property"],
      },
    ],
    [
      "a number that is none as a property, and a number in a text as a number",
      { name: "t", fields: [{ name: "a", type: "string", constraints: { minLength: "abc", maxLength: "7" } }] },
      "frictionless",
      "t (a string?) ",
      {
        "t/a": {
          constraints: { maxLength: 7 },
          properties: { "frictionless:constraints": { minLength: "abc", maxLength: "7" } },
        },
        warned: ["expected a number, got a string; it is kept as a property"],
      },
    ],
    ["a column with an empty list of options", "CREATE TABLE t (a INT64 OPTIONS());", "bigquery", "t (a INT64?) ", {}],
    ["a table after USE without a name", "USE SCHEMA (); CREATE TABLE t (a int);", "snowflake", "T (A INT?) ", {}],
    [
      "no type of a column that may be one of a query",
      "CREATE VIEW v AS SELECT c FROM (SELECT 1 AS c) x, a; CREATE TABLE a (c int NOT NULL);",
      "postgresql",
      "v (c any?) ",
      { v: expect.anything() },
    ],
  ])("%s", async (_, content, format, part, details) => {
    const { document, warnings } = await readContent(content, { ...NAMES, format: format as never });
    expect(listParts(document)).toContainEqual(part);
    expect({ ...getDetails(document), warned: warnings.map(({ detail }) => detail) }).toEqual({
      warned: [],
      ...details,
    });
  });

  test.each([
    [
      { name: "p", resources: [{ name: "r", path: "r.csv", schema: "  " }] },
      "/resources/0/schema",
      /^expected a schema/,
    ],
    ["CREATE TABLE :t (a int);", "/lines/1", /^CREATE TABLE without a name/],
  ])("nothing of %j", async (content, pointer, detail) => {
    const format = typeof content === "string" ? "postgresql" : "frictionless";
    const { members } = await problemOf(readContent(content, { ...NAMES, format }));
    expect(members.errors).toEqual([{ pointer, detail: expect.stringMatching(detail) }]);
  });
});

describe("writing", () => {
  const write = async (content: unknown, format: ExportFormat, names: object = {}) => {
    const { document } = await readContent(content, { ...NAMES, ...names });
    return createExporter().write(document, format);
  };
  const attribute = (key: string, members: object = {}) => ({ key, type: "key:t", ...members });
  const saying = (members: object) => ({
    $schema: "urn:metaction:model:2",
    key: "m",
    types: [{ key: "t" }],
    ...members,
  });

  test("warns of no property that DBML has", async () => {
    const text = "Project p { database_type: 'X' }\nTable a as b [headercolor: #aabbcc] { id int [pk] }";
    expect(pointers((await write(text, "dbml", { format: "dbml" })).warnings)).toEqual(["/name"]);
  });

  test("makes the attribute of a business key unique in ODCS, in which a primary key may be absent", async () => {
    const attributes = [attribute("a", { optional: true }), attribute("b")];
    const entities = [{ key: "e", attributes, primaryKey: ["key:a"] }];
    const businessKeys = [{ key: "k", entity: "key:e", participants: ["key:b"] }];
    const { content, warnings } = await write(saying({ entities, businessKeys }), "odcs");
    expect(content).toMatch(/name: b\n[^-]*unique: true/);
    expect(pointers(warnings)).not.toContain("/entities/0/attributes/0/optional");
  });

  test("keeps an option that ODCS has for the type of an attribute", async () => {
    const option = "properties: [{name: a, logicalType: integer, logicalTypeOptions: {format: i64}}]";
    const text = `apiVersion: v3.1.0\nkind: DataContract\nid: x\nschema:\n  - name: e\n    ${option}\n`;
    const { content, warnings } = await write(text, "odcs");
    expect(content).toMatch(/logicalTypeOptions:\n +format: i64\n/);
    expect(pointers(warnings).filter((pointer) => pointer.includes("logicalTypeOptions"))).toEqual([]);
  });

  test("warns of a primary key whose column is too many for a table of PostgreSQL", async () => {
    const attributes = Array.from({ length: 1_601 }, (_, i) => attribute(`a${i}`));
    const entities = [{ key: "e", attributes, primaryKey: ["key:a1600"] }];
    const { warnings } = await write(saying({ entities }), "postgresql");
    const lost = ["/entities/0/primaryKey", "/entities/0/attributes/1600"];
    expect(pointers(warnings)).toEqual(expect.arrayContaining(lost));
  });

  test("warns in a migration of nothing that both models have and PostgreSQL has not, also at another position", async () => {
    const withFormat = attribute("k", { constraints: { format: "email" } });
    const read = async (...attributes: object[]) =>
      (await readContent(saying({ entities: [{ key: "e", attributes }] }), NAMES)).document;
    const [left, right] = [await read(withFormat), await read(attribute("new"), withFormat)];
    const compared = { left, right, names: ["left", "right"], differences: [] } as const;
    const { warnings } = await createExporter().writeDifference(compared, "postgresql");
    expect(pointers(warnings).filter((pointer) => pointer.endsWith("/format"))).toEqual([]);
  });

  test("finds the referring role of an entity that refers to itself by its attributes", () => {
    const [child, parent] = [
      { key: "a", entity: "key:e", cardinality: "many" },
      { key: "b", entity: "key:e", cardinality: "one" },
    ];
    const pairs = (...pair: string[]) => ({ key: "r", attributes: [], keyPairs: [pair.map((key) => `key:${key}`)] });
    const isReferring = (relationship: object, role: string) => isReferringRole(relationship as never, role);
    expect(isReferring({ ...pairs("parent", "id"), roles: [child, parent] }, "a")).toBe(true);
    expect(isReferring({ ...pairs("id", "parent"), roles: [parent, child] }, "b")).toBe(false);
  });
});
