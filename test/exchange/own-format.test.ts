import fc from "fast-check";
import { v7 } from "uuid";
import { describe, expect, test } from "vitest";
import { contentOf, documentOf } from "../../shared/domain/content.ts";
import type { EntityDocument, ModelDocument } from "../../shared/domain/document.ts";
import { objectsFromDocument } from "../../shared/domain/document-content.ts";
import { pointers, problemOf, readContent } from "./reading.ts";

/** The document a model would export, with ids. */
function exported(document: ModelDocument): ModelDocument {
  const content = contentOf(objectsFromDocument(document, v7));
  if (!content) throw new Error("no model");
  return documentOf(content);
}

/** A document without the ids of its objects. */
function withoutIds(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document, (member, value) => (member === "id" ? undefined : value)));
}

const key = fc.stringMatching(/^[ !#-&(-[\]-_a-~]{1,128}$/);
const name = fc.stringMatching(/^[^\r\n\u2028\u2029]{1,100}$/u).filter((s) => s.trim() !== "" && s.isWellFormed());
const text = fc.string({ unit: "grapheme", minLength: 1 }).filter((s) => s.trim() !== "");
const link = fc.webUrl();
const optional = { requiredKeys: [] };
const described = fc.record({ name, description: text }, optional);
const keys = (most: number) => fc.uniqueArray(key, { minLength: 1, maxLength: most });

const models: fc.Arbitrary<ModelDocument> = keys(4).chain((typeKeys) => {
  const attributes = keys(5).chain((list) =>
    fc.tuple(
      ...list.map((attributeKey) =>
        fc.tuple(described, fc.constantFrom(...typeKeys), fc.boolean()).map(([d, type, isOptional]) => ({
          key: attributeKey,
          ...d,
          type: `key:${type}`,
          optional: isOptional,
        })),
      ),
    ),
  );
  const entity = (entityKey: string): fc.Arbitrary<EntityDocument> =>
    fc
      .tuple(described, fc.record({ documentationHome: link, origin: link }, optional), attributes)
      .chain(([d, links, list]) =>
        fc
          .subarray(list.map((a) => `key:${a.key}`))
          .map((primaryKey) => ({ key: entityKey, ...d, ...links, attributes: list, primaryKey })),
      );
  return fc
    .tuple(
      key,
      name,
      fc.record({ description: text, documentationHome: link, origin: link }, optional),
      fc.constantFrom("system" as const, "canonical" as const),
      fc.tuple(...typeKeys.map((k) => described.map((d) => ({ key: k, ...d })))),
      keys(4).chain((list) => fc.tuple(...list.map(entity))),
    )
    .map(([modelKey, modelName, rest, authority, types, entities]) => ({
      $schema: "urn:metaction:model:1" as const,
      key: modelKey,
      name: modelName,
      ...rest,
      version: "1.2.3-rc.1",
      authority,
      types,
      entities,
    }));
});

describe("our own document", () => {
  test("comes back as it went out, up to ids, without a warning", async () => {
    await fc.assert(
      fc.asyncProperty(models, async (model) => {
        const out = exported(model);
        const { document, warnings } = await readContent(out);
        expect(warnings).toEqual([]);
        expect(document).toEqual(withoutIds(out));
        expect(withoutIds(exported(document))).toEqual(withoutIds(out));
      }),
      { numRuns: 200 },
    );
  });

  const small = {
    $schema: "urn:metaction:model:1",
    key: "crm",
    name: "CRM",
    version: "1.0.0",
    authority: "canonical",
    types: [{ id: "0190b6c0-0000-7000-8000-00000000000A", key: "string" }],
    entities: [
      {
        key: "customer",
        attributes: [
          { id: "0190b6c0-0000-7000-8000-00000000000b", key: "code", type: "id:0190b6c0-0000-7000-8000-00000000000a" },
          { key: "name", type: "key:string", optional: true },
        ],
        primaryKey: ["id:0190B6C0-0000-7000-8000-00000000000B", "key:name"],
      },
    ],
  };

  test("may use refs by an id that it gives itself", async () => {
    const { document } = await readContent(small);
    expect(document.entities).toEqual([
      {
        key: "customer",
        attributes: [
          { key: "code", type: "key:string", optional: false },
          { key: "name", type: "key:string", optional: true },
        ],
        primaryKey: ["key:code", "key:name"],
      },
    ]);
    expect(document.authority).toBe("canonical");
  });

  test("takes another key and name, and its lists in any order", async () => {
    const types = [{ key: "z" }, ...small.types, { key: "a" }];
    const { document } = await readContent({ ...small, types }, { modelKey: "copy", modelName: "Copy" });
    expect(document).toMatchObject({
      key: "copy",
      name: "Copy",
      types: [{ key: "a" }, { key: "string" }, { key: "z" }],
    });
  });

  test("warns about members it does not know", async () => {
    const { warnings } = await readContent({
      ...small,
      relationships: [{}],
      types: [{ key: "string", colour: "red" }],
      entities: [],
    });
    expect(pointers(warnings)).toEqual(["/relationships", "/types/0/colour"]);
  });

  test("is refused with every problem and its place", async () => {
    const broken = {
      ...small,
      types: [{ key: "string" }, { name: "no key" }, 5],
      entities: [
        {
          key: "a",
          name: 5,
          attributes: [{ key: "x", type: "key:nope" }, { key: "y", type: "string", optional: "yes" }, { key: "z" }],
          primaryKey: ["key:q", 4],
        },
        { key: "b", attributes: {}, primaryKey: "key:x" },
      ],
    };
    const problem = await problemOf(readContent(broken));
    expect(problem.code).toBe("invalid_content");
    expect(new Set(pointers(problem.members.errors))).toEqual(
      new Set([
        "/types/1/key",
        "/types/2",
        "/entities/0/name",
        "/entities/0/attributes/0/type",
        "/entities/0/attributes/1/type",
        "/entities/0/attributes/1/optional",
        "/entities/0/attributes/2/type",
        "/entities/0/primaryKey/0",
        "/entities/0/primaryKey/1",
        "/entities/1/attributes",
        "/entities/1/primaryKey",
      ]),
    );
  });

  test("is held to the keys, texts and refs that actions would take", async () => {
    const attribute = { key: "x", type: "key:string" };
    const problem = await problemOf(
      readContent({
        ...small,
        key: "it's",
        name: "two\nlines",
        version: "1",
        authority: "me",
        documentationHome: "nowhere",
        origin: "a b",
        types: [{ key: "string" }, { key: "string" }],
        entities: [
          {
            key: "a",
            name: "x".repeat(201),
            description: "é".repeat(50_001),
            attributes: [attribute, attribute],
            primaryKey: ["key:x", "key:x"],
          },
          { key: "a" },
        ],
      }),
    );
    expect(new Set(pointers(problem.members.errors))).toEqual(
      new Set([
        "/key",
        "/name",
        "/version",
        "/authority",
        "/documentationHome",
        "/origin",
        "/types/1/key",
        "/entities/0/name",
        "/entities/0/description",
        "/entities/0/attributes/1/key",
        "/entities/0/primaryKey/1",
        "/entities/1/key",
      ]),
    );
  });

  test("needs a key, which the caller may give", async () => {
    const { key: _, ...keyless } = small;
    expect(pointers((await problemOf(readContent(keyless))).members.errors)).toEqual(["/key"]);
    expect((await readContent(keyless, { modelKey: "given" })).document.key).toBe("given");
  });
});
