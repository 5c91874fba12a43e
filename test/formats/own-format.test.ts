import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RelationshipDocument } from "../../shared/domain/document/document.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { countObjects } from "../../shared/formats/common/document-size.ts";
import { exported, models, withoutIds } from "./documents.ts";
import { getDetails, listParts, pointers, problemOf, readContent } from "./reading.ts";

const LISTS = /^(types|entities|relationships|roles|businessKeys|localTags|tagGroups|tags)$/;

describe("our own document", () => {
  test("is equal for equal models, in any order of its lists", () => {
    // Pairs are in the order of the roles.
    const turned = ({ keyPairs, ...relationship }: RelationshipDocument) =>
      keyPairs ? { ...relationship, keyPairs: keyPairs.map(([first, second]) => [second, first]) } : relationship;
    const shuffled = (document: unknown): unknown =>
      JSON.parse(
        JSON.stringify(document, (member, value) => {
          if (member === "relationships") return value.map(turned).toReversed();
          return LISTS.test(member) ? value.toReversed() : value;
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
      { numRuns: 300, endOnFailure: true },
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

  test("is read with notes about omitted and cleared members, if the caller wants them", async () => {
    const first = { key: "a", name: "A", description: null, tags: [], properties: {}, attributes: [] };
    const entities = [first, { key: "b", properties: null, attributes: null, primaryKey: [] }];
    const { document } = await readContent({ ...small, entities }, { notes: true });
    const [a, b] = document.entities.map(({ leftOut, cleared }) => ({ leftOut, cleared }));
    expect(a).toEqual({ leftOut: ["primaryKey"], cleared: ["description", "tags"] });
    expect(b).toEqual({ leftOut: ["attributes"], cleared: ["properties"] });
  });

  test("can be imported under another key and name, with its lists in any order", async () => {
    const types = [{ key: "z" }, ...small.types, { key: "a" }];
    const { document } = await readContent({ ...small, types }, { modelKey: "copy", modelName: "Copy" });
    const sorted = [{ key: "a" }, { key: "string" }, { key: "z" }];
    expect(document).toMatchObject({ key: "copy", name: "Copy", types: sorted });
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
    const found = ["/localTags/0/scope", "/tagGroups/0/tags/0/x", "/tagGroups/0/y", "/types/0/colour", "/views"];
    expect(pointers(warnings).toSorted()).toEqual(found);
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

  test("may use refs by its own ids, in relationships, keys and tags too", async () => {
    const { document, warnings } = await readContent(structured);
    expect(warnings).toEqual([]);
    expect(document).toMatchObject({
      ...{ authority: "canonical", tags: ["key:g/t"] },
      relationships: [{ roles: [{}, { key: "whom", name: "Whom" }] }],
      localTags: [{ key: "a", name: "A" }],
      tagGroups: [{ key: "g", tags: [{ key: "t" }] }],
    });
    expect(listParts(document)).toEqual([
      "customer (code string, name string?) code+name",
      "knows: customer as who many - customer as whom zeroOrOne with since string",
      "unique by name: name+code",
      "unique none: ",
    ]);
    expect(getDetails(document)).toEqual({
      customer: { tags: ["key:a", "key:g/t"] },
      "knows/since": { tags: ["key:a"] },
    });
  });

  test("counts all its objects against the limit of a job", async () => {
    const { document } = await readContent(structured);
    // The model, a type, an entity with two attributes, a relationship with one, two business keys and a tag.
    expect(countObjects(document)).toBe(1 + 1 + 3 + 2 + 2 + 1);
    const localTags = Array.from({ length: LIMITS.objectsPerJob }, () => ({ key: "a" }));
    expect((await problemOf(readContent({ ...structured, localTags }))).code).toBe("too_large");
  });
});

const attribute = { key: "x", type: "key:string" };
const role = { entity: "key:a", cardinality: "many" };
const attributes = Array.from({ length: LIMITS.businessKeyParticipants + 1 }, (_, i) => ({
  ...attribute,
  key: `a${i}`,
}));
const refs = attributes.map(({ key }) => `key:${key}`);
const roles = (count: number) => Array.from({ length: count }, (_, i) => ({ ...role, key: `r${i}` }));
const join = (...keyPairs: unknown[]) => ({ key: "s", roles: roles(2), keyPairs });

/** A valid document with two objects of each kind, as many roles and participants as there may be. */
const VALID = {
  $schema: "urn:metaction:model:2",
  key: "m",
  tags: ["key:t", "key:g/u"],
  types: [{ key: "string" }, { key: "date" }],
  entities: [
    { key: "a", tags: ["key:t", "key:g/u"], attributes, primaryKey: ["key:a0", "key:a1"] },
    ...["b", "c"].map((key) => ({ key, attributes: [attribute, { ...attribute, key: "y" }] })),
    { key: "d" },
  ],
  relationships: [
    {
      key: "r",
      roles: roles(LIMITS.relationshipRoles),
      tags: ["key:t", "key:g/u"],
      attributes: attributes.slice(0, 2),
    },
    join(["key:a0", "key:a1"], ["key:a1", "key:a1"]),
  ],
  businessKeys: [
    { key: "k", entity: "key:a", participants: refs.slice(1) },
    { key: "l", entity: "key:b", participants: ["key:x", "key:y"] },
  ],
  localTags: [{ key: "t" }, { key: "v" }],
  tagGroups: [{ key: "g", tags: [{ key: "u" }, { key: "w" }] }, { key: "h" }],
};

/** Returns a copy of the valid document with another value at a JSON pointer; `undefined` removes it. */
function replaceAt(pointer: string, value: unknown): object {
  const copy = JSON.parse(JSON.stringify(VALID));
  const steps = pointer.split("/").slice(1);
  const last = steps.pop() ?? "";
  const owner = steps.reduce((part, step) => part[step], copy);
  owner[last] = value;
  return JSON.parse(JSON.stringify(copy));
}

describe("a value that a document of ours may not have", () => {
  test("is not in the valid document", async () => {
    const pairs = (await readContent(VALID)).document.relationships[1]?.keyPairs;
    expect(pairs?.flat()).toEqual(["key:a0", "key:a1", "key:a1", "key:a1"]);
  });

  test.each<[pointer: string, value: unknown, fault?: string]>([
    ["/key", "it's"],
    ["/name", "two\nlines"],
    ["/version", "1"],
    ["/authority", "me"],
    ["/documentationHome", "nowhere"],
    ["/origin", "a b"],
    ["/tags/0", "key:b"],
    ["/tags/0", "a"],
    ["/tags/0", 5],
    ["/tags/1", "key:t"],
    ["/types/1", 5],
    ["/types/1", { name: "no key" }, "/types/1/key"],
    ["/types/1/key", "string"],
    ["/entities/0/name", 5],
    ["/entities/0/name", "x".repeat(201)],
    ["/entities/0/description", "é".repeat(50_001)],
    ["/entities/0/tags", "key:t"],
    ["/entities/0/tags/1", "key:t"],
    ["/entities/0/primaryKey/0", "key:q"],
    ["/entities/0/primaryKey/0", 4],
    ["/entities/0/primaryKey/1", "key:a0"],
    ["/entities/3/key", "c"],
    ["/entities/2/attributes", {}],
    ["/entities/2/attributes/1/key", "x"],
    ["/entities/1/attributes/0/type", "key:nope"],
    ["/entities/1/attributes/0/type", "string"],
    ["/entities/1/attributes/0/type", undefined],
    ["/entities/1/attributes/0/optional", "yes"],
    ["/entities/1/primaryKey", "key:x"],
    ["/entities/1/renamedFrom", 7],
    ["/relationships/0/tags/0", "key:g/t"],
    ["/relationships/0/tags/1", "key:t"],
    ["/relationships/0/roles", roles(1)],
    ["/relationships/0/roles", roles(LIMITS.relationshipRoles + 1)],
    ["/relationships/0/roles", undefined],
    ["/relationships/0/roles/0/entity", "key:nobody"],
    ["/relationships/0/roles/0/cardinality", 2],
    ["/relationships/0/roles/0/cardinality", "some"],
    ["/relationships/0/roles/1", "y"],
    ["/relationships/0/roles/1/key", "r0"],
    ["/relationships/0/attributes/0/type", "key:nope"],
    ["/relationships/0/attributes/0/tags", ["key:t", "key:t"], "/relationships/0/attributes/0/tags/1"],
    ["/relationships/0/attributes/1/key", "a0"],
    ["/relationships/1", { roles: {} }, "/relationships/1/key"],
    ["/relationships/1/key", "it's"],
    ["/relationships/1/key", "r"],
    ["/relationships/1", join(["key:a0", "key:z"]), "/relationships/1/keyPairs/0/1"],
    ["/relationships/1", join(["key:a0", "key:a1"], ["key:a0", "key:a1"]), "/relationships/1/keyPairs/1"],
    ["/relationships/1", { ...join(["key:a0", "key:a1"]), roles: roles(3) }, "/relationships/1/keyPairs"],
    ["/relationships/1", join(["key:a0"]), "/relationships/1/keyPairs/0"],
    ["/relationships/1", join("key:a0"), "/relationships/1/keyPairs/0"],
    ["/relationships/1", join(["key:a0", 1]), "/relationships/1/keyPairs/0/1"],
    ["/relationships/1/keyPairs", "key:a0"],
    ["/businessKeys/0/participants", refs],
    ["/businessKeys/1/key", "k"],
    ["/businessKeys/1/name", "two\nlines"],
    ["/businessKeys/1/entity", undefined],
    ["/businessKeys/1/entity", "key:nobody"],
    ["/businessKeys/1/participants", "key:x"],
    ["/businessKeys/1/participants/0", "key:z"],
    ["/businessKeys/1/participants/0", 1],
    ["/businessKeys/1/participants/1", "key:x"],
    ["/localTags/1", {}, "/localTags/1/key"],
    ["/localTags/1/key", "a b"],
    ["/localTags/1/key", "t"],
    ["/tagGroups/0/tags/1", "t"],
    ["/tagGroups/0/tags/1/key", "t/u"],
    ["/tagGroups/0/tags/1/key", "u"],
    ["/tagGroups/1", 7],
    ["/tagGroups/1/key", "g/h"],
    ["/tagGroups/1/key", "g"],
  ])("is refused with its pointer: %s (%#)", async (pointer, value, fault = pointer) => {
    const { code, members } = await problemOf(readContent(replaceAt(pointer, value)));
    expect([code, pointers(members.errors)]).toEqual(["invalid_content", [fault]]);
  });
});

test("key pairs are unknown in the first version of documents, and an empty list is none", async () => {
  const first = await readContent({ ...VALID, $schema: "urn:metaction:model:1" });
  expect(first.document.relationships[1]).not.toHaveProperty("keyPairs");
  expect(pointers(first.warnings)).toEqual(["/relationships/1/keyPairs"]);
  const { document } = await readContent(replaceAt("/relationships/1/keyPairs", []));
  expect(document.relationships[1]?.keyPairs).toBeUndefined();
});
