import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NO_CONTROLS } from "../../../shared/actions/contract/call.ts";
import type { ModelDocument } from "../../../shared/domain/document/document.ts";
import { toDocument } from "../../../shared/domain/document/write-document.ts";
import { toModelContent } from "../../../shared/domain/model/content.ts";
import { getOwnerId } from "../../../shared/domain/model/objects.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import { applyEntry, LogBroken, type Objects } from "../../../shared/store/log/replay.ts";
import { toObject } from "../../../shared/store/table/items.ts";
import { logKey, logPartition, objectsPartition } from "../../../shared/store/table/keys.ts";
import type { Table } from "../../../shared/store/table/table.ts";
import { seedOf } from "../../support/chance.ts";
import { freshTable } from "../../support/table.ts";
import { type Body, createWorld, type World } from "../../support/world.ts";
import { partition } from "../support/check-model.ts";
import { sceneDocument } from "../support/scene.ts";
import { stateAt } from "../support/state-at.ts";

/** One step of a history: an action with the keys it works on, which may not be there. */
interface Step {
  readonly action: string;
  readonly payload: object;
}

/** The keys that steps use; they are few, so that most steps meet the objects they name. */
const KEYS = ["a", "b", "c"];
const key = fc.constantFrom(...KEYS);
const ref = key.map((k) => `key:${k}`);
const text = fc.option(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((s) => /^\S+$/u.test(s)),
  {
    nil: undefined,
    freq: 2,
  },
);
const value = text.map((one) => (one === undefined ? {} : { value: one }));

const step = (action: string, payload: fc.Arbitrary<object>, weight = 1): fc.WeightedArbitrary<Step> => ({
  arbitrary: payload.map((p) => ({ action: `model/${action}`, payload: p })),
  weight,
});

const attribute = { entityRef: ref, attributeRef: ref };

const anyStep = fc.oneof(
  step("type_create", fc.record({ typeKey: key, description: text })),
  step("type_update_key", fc.record({ typeRef: ref, value: key })),
  step("type_delete", fc.record({ typeRef: ref })),
  step("entity_create", fc.record({ entityKey: key, name: text }), 2),
  step("entity_update_key", fc.record({ entityRef: ref, value: key }), 2),
  step(
    "entity_update_description",
    fc.tuple(ref, value).map(([entityRef, v]) => ({ entityRef, ...v })),
  ),
  step(
    "entity_primary_key_update",
    fc.record({ entityRef: ref, attributeRef: fc.uniqueArray(ref, { maxLength: 3 }) }),
    2,
  ),
  step("entity_delete", fc.record({ entityRef: ref }), 2),
  step(
    "entity_attribute_create",
    fc.record({ entityRef: ref, attributeKey: key, type: ref, optional: fc.boolean(), name: text }),
    6,
  ),
  step("entity_attribute_update_key", fc.record({ ...attribute, value: key }), 2),
  step("entity_attribute_update_type", fc.record({ ...attribute, value: ref })),
  step("entity_attribute_update_optional", fc.record({ ...attribute, value: fc.boolean() })),
  step(
    "entity_attribute_update_constraints",
    fc.record({
      ...attribute,
      value: fc.constantFrom({ const: null }, { default: { __proto__: null, constructor: 1e300 } }, {}),
    }),
  ),
  step("entity_attribute_delete", fc.record(attribute), 2),
  step("model_update_name", fc.record({ value: key })),
  step("model_update_description", value, 4),
);

/** The model that a history made: its id, and its export after every revision. */
interface History {
  readonly model: string;
  readonly exports: ReadonlyMap<number, Body>;
}

describe("a model at any revision", () => {
  test("equals the export of when that revision was the newest", { timeout: 120_000 }, async () => {
    const table = await freshTable();
    const world = await createWorld({ table });
    let revisions = 0;
    const property = fc.asyncProperty(
      fc.array(anyStep, { minLength: 25, maxLength: 40 }),
      fc.boolean(),
      async (steps, imported) => {
        const { model, exports } = await live(world, steps, imported);
        for (const [revision, document] of exports) {
          const state = await stateAt(table, model, revision);
          expect(state).toMatchObject({ revision, state: "live" });
          expect(documentOfObjects(state?.objects)).toEqual(document);
        }
        revisions += exports.size;
        const newest = await stateAt(table, model);
        expect(newest?.revision).toBe(exports.size);
        expect(newest?.objects).toEqual(await stored(table, model, newest?.generation ?? ""));
      },
    );
    await fc.assert(property, { seed: seedOf("replay"), numRuns: 15 });
    // Histories that are mostly refused would show little.
    expect(revisions).toBeGreaterThan(100);
  });

  test("does not exist before the first and after the newest revision, and has no objects once deleted", async () => {
    const table = await freshTable();
    const world = await createWorld({ table });
    const { id } = await world.run("model/model_create", { key: "m", name: "M" });
    expect(await stateAt(table, id, 0)).toBeUndefined();
    expect(await stateAt(table, id, 2)).toBeUndefined();
    expect(await stateAt(table, "01900000-0000-7000-8000-000000000000")).toBeUndefined();
    await world.run("model/model_delete", { modelRef: "key:m" });
    expect(await stateAt(table, id)).toMatchObject({ revision: 2, state: "deleted", objects: new Map() });
    expect((await stateAt(table, id, 1))?.objects.get("model")).toMatchObject({ key: "m", name: "M", revision: 1 });
  });

  test("is read from a log of many pages", async () => {
    const table = await freshTable();
    const world = await createWorld({ table });
    const { id } = await world.run("model/import", { content: sceneDocument("long") });
    for (let i = 0; i < 9; i++) await world.run("model/model_update_name", { modelRef: "key:long", name: `Name ${i}` });
    const small: Table = { ...table, query: (range) => table.query({ ...range, limit: 2 }) };
    expect(await stateAt(small, id, 7)).toEqual(await stateAt(table, id, 7));
    expect((await stateAt(small, id))?.objects.get("model")).toMatchObject({ name: "Name 8", revision: 10 });
  });

  test("is refused if the log has a gap or an entry that does not fit", async () => {
    const table = await freshTable();
    const world = await createWorld({ table });
    const { id } = await world.run("model/model_create", { key: "m", name: "M" });
    for (const name of ["N", "O"]) await world.run("model/model_update_name", { modelRef: "key:m", name });
    const second = await table.get(logKey(id, 2));
    if (!second) throw new Error("there is no second revision");
    await table.batchDelete([logKey(id, 2)]);
    await expect(stateAt(table, id)).rejects.toThrow(LogBroken);
    const [change] = second.changes as readonly object[];
    await table.batchPut([{ ...second, changes: [{ ...change, before: { name: "another" } }] }]);
    await expect(stateAt(table, id)).rejects.toThrow(/its name was another/);
    await table.batchPut([second]);
    expect((await stateAt(table, id))?.objects.get("model")).toMatchObject({ name: "O" });
    expect(await partition(table, logPartition(id))).toHaveLength(3);
  });
});

test("the changes of one commit are simultaneous: two objects may exchange their keys", () => {
  const type = (id: string, key: string): Parameters<Objects["set"]>[1] => ({ kind: "type", id, key, revision: 1 });
  const objects: Objects = new Map([
    ["type#a", type("1", "a")],
    ["type#b", type("2", "b")],
  ]);
  const renamed = (id: string, from: string, to: string) =>
    ({
      does: "update",
      kind: "type",
      id,
      at: `type#${to}`,
      from: `type#${from}`,
      base: 1,
      before: { key: from },
      after: { id, key: to },
    }) as const;
  const entry = {
    revision: 2,
    operation: "o",
    time: "",
    channel: "batch",
    request: "r",
    actions: [],
    key: "m",
    generation: "g",
    state: "live",
    tags: 0,
  } as const;
  expect(applyEntry(objects, { ...entry, changes: [renamed("1", "a", "b"), renamed("2", "b", "a")] })).toEqual([]);
  expect([...objects].sort()).toEqual([
    ["type#a", { ...type("2", "a"), revision: 2 }],
    ["type#b", { ...type("1", "b"), revision: 2 }],
  ]);
  expect(applyEntry(objects, { ...entry, revision: 3, changes: [{ ...renamed("1", "b", "a"), base: 2 }] })).toEqual([
    "the sort key type#a is taken",
  ]);
});

/** A model in which most steps find something to do. */
function startDocument(key: string): ModelDocument {
  const attribute = (key: string) => ({ key, type: "key:a", optional: false, description: "At first." });
  const entities = KEYS.slice(0, 2).map((k) => ({
    key: k,
    attributes: KEYS.map(attribute),
    primaryKey: ["key:b", "key:a"],
  }));
  const roles = ["a", "b"].map((k) => ({ key: k, entity: "key:b", cardinality: "one" as const }));
  const relationships = [{ key: "a", roles, attributes: KEYS.map(attribute) }];
  const businessKeys = [{ key: "a", entity: "key:a", participants: ["key:b", "key:a"] }];
  return { ...sceneDocument(key), types: [{ key: "a" }, { key: "b" }], entities, relationships, businessKeys };
}

/** The steps that put the first objects into an empty model. */
const FIRST_STEPS: readonly Step[] = [
  { action: "model/type_create", payload: { typeKey: "a" } },
  { action: "model/entity_create", payload: { entityKey: "a", name: "A" } },
  ...KEYS.map((attributeKey) => ({
    action: "model/entity_attribute_create",
    payload: { entityRef: "key:a", attributeKey, type: "key:a", optional: true, description: "At first." },
  })),
];

/** Runs a history on a model of its own; steps that are refused change nothing. */
async function live(world: World, steps: readonly Step[], imported: boolean): Promise<History> {
  const name = world.service.ambient.newId();
  const made = imported
    ? await world.run("model/import", { content: startDocument(name) })
    : await world.run("model/model_create", { key: name, name });
  const modelRef = `key:${name}`;
  const exports = new Map<number, Body>([[1, await world.run("model/model_export", { modelRef })]]);
  for (const { action, payload } of imported ? steps : [...FIRST_STEPS, ...steps]) {
    const revision = await revisionAfter(world, action, { modelRef, ...payload });
    if (revision > exports.size) exports.set(revision, await world.run("model/model_export", { modelRef }));
  }
  return { model: made.id, exports };
}

async function revisionAfter(world: World, action: string, payload: object): Promise<number> {
  try {
    return (await world.run(action, payload, world.people.admin, NO_CONTROLS)).revision;
  } catch (error) {
    if (error instanceof Problem && /not_found|key_taken|still_used|bad_parameters/.test(error.code)) return 0;
    throw error;
  }
}

function documentOfObjects(objects: ReadonlyMap<string, Parameters<Objects["set"]>[1]> | undefined): unknown {
  const content = objects && toModelContent(objects.values());
  return content && JSON.parse(JSON.stringify(toDocument(content)));
}

/** The stored objects that have an owner, by sort key. */
async function stored(table: Table, model: string, generation: string): Promise<Objects> {
  const objects = (await partition(table, objectsPartition(model, generation))).map(
    (item) => [item.sk, toObject(item)] as const,
  );
  const ids = new Set(objects.map(([, { id }]) => id));
  return new Map(objects.filter(([, object]) => ids.has(getOwnerId(object) ?? object.id)));
}
