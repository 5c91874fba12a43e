import { describe, expect, test } from "vitest";
import { getDetails, listParts, pointers, problemOf, readContent } from "./reading.ts";

const id = (n: number) => `0190b6c0-0000-7000-8000-${String(n).padStart(12, "0")}`;

/** A model as the ancestor writes it: members with their default value are left out, primary keys hold bare ids. */
const exported = {
  id: id(1),
  key: "crm",
  $schema: "https://raw.githubusercontent.com/example/example/main/schemas/medatarun-model-3.0.json",
  version: "1.0.0",
  name: "CRM",
  origin: "datasource:warehouse",
  authority: "canonical",
  tags: [id(90)],
  types: [
    { id: id(2), key: "string", name: "Text", description: "Any text" },
    { id: id(3), key: "it's" },
  ],
  entities: [
    {
      id: id(10),
      key: "customer",
      name: "Customer",
      documentationHome: "https://example.org/customer",
      tags: [id(91)],
      attributes: [
        { id: id(11), key: "code", type: "key:string" },
        { id: id(12), key: "note", type: "key:it's", optional: true, description: "Free", tags: [id(92)] },
        { id: id(13), key: "region", type: `id:${id(2)}` },
      ],
      primaryKey: [id(13), id(11)],
    },
    { id: id(20), key: "empty" },
  ],
  relationships: [
    {
      id: id(30),
      key: 'the "boss"',
      description: "Who decides",
      roles: [
        { id: id(31), key: "boss", name: "Boss", entity: "key:customer", cardinality: "zeroOrOne" },
        { id: id(32), key: "it's", entity: `id:${id(20)}`, cardinality: "unknown" },
      ],
      attributes: [{ id: id(33), key: "since", type: "key:string", tags: [id(92)] }],
      tags: [id(91)],
    },
  ],
  businessKeys: [
    { id: id(40), key: "a", entity: "key:customer", participants: ["key:note", `id:${id(11)}`], name: "A" },
    { id: id(41), key: "a", entity: "key:empty" },
  ],
};

describe("the ancestor's model JSON version 3", () => {
  test("becomes a model; its tags, which are ids only, are warnings", async () => {
    const { document, warnings } = await readContent(exported);
    expect(document).toMatchObject({
      ...{ key: "crm", name: "CRM", version: "1.0.0", authority: "canonical", origin: "datasource:warehouse" },
      types: [{ key: "it_s" }, { key: "string" }],
      ...{ localTags: [], tagGroups: [] },
    });
    expect(document).not.toHaveProperty("tags");
    expect(listParts(document)).toEqual([
      "customer (code string, note it_s?, region string) region+code",
      "empty () ",
      "the _boss_: customer as boss zeroOrOne - empty as it_s unknown with since string",
      "unique a: note+code",
      "unique a_2: ",
    ]);
    expect(getDetails(document)).toEqual({
      customer: { name: "Customer", documentationHome: "https://example.org/customer" },
      "customer/note": { description: "Free" },
      "the _boss_": { description: "Who decides" },
      "type string": { name: "Text", description: "Any text" },
    });
    expect(document.relationships[0]?.roles[0]?.name).toBe("Boss");
    expect(document.businessKeys).toMatchObject([{ name: "A", entity: "key:customer" }, { entity: "key:empty" }]);
    expect(new Set(pointers(warnings))).toEqual(
      new Set([
        ...["/tags", "/types/1/key", "/entities/0/tags", "/entities/0/attributes/1/tags", "/relationships/0/key"],
        ...["/relationships/0/roles/1/key", "/relationships/0/tags", "/relationships/0/attributes/0/tags"],
        "/businessKeys/1/key",
      ]),
    );
  });

  test("without name, version and authority gets the key, the first version and system", async () => {
    const { document } = await readContent({ key: "bare", $schema: exported.$schema });
    const made = { key: "bare", name: "bare", version: "0.0.1", authority: "system", types: [], entities: [] };
    expect(document).toMatchObject(made);
  });

  test("has texts above our limits cut, with a warning", async () => {
    const { document, warnings } = await readContent({
      ...exported,
      tags: [],
      relationships: [],
      businessKeys: [],
      name: "two\nlines",
      origin: "has a space",
      types: [{ key: "string", name: "x".repeat(300) }],
      entities: [{ key: "e", documentationHome: "nowhere" }],
    });
    expect(document).toMatchObject({ name: "two lines", types: [{ name: `${"x".repeat(199)}…` }] });
    expect(pointers(warnings)).toEqual(["/name", "/origin", "/types/0/name", "/entities/0/documentationHome"]);
  });

  test("loses links with a password, which no message repeats", async () => {
    const { document, warnings } = await readContent({
      ...exported,
      ...{ tags: [], relationships: [], businessKeys: [], types: [] },
      origin: "postgres://ada:hunter2@db.example/warehouse",
      entities: [{ key: "e", documentationHome: "https://ada:hunter2@example.org/", attributes: [] }],
    });
    expect(pointers(warnings)).toEqual(["/origin", "/entities/0/documentationHome"]);
    expect(JSON.stringify([document, warnings])).not.toContain("hunter2");
  });

  test("is refused with a dangling ref", async () => {
    const entities = [{ key: "e", attributes: [{ key: "a", type: "key:none" }], primaryKey: [id(99)] }];
    const relationships = [{ key: "r", roles: [{ key: "x", entity: "key:e", cardinality: "one" }, { key: "y" }] }];
    const businessKeys = [{ key: "b", entity: "key:e", participants: ["key:z"] }];
    const problem = await problemOf(readContent({ ...exported, entities, relationships, businessKeys }));
    expect(new Set(pointers(problem.members.errors))).toEqual(
      new Set([
        "/entities/0/attributes/0/type",
        "/entities/0/primaryKey/0",
        "/relationships/0/roles/1/entity",
        "/businessKeys/0/participants/0",
      ]),
    );
  });
});
