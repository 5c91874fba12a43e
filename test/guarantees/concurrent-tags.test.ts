import { describe, expect, test } from "vitest";
import type { Controls } from "../../shared/actions/contract/call.ts";
import type { Problem } from "../../shared/domain/problems.ts";
import type { Match } from "../store/support/fault-plan.ts";
import { createFaultTable, type FaultTable } from "../store/support/fault-table.ts";
import { freshTable } from "../support/table.ts";
import { type Body, createWorld, type World } from "../support/world.ts";

interface Scene {
  readonly world: World;
  readonly table: FaultTable;
  readonly id: string;
}

const REVISION = 5;

/** A model `old` with an unused type, and an entity `e` with an attribute `a`, at revision 5. */
async function scene(): Promise<Scene> {
  const table = createFaultTable(await freshTable());
  // What is to happen between two reads happens between reads of the table.
  const world = await createWorld({ table, cachedObjects: 0 });
  const { id } = await world.run("model/model_create", { key: "old", name: "Before" });
  const inModel = { modelRef: `id:${id}` };
  for (const typeKey of ["unused", "used"]) await world.run("model/type_create", { ...inModel, typeKey });
  await world.run("model/entity_create", { ...inModel, entityKey: "e" });
  const attribute = { attributeKey: "a", type: "key:used", optional: true };
  await world.run("model/entity_attribute_create", { ...inModel, entityRef: "key:e", ...attribute });
  return { world, table, id };
}

const CONFIRMING: Match = { operation: "transactGet", key: /^log#/ };
const READING_MODEL: Match = { operation: "get", key: /^model#.*\|model$/ };
const READING_ALL: Match = { operation: "query", key: /^model#.*\|$/ };

/** Runs a call of the administrator on the model; somebody else does something just before its first such question. */
async function meeting(
  { world, table, id }: Scene,
  [action, payload, controls]: readonly [string, object, Partial<Controls>?],
  match: Match,
  before: () => Promise<unknown>,
): Promise<{ readonly body: Body; readonly etag?: string | undefined }> {
  table.arm({ rules: [{ match, do: { before } }] });
  const answer = world.answer(action, { modelRef: `id:${id}`, ...payload }, world.people.admin, controls);
  return answer.then(
    ({ body, etag }) => ({ body, etag }),
    (problem: Problem) => ({ body: problem.code }),
  );
}

describe("an answer has the revision of its entity tag when another commit comes", () => {
  test("between the reads of the head and of the one object", async () => {
    const g = await scene();
    const rename = () => g.world.run("model/model_update_name", { modelRef: `id:${g.id}`, name: "After" });
    const { body, etag } = await meeting(g, ["model/model_get", {}], READING_MODEL, rename);
    // One strong entity tag must not stand for two contents: a caller with the one would be told that it is still the other.
    expect(etag).toBe(`${g.id}-${body.name === "Before" ? REVISION : REVISION + 1}`);
  });

  test("with another key for the model, during an export", async () => {
    const g = await scene();
    const rename = () => g.world.run("model/model_update_key", { modelRef: `id:${g.id}`, value: "new" });
    const { body, etag } = await meeting(g, ["model/model_export", {}], READING_ALL, rename);
    expect(etag).toBe(`${g.id}-${body.key === "old" ? REVISION : REVISION + 1}`);
  });

  test("with another key for the model, during a list by its old key", async () => {
    const g = await scene();
    const rename = () => g.world.run("model/model_update_key", { modelRef: `id:${g.id}`, value: "new" });
    const { body, etag } = await meeting(g, ["model/entity_list", { modelRef: "key:old" }], CONFIRMING, rename);
    // After it there is no model `old`.
    if (body !== "not_found") expect(etag).toBe(`${g.id}-${REVISION}`);
  });

  test("before the read of the object that a dry run changes", async () => {
    const g = await scene();
    const rename = () => g.world.run("model/model_update_name", { modelRef: `id:${g.id}`, name: "After" });
    const dryRun = ["model/model_update_name", { name: "Before" }, { dryRun: true }] as const;
    const { body } = await meeting(g, dryRun, READING_MODEL, rename);
    // Before the other write it would change nothing, after it it would make the revision after that.
    expect(body).toMatchObject(
      body.changed ? { changed: true, revision: REVISION + 2 } : { changed: false, revision: REVISION },
    );
  });
});

test("a dry run does not find a key free that a concurrent write frees", async () => {
  const g = await scene();
  const giveUp = () =>
    g.world.run("model/type_update_key", { modelRef: `id:${g.id}`, typeRef: "key:unused", value: "gone" });
  const dryRun = ["model/type_create", { typeKey: "unused" }, { dryRun: true }] as const;
  const { body } = await meeting(g, dryRun, { operation: "transactGet", key: /\|type#unused$/ }, giveUp);
  // At the revision before it the key was taken, and only after the one it makes it is free.
  if (body !== "key_taken") expect(body).toMatchObject({ changed: true, revision: REVISION + 2 });
});

test("a write by key does not change a model that lost the key before", async () => {
  const g = await scene();
  const takeOver = async () => {
    await g.world.run("model/model_update_key", { modelRef: `id:${g.id}`, value: "new" });
    await g.world.run("model/model_create", { key: "old", name: "Another" });
    await g.world.run("model/type_create", { modelRef: "key:old", typeKey: "unused" });
  };
  await meeting(g, ["model/type_delete", { modelRef: "key:old", typeRef: "key:unused" }], CONFIRMING, takeOver);
  const left = async (modelRef: string) => (await g.world.run("model/type_list", { modelRef })).items.length;
  expect({ first: await left("key:new"), second: await left("key:old") }).toEqual({ first: 2, second: 0 });
});

describe("a write with If-Match runs at no other revision when another commit comes during its reads:", () => {
  const pinned = async (g: Scene, action: string, payload: object): Promise<Body> => {
    const another = () => g.world.run("model/entity_create", { modelRef: `id:${g.id}`, entityKey: "another" });
    const control = { ifMatch: [{ ledgerId: g.id, revision: REVISION }] };
    return (await meeting(g, [action, payload, control], CONFIRMING, another)).body;
  };

  test("one that reads the whole model", async () => {
    const g = await scene();
    expect(await pinned(g, "model/type_delete", { typeRef: "key:unused" })).toBe("precondition_failed");
  });

  test("a copy", async () => {
    const g = await scene();
    const made = await pinned(g, "model/model_copy", { modelNewKey: "copy" });
    // Either it is refused, or it is a copy of the revision asked for.
    if (made === "precondition_failed") return;
    expect((await g.world.run("model/entity_list", { modelRef: "key:copy" })).items).toHaveLength(1);
  });

  test("one without effect", async () => {
    const g = await scene();
    const nothing = { entityRef: "key:e", attributeRef: "key:a" };
    const made = await pinned(g, "model/entity_attribute_update_name", nothing);
    if (made !== "precondition_failed") expect(made).toMatchObject({ changed: false, revision: REVISION });
  });
});
