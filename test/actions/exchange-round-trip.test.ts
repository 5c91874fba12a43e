import fc from "fast-check";
import { expect, test } from "vitest";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import { exported as expectedOf, models, withoutIds } from "../formats/documents.ts";
import { schemaFaults } from "../formats/published-schema.ts";
import { type Body, createWorld } from "../support/world.ts";
import { newKey, useWorld } from "./support/checked-world.ts";
import { exampleModel, inBatch } from "./support/models.ts";

const world = useWorld();

const ids = (document: unknown): readonly string[] =>
  [...JSON.stringify(document).matchAll(/"id":"([^"]+)"/g)].map(([, id = ""]) => id);

/** A document as a model of this instance would say it, under that key. */
const expected = (document: ModelDocument, key: string): unknown => withoutIds({ ...expectedOf(document), key });

test("between two instances a model with every kind of object is exported, imported and exported with other ids only", async () => {
  const other = await createWorld();
  await fc.assert(
    fc.asyncProperty(models, async (model) => {
      const [first, second] = [newKey("first"), newKey("second")];
      // Global tags are those of the instance, so each run creates other groups.
      const document = withGroups(model, newKey("g"));
      const made = await world.ok("model/import", { content: document, modelKey: first });
      let out = await world.read("model/model_export", { modelRef: `key:${first}` });
      expect(withoutIds(out)).toEqual(expected(document, first));
      expect(schemaFaults(out)).toEqual([]);
      expect(made.body.id).toBe(out.id);
      const moves = movesIn(out);
      if (moves.length > 0) {
        await inBatch(world, moves);
        out = await world.read("model/model_export", { modelRef: `key:${first}` });
        expect(withoutIds(out)).not.toEqual(expected(document, first));
      }

      expect((await other.run("model/import", { content: out, modelKey: second })).warnings).toEqual([]);
      const back = await other.run("model/model_export", { modelRef: `key:${second}` });
      expect(JSON.stringify(withoutIds(back))).toBe(JSON.stringify(withoutIds({ ...out, key: second })));
      const before = new Set(ids(out));
      expect(ids(back).filter((id) => before.has(id))).toEqual([]);
    }),
    { numRuns: 12, endOnFailure: true },
  );
});

/** Moves of the last attribute of each entity and relationship to the front. */
function movesIn({ key, entities, relationships }: Body) {
  const inOwner = (action: string, member: string) => (owner: Body) => {
    const { attributes } = owner;
    const [first, last] = [attributes[0], attributes.at(-1)];
    if (attributes.length < 2) return [];
    const refs = { modelRef: `key:${key}`, [member]: `id:${owner.id}` };
    return [[action, { ...refs, attributeRef: `id:${last.id}`, beforeRef: `key:${first.key}` }] as const];
  };
  return [
    ...entities.flatMap(inOwner("model/entity_attribute_move", "entityRef")),
    ...relationships.flatMap(inOwner("model/relationship_attribute_move", "relationshipRef")),
  ];
}

function withGroups(document: ModelDocument, prefix: string): ModelDocument {
  const text = JSON.stringify(document, (member, value) => {
    if (member === "tagGroups") return value.map((g: Body) => ({ ...g, key: `${prefix}${g.key}`.slice(0, 128) }));
    if (member === "tags" && value.every((t: unknown) => typeof t === "string")) {
      return value.map((ref: string) => {
        const [group = "", tag] = ref.slice(4).split("/");
        return tag === undefined ? ref : `key:${`${prefix}${group}`.slice(0, 128)}/${tag}`;
      });
    }
    return value;
  });
  return JSON.parse(text);
}

test("the answer of an export violates the schema with any member missing, added or misspelt", async () => {
  const { model } = await exampleModel(world, newKey("crm"));
  const document = await world.read("model/model_export", { modelRef: model.ref });
  const [first, ...rest] = document.relationships;
  const broken: readonly Body[] = [
    { ...document, $schema: "urn:metaction:model:1" },
    { ...document, revision: 1 },
    { ...document, tags: ["draft"] },
    { ...document, localTags: undefined },
    { ...document, entities: document.entities.map((e: Body) => ({ ...e, primaryKey: undefined })) },
    { ...document, relationships: [{ ...first, roles: first.roles.slice(0, 1) }, ...rest] },
    { ...document, relationships: [{ ...first, roles: first.roles.map((r: Body) => ({ ...r, cardinality: "1" })) }] },
    { ...document, businessKeys: [{ ...document.businessKeys[0], participants: ["code"] }] },
    { ...document, types: [{ id: "1", key: "it's" }] },
    { ...document, localTags: [{ id: "1", key: "a/b" }] },
  ];
  const { id: _, ...withoutId } = document;
  expect(schemaFaults({ ...withoutId, types: document.types.map(({ key }: Body) => ({ key })) })).toEqual([]);
  for (const one of broken) expect(schemaFaults(one), JSON.stringify(one).slice(0, 60)).not.toEqual([]);
});
