import { describe, expect, test } from "vitest";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { appendPath, toOrigin } from "../../shared/formats/common/source-path.ts";
import { readContent } from "./reading.ts";

function originsOf({ origin, types, entities, relationships, businessKeys, localTags }: ModelDocument) {
  const of = (list: readonly { readonly key: string; readonly origin?: string }[], sort: string) =>
    list.map((one) => [`${sort} ${one.key}`, one.origin] as const);
  return Object.fromEntries(
    [
      ["model", origin] as const,
      ...of(types, "type"),
      ...of(entities, "entity"),
      ...entities.flatMap((e) => of(e.attributes, `attribute ${e.key}`)),
      ...of(relationships, "relationship"),
      ...of(businessKeys, "business key"),
      ...of(localTags, "tag"),
    ].filter(([, one]) => one !== undefined),
  );
}

const code = { name: "code é/1", constraints: { unique: true } };

describe("the origin of an object", () => {
  test("of a Data Package is the label and the path of names in the package", async () => {
    const foreignKeys = [{ fields: ["code é/1"], reference: { resource: "shops & co", fields: ["code é/1"] } }];
    const source = {
      name: "p",
      keywords: ["Öffentlich"],
      resources: [
        { name: "shops & co", schema: { fields: [code] } },
        { name: "sales", schema: { fields: [{ name: "code é/1" }], foreignKeys } },
      ],
    };
    const { document } = await readContent(source, { source: "https://example.com/p.json" });
    const at = "https://example.com/p.json#";
    expect(originsOf(document)).toEqual({
      model: "https://example.com/p.json",
      "entity shops & co": `${at}/shops%20%26%20co`,
      "entity sales": `${at}/sales`,
      "attribute shops & co code e/1": `${at}/shops%20%26%20co/code%20%C3%A9~11`,
      "attribute sales code e/1": `${at}/sales/code%20%C3%A9~11`,
      "relationship sales_code e/1": `${at}/sales/foreignKeys/code%20%C3%A9~11`,
      "business key shops & co_code e/1": `${at}/shops%20%26%20co/uniqueKeys/code%20%C3%A9~11`,
      "tag Offentlich": `${at}/keywords/%C3%96ffentlich`,
    });
  });

  test("of a Table Schema is the table itself", async () => {
    const { document } = await readContent({ name: "t", fields: [code] }, { source: "dwh" });
    expect(originsOf(document)).toEqual({
      model: "dwh",
      "entity t": "dwh",
      "attribute t code e/1": "dwh#/code%20%C3%A9~11",
      "business key t_code e/1": "dwh#/uniqueKeys/code%20%C3%A9~11",
    });
  });

  test("is absent if the source has no label", async () => {
    const { document } = await readContent({ name: "t", keywords: ["k"], fields: [code] });
    expect(originsOf(document)).toEqual({});
  });

  test("is kept in our own document", async () => {
    const { document } = await readContent({ name: "t", fields: [code] }, { source: "dwh" });
    expect(originsOf((await readContent(document, { source: "other" })).document)).toEqual(originsOf(document));
  });

  test("is absent if it would be longer than a URL may be", () => {
    const place = { label: "dwh", path: [] };
    const longest = "x".repeat(LIMITS.urlCharacters - "dwh#/".length);
    expect(toOrigin(appendPath(place, longest)).origin).toHaveLength(LIMITS.urlCharacters);
    expect(toOrigin(appendPath(place, `${longest}x`))).toEqual({});
  });
});

describe("the former key of an object", () => {
  const named = (renamedFrom: unknown) => ({
    $schema: "urn:metaction:model:2",
    key: "crm",
    types: [{ key: "text", renamedFrom: "string" }],
    entities: [{ key: "a", renamedFrom, attributes: [{ key: "x", type: "key:text", renamedFrom: "y" }] }],
  });

  test("is read, but not stored", async () => {
    const { document, warnings } = await readContent(named("b"));
    expect(warnings).toEqual([]);
    expect(document.entities).toMatchObject([{ key: "a", renamedFrom: "b", attributes: [{ renamedFrom: "y" }] }]);
    expect(document.types).toMatchObject([{ key: "text", renamedFrom: "string" }]);
  });

  test("is unknown in the first version of documents", async () => {
    const first = { ...named("b"), $schema: "urn:metaction:model:1" };
    const { document, warnings } = await readContent(first, { allowUnknown: true });
    expect(document.entities[0]).not.toHaveProperty("renamedFrom");
    expect(warnings).toMatchObject([{ pointers: expect.arrayContaining(["/entities/0/renamedFrom"]) }]);
  });
});
