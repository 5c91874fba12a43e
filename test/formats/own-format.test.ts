import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RelationshipDocument } from "../../shared/domain/document/document.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { countObjects } from "../../shared/formats/common/document-size.ts";
import { exported, models, withoutIds } from "./documents.ts";
import { pointers, problemOf, readContent } from "./reading.ts";

/** The lists of a document whose order says nothing. */
const LISTS = new Set([
  "types",
  "entities",
  "relationships",
  "roles",
  "businessKeys",
  "localTags",
  "tagGroups",
  "tags",
]);

describe("our own document", () => {
  test("is equal for equal models, in any order of its lists", () => {
    // Pairs are in the order of the roles.
    const turned = ({ keyPairs, ...relationship }: RelationshipDocument) =>
      keyPairs ? { ...relationship, keyPairs: keyPairs.map(([first, second]) => [second, first]) } : relationship;
    const shuffled = (document: unknown): unknown =>
      JSON.parse(
        JSON.stringify(document, (member, value) => {
          if (member === "relationships") return value.map(turned).toReversed();
          return LISTS.has(member) ? value.toReversed() : value;
        }),
      );
    fc.assert(
      fc.property(models, (model) => {
        // Reversed lists are a document of the same model.
        const other = exported(shuffled(model) as typeof model);
        expect(JSON.stringify(withoutIds(other))).toBe(JSON.stringify(withoutIds(exported(model))));
      }),
    );
  });

  test("is unchanged after import and export, except for ids, without a warning", async () => {
    await fc.assert(
      fc.asyncProperty(models, async (model) => {
        const out = exported(model);
        const { document, warnings } = await readContent(out);
        expect(warnings).toEqual([]);
        const { $schema, tagGroups: _, ...kept } = document;
        const { tagGroups: _g, ...sent } = out;
        // Ids stay, so that a model can be told what became of its objects; tags of groups are found by their keys.
        expect({ $schema, ...kept }).toEqual(sent);
        expect(withoutIds(document)).toEqual(withoutIds(out));
        // Byte for byte.
        expect(JSON.stringify(withoutIds(exported(document)))).toBe(JSON.stringify(withoutIds(out)));
      }),
      { numRuns: 1_000, endOnFailure: true },
    );
  });

  const small = {
    $schema: "urn:metaction:model:2",
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

  test("may use refs by its own ids", async () => {
    const { document } = await readContent(small);
    expect(withoutIds(document.entities)).toEqual([
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

  test("of the first version is read as before", async () => {
    const first = { ...small, $schema: "urn:metaction:model:1" };
    expect(await readContent(first)).toEqual(await readContent(small));
    expect((await readContent(first)).document.$schema).toBe("urn:metaction:model:2");
    const attributes = [{ key: "code", type: "key:string", constraints: { maxLength: 8 } }];
    const entities = [{ key: "customer", attributes }];
    const types = [{ key: "string" }];
    const { document, warnings } = await readContent({ ...first, types, entities });
    expect(document.entities[0]?.attributes).toEqual([{ key: "code", type: "key:string", optional: false }]);
    expect(warnings).toMatchObject([{ detail: "is not imported", pointers: ["/entities/0/attributes/0/constraints"] }]);
    const second = await readContent({ ...small, types, entities });
    expect(second.document.entities[0]?.attributes).toMatchObject(attributes);
    expect(second.warnings).toEqual([]);
  });

  test("is refused with unknown members, each different one with the nearest name", async () => {
    const attributes = [{ key: "code", type: "key:string", contraints: { maxLength: 8 } }];
    const entities = [
      { key: "a", descripton: "A.", atributes: [], primarykey: [], tag: [], attributes },
      { key: "b", descripton: "B.", attributes, property: {}, "x-other~/": null },
    ];
    const content = { ...small, types: [{ key: "string" }], entities };
    const said = [
      ["/entities/0/descripton", 'unknown member "descripton", did you mean "description"?'],
      ["/entities/0/atributes", 'unknown member "atributes", did you mean "attributes"?'],
      ["/entities/0/primarykey", 'unknown member "primarykey", did you mean "primaryKey"?'],
      ["/entities/0/tag", 'unknown member "tag", did you mean "tags"?'],
      ["/entities/0/attributes/0/contraints", 'unknown member "contraints", did you mean "constraints"?'],
      ["/entities/1/property", expect.stringContaining('unknown member "property"')],
      ["/entities/1/x-other~0~1", 'unknown member "x-other~/"'],
    ];
    const { code, members } = await problemOf(readContent(content));
    const { errors } = members;
    expect([code, errors?.map(({ pointer }) => pointer)]).toEqual([
      "invalid_content",
      said.map(([pointer]) => pointer),
    ]);
    expect(errors?.[0]?.detail).toBe(`${said[0]?.[1]} (2 times); allowUnknown ignores it`);
    expect(errors?.[1]?.detail).toBe(`${said[1]?.[1]}; allowUnknown ignores it`);
    const { document, warnings } = await readContent(content, { allowUnknown: true });
    expect(document.entities.map(({ key, description }) => [key, description])).toEqual([
      ["a", undefined],
      ["b", undefined],
    ]);
    expect(warnings.map(({ pointers: [first], detail }) => [first, detail])).toEqual(said);
  });

  test("can be imported under another key and name, with its lists in any order", async () => {
    const types = [{ key: "z" }, ...small.types, { key: "a" }];
    const { document } = await readContent({ ...small, types }, { modelKey: "copy", modelName: "Copy" });
    expect(document).toMatchObject({
      key: "copy",
      name: "Copy",
      types: [{ key: "a" }, { key: "string" }, { key: "z" }],
    });
  });

  test("warns about unknown members, at any depth, where these are permitted", async () => {
    const { warnings } = await readContent(
      {
        ...small,
        views: [{}],
        types: [{ key: "string", colour: "red" }],
        entities: [],
        localTags: [{ key: "a", scope: "b" }],
        tagGroups: [{ key: "g", tags: [{ key: "t", x: 1 }], y: 2 }],
      },
      { allowUnknown: true },
    );
    expect(new Set(pointers(warnings))).toEqual(
      new Set(["/views", "/localTags/0/scope", "/tagGroups/0/tags/0/x", "/tagGroups/0/y", "/types/0/colour"]),
    );
  });

  test("is refused with every problem and its pointer", async () => {
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

  test("is checked against the rules of actions for keys, texts and refs", async () => {
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

  test("requires a key, which the caller may give", async () => {
    const { key: _, ...keyless } = small;
    expect(pointers((await problemOf(readContent(keyless))).members.errors)).toEqual(["/key"]);
    expect((await readContent(keyless, { modelKey: "given" })).document.key).toBe("given");
  });

  const structured = {
    ...small,
    tags: ["id:0190b6c0-0000-7000-8000-0000000000AA"],
    entities: [{ id: "0190b6c0-0000-7000-8000-000000000001", ...small.entities[0], tags: ["key:g/t", "key:a"] }],
    relationships: [
      {
        key: "knows",
        roles: [
          { key: "who", entity: "id:0190b6c0-0000-7000-8000-000000000001", cardinality: "many" },
          { key: "whom", name: "Whom", entity: "key:customer", cardinality: "zeroOrOne" },
        ],
        attributes: [{ key: "since", type: "key:string", tags: ["key:a"] }],
      },
    ],
    businessKeys: [
      { key: "by name", entity: "key:customer", participants: ["key:name", "id:0190b6c0-0000-7000-8000-00000000000b"] },
      { key: "none", entity: "key:customer" },
    ],
    localTags: [{ key: "a", name: "A" }],
    tagGroups: [{ key: "g", tags: [{ id: "0190b6c0-0000-7000-8000-0000000000aa", key: "t" }] }],
  };

  test("contains relationships, business keys and tags", async () => {
    const { document, warnings } = await readContent(structured);
    expect(warnings).toEqual([]);
    expect(document).toMatchObject({
      tags: ["key:g/t"],
      entities: [{ tags: ["key:a", "key:g/t"] }],
      relationships: [
        {
          key: "knows",
          roles: [
            { key: "who", entity: "key:customer", cardinality: "many" },
            { key: "whom", name: "Whom", entity: "key:customer", cardinality: "zeroOrOne" },
          ],
          attributes: [{ key: "since", type: "key:string", optional: false, tags: ["key:a"] }],
        },
      ],
      businessKeys: [
        { key: "by name", entity: "key:customer", participants: ["key:name", "key:code"] },
        { key: "none", entity: "key:customer", participants: [] },
      ],
      localTags: [{ key: "a", name: "A" }],
      tagGroups: [{ key: "g", tags: [{ key: "t" }] }],
    });
  });

  test("is refused with dangling refs in them, each with its pointer", async () => {
    const problem = await problemOf(
      readContent({
        ...structured,
        tags: ["key:b", "a", 5],
        entities: [{ ...small.entities[0], tags: "key:a" }],
        relationships: [
          {
            key: "knows",
            tags: ["key:g/u"],
            roles: [{ key: "x", entity: "key:nobody", cardinality: 2 }, "y"],
            attributes: [{ key: "since", type: "key:date" }],
          },
          { roles: {} },
        ],
        businessKeys: [
          { key: "a", entity: "key:nobody", participants: ["key:any"] },
          { key: "b", participants: [] },
          { key: "c", entity: "key:customer", participants: ["key:z", 1] },
          { key: "d", entity: "key:customer", participants: "key:code" },
        ],
        tagGroups: [{ key: "g", tags: ["t"] }, 7],
        localTags: [{ key: "a" }, {}],
      }),
    );
    expect(new Set(pointers(problem.members.errors))).toEqual(
      new Set([
        "/tags/0",
        "/tags/1",
        "/tags/2",
        "/entities/0/tags",
        "/relationships/0/tags/0",
        "/relationships/0/roles/0/entity",
        "/relationships/0/roles/0/cardinality",
        "/relationships/0/roles/1",
        "/relationships/0/attributes/0/type",
        "/relationships/1/key",
        "/businessKeys/0/entity",
        "/businessKeys/1/entity",
        "/businessKeys/2/participants/0",
        "/businessKeys/2/participants/1",
        "/businessKeys/3/participants",
        "/tagGroups/0/tags/0",
        "/tagGroups/1",
        "/localTags/1/key",
      ]),
    );
  });

  test("is checked against the rules of actions for keys, cardinalities and counts", async () => {
    const role = { entity: "key:customer", cardinality: "many" };
    const roles = (n: number) => Array.from({ length: n }, (_, i) => ({ ...role, key: `r${i}` }));
    const attributes = Array.from({ length: LIMITS.businessKeyParticipants + 1 }, (_, i) => ({
      key: `a${i}`,
      type: "key:string",
    }));
    const all = attributes.map((a) => `key:${a.key}`);
    const problem = await problemOf(
      readContent({
        ...small,
        tags: ["key:a", "key:a"],
        entities: [{ key: "customer", attributes, tags: ["key:g/t", "key:g/t"] }],
        relationships: [
          { key: "one", roles: roles(1) },
          {
            key: "one",
            roles: [
              { ...role, key: "x" },
              { ...role, key: "x", cardinality: "some" },
            ],
          },
          { key: "it's", roles: roles(LIMITS.relationshipRoles + 1) },
          { key: "none" },
          {
            key: "fine",
            roles: roles(LIMITS.relationshipRoles),
            tags: ["key:a", "key:a"],
            attributes: [{ ...attributes[0], tags: ["key:a", "key:a"] }, attributes[0]],
          },
        ],
        businessKeys: [
          { key: "fine", entity: "key:customer", participants: all.slice(1) },
          { key: "many", entity: "key:customer", participants: all },
          { key: "twice", entity: "key:customer", participants: ["key:a1", "key:a1"], name: "two\nlines" },
          { key: "fine", entity: "key:customer" },
        ],
        localTags: [{ key: "a" }, { key: "a b" }, { key: "a" }],
        tagGroups: [
          { key: "g", tags: [{ key: "t" }, { key: "t/u" }, { key: "t" }] },
          { key: "g/h", tags: [] },
          { key: "g", tags: [] },
        ],
      }),
    );
    expect(new Set(pointers(problem.members.errors))).toEqual(
      new Set([
        "/tags/1",
        "/entities/0/tags/1",
        "/relationships/0/roles",
        "/relationships/1/key",
        "/relationships/1/roles/1/key",
        "/relationships/1/roles/1/cardinality",
        "/relationships/2/key",
        "/relationships/2/roles",
        "/relationships/3/roles",
        "/relationships/4/tags/1",
        "/relationships/4/attributes/0/tags/1",
        "/relationships/4/attributes/1/key",
        "/businessKeys/1/participants",
        "/businessKeys/2/participants/1",
        "/businessKeys/2/name",
        "/businessKeys/3/key",
        "/localTags/1/key",
        "/localTags/2/key",
        "/tagGroups/0/tags/1/key",
        "/tagGroups/0/tags/2/key",
        "/tagGroups/1/key",
        "/tagGroups/2/key",
      ]),
    );
  });

  test("counts all its objects against the limit of a job", async () => {
    const { document } = await readContent(structured);
    // The model, a type, an entity with two attributes, a relationship with one, two business keys and a tag.
    expect(countObjects(document)).toBe(1 + 1 + 3 + 2 + 2 + 1);
    const localTags = Array.from({ length: LIMITS.objectsPerJob }, () => ({ key: "a" }));
    expect((await problemOf(readContent({ ...structured, localTags }))).code).toBe("too_large");
  });
});
