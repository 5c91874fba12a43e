import { describe, expect, test } from "vitest";
import { pointers, problemOf, readContent } from "./reading.ts";

const id = (n: number): string => `0190b6c0-0000-7000-8000-${String(n).padStart(12, "0")}`;

/** As the ancestor writes it: members with their default value are left out, primary keys hold bare ids. */
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
  relationships: [{ id: id(30), key: "buys", roles: [] }],
  businessKeys: [
    { id: id(40), key: "a", entity: "key:customer", participants: ["key:code"] },
    { id: id(41), key: "b", entity: "key:customer", participants: ["key:note"] },
  ],
};

describe("the ancestor's model JSON version 3", () => {
  test("becomes a model; what has no place yet is a warning", async () => {
    const { document, warnings } = await readContent(exported);
    expect(document).toEqual({
      $schema: "urn:metaction:model:1",
      key: "crm",
      name: "CRM",
      version: "1.0.0",
      authority: "canonical",
      origin: "datasource:warehouse",
      types: [{ key: "it_s" }, { key: "string", name: "Text", description: "Any text" }],
      entities: [
        {
          key: "customer",
          name: "Customer",
          documentationHome: "https://example.org/customer",
          attributes: [
            { key: "code", type: "key:string", optional: false },
            { key: "note", description: "Free", type: "key:it_s", optional: true },
            { key: "region", type: "key:string", optional: false },
          ],
          primaryKey: ["key:region", "key:code"],
        },
        { key: "empty", attributes: [], primaryKey: [] },
      ],
    });
    expect(new Set(pointers(warnings))).toEqual(
      new Set([
        "/tags",
        "/types/1/key",
        "/entities/0/tags",
        "/entities/0/attributes/1/tags",
        "/relationships/0",
        "/businessKeys/0",
        "/businessKeys/1",
      ]),
    );
  });

  test("without name, version and authority takes the key, the first version and system", async () => {
    const { document } = await readContent({ key: "bare", $schema: exported.$schema });
    expect(document).toMatchObject({
      key: "bare",
      name: "bare",
      version: "0.0.1",
      authority: "system",
      types: [],
      entities: [],
    });
  });

  test("has texts that break our limits made to fit, with a warning", async () => {
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

  test("is refused where a ref names nothing", async () => {
    const entities = [{ key: "e", attributes: [{ key: "a", type: "key:none" }], primaryKey: [id(99)] }];
    const problem = await problemOf(readContent({ ...exported, entities }));
    expect(pointers(problem.members.errors)).toEqual(["/entities/0/attributes/0/type", "/entities/0/primaryKey/0"]);
  });
});
