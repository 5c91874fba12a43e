import { describe, expect, test } from "vitest";
import { getDetails, listParts, pointers, problemOf, readContent } from "./reading.ts";

describe("a Data Package", () => {
  const offices = { name: "offices", path: "offices.csv", schema: { fields: [{ name: "code" }], primaryKey: "code" } };

  test("becomes a model with one entity for each resource that has a schema", async () => {
    const { document, warnings } = await readContent({
      $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
      name: "crm",
      title: "CRM",
      description: "Customers",
      homepage: "https://example.org",
      version: "3.1.0",
      resources: [
        {
          name: "people",
          type: "table",
          title: "People",
          description: "Who",
          homepage: "https://example.org/people",
          schema: { fields: [{ name: "id", type: "integer", constraints: { required: true } }], primaryKey: ["id"] },
        },
        { name: "offices", schema: { fields: [{ name: "code", type: "any" }] } },
        { name: "readme", path: "README.md" },
      ],
    });
    expect(document).toMatchObject({
      ...{ key: "crm", name: "CRM", description: "Customers", documentationHome: "https://example.org" },
      ...{ version: "3.1.0", authority: "system" },
    });
    expect(document).not.toHaveProperty("origin");
    expect(document.types).toHaveLength(15);
    expect(listParts(document)).toEqual(["offices (code any?) ", "people (id integer) id"]);
    expect(getDetails(document)).toEqual({
      people: {
        ...{ name: "People", description: "Who", documentationHome: "https://example.org/people" },
        properties: { "frictionless:type": "table", "frictionless:primaryKey": ["id"] },
      },
    });
    expect(warnings.map((w) => [w.pointers, w.detail])).toEqual([
      [["/resources/2"], "the resource has no schema, so it is kept as a property"],
    ]);
    expect(document.properties).toEqual({
      "frictionless:$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
      "frictionless:descriptor": "data-package",
      "frictionless:resources": [{ name: "readme", path: "README.md" }],
    });
  });

  test("gives resources of one name different keys, with a warning", async () => {
    const resources = [
      { name: "a", schema: { fields: [] } },
      { name: "a", title: "Second", schema: { fields: [] } },
      { schema: { fields: [] } },
      { schema: { fields: [], name: "été" } },
    ];
    const { document, warnings } = await readContent({ name: "p", resources });
    expect(listParts(document)).toEqual(["a () ", "a_2 () ", "ete () ", "unknown () "]);
    expect(getDetails(document)).toMatchObject({ a_2: { name: "Second" }, ete: { name: "été" } });
    const places = pointers(warnings).filter((p) => !p.endsWith("fields"));
    expect(places).toEqual(["/resources/2", "/resources/1/name", "/resources/3/schema/name"]);
  });

  test("prefers the resource's name and title to those of its schema, and keeps both", async () => {
    const schema = { name: "inner", title: "Inner", description: "Only here", fields: [{ name: "a" }] };
    const resources = [{ name: "outer", title: "Outer", schema }];
    const { document, warnings } = await readContent({ name: "p", resources });
    expect(document.entities[0]).toMatchObject({ key: "outer", name: "Outer", description: "Only here" });
    expect(document.entities[0]?.properties).toEqual({
      "frictionless:inSchema": ["description"],
      "frictionless:schemaMembers": { name: "inner", title: "Inner" },
    });
    expect(warnings).toEqual([]);
  });

  test("keeps misplaced members with a warning, and everything else", async () => {
    const { document, warnings } = await readContent({
      name: "p",
      profile: "tabular-data-package",
      id: "doi:1",
      licenses: "CC0",
      created: "2020-01-01",
      custom: { a: 1 },
      resources: [
        {
          ...offices,
          profile: "tabular-data-resource",
          format: "csv",
          dialect: { delimiter: ";" },
          primaryKeys: ["code"],
          foreignKeys: [{ fields: ["code"], reference: { resource: "x", fields: ["y"] } }],
          licenses: [{}],
          schema: { ...offices.schema, $schema: "x" },
        },
      ],
    });
    expect(document.entities[0]?.primaryKey).toEqual(["key:code"]);
    expect(document.properties).toEqual({
      "frictionless:descriptor": "data-package",
      "frictionless:profile": "tabular-data-package",
      "frictionless:id": "doi:1",
      "frictionless:licenses": "CC0",
      created: "2020-01-01",
      custom: { a: 1 },
    });
    expect(document.entities[0]?.properties).toEqual({
      "frictionless:path": "offices.csv",
      "frictionless:profile": "tabular-data-resource",
      "frictionless:format": "csv",
      "frictionless:dialect": { delimiter: ";" },
      primaryKeys: ["code"],
      foreignKeys: [{ fields: ["code"], reference: { resource: "x", fields: ["y"] } }],
      licenses: [{}],
      "frictionless:$schema": "x",
      "frictionless:inSchema": ["frictionless:$schema"],
    });
    expect(warnings.map(({ code, pointers }) => [code, ...pointers])).toEqual([
      ["kept_as_property", "/licenses"],
      ["assumed", "/resources/0/schema/primaryKey"],
      ["likely_typo", "/resources/0/primaryKeys"],
      ["kept_as_property", "/resources/0/foreignKeys"],
    ]);
  });

  test("of version 2 warns about fields without a type", async () => {
    const $schema = "https://datapackage.org/profiles/2.0/datapackage.json";
    const resources = [{ name: "a", schema: { fields: [{ name: "x" }] } }];
    const { warnings } = await readContent({ $schema, name: "p", resources });
    expect(pointers(warnings)).toEqual(["/resources/0/schema/fields/0"]);
  });

  test("is refused with every problem and its pointer", async () => {
    const resources = [
      "a",
      { name: "b", schema: 5 },
      { name: "c", schema: {} },
      { name: "d", schema: "schemas/d.json" },
      { name: "e", schema: { fields: [{ name: "x", type: "uuid" }] } },
    ];
    const problem = await problemOf(readContent({ name: "p", resources }));
    expect(problem.code).toBe("invalid_content");
    const places = ["0", "1/schema", "2/schema/fields", "3/schema", "4/schema/fields/0/type"];
    expect(pointers(problem.members.errors).toSorted()).toEqual(places.map((place) => `/resources/${place}`));
    const relative = problem.members.errors?.find((e) => e.pointer === "/resources/3/schema");
    expect(relative?.detail).toMatch(/"schemas\/d.json" is relative to the package/);
  });

  const empty = [{ resources: [] }, { resources: {} }, { resources: "x" }, { resources: null }];
  test.each(empty)("%j has no resource", async (source) => {
    const problem = await problemOf(readContent(source));
    expect(problem).toMatchObject({ code: "invalid_content", members: { errors: [{ pointer: "/resources" }] } });
  });
});
