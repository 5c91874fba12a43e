import { expect, test } from "vitest";
import type { Problem } from "../../shared/domain/problems.ts";
import { checkModel } from "../store/support/check-model.ts";
import { type Match, scatterWrites } from "../store/support/fault-plan.ts";
import { createFaultTable } from "../store/support/fault-table.ts";
import { sceneDocument } from "../store/support/scene.ts";
import { openFaultyWorld } from "../store/support/scenes.ts";
import { writtenBody } from "../store/support/service-over.ts";
import { freshTable } from "../support/table.ts";
import { type Body, createWorld } from "../support/world.ts";

/** Makes a dry run in a model `old` at revision 3, during which the other call commits just before the given read. */
async function rehearse(
  [action, payload]: readonly [string, object],
  [otherAction, otherPayload]: readonly [string, object],
  read: Match,
): Promise<Body> {
  const table = createFaultTable(await freshTable());
  // Without a cache, every read of an object is a read of the table.
  const world = await createWorld({ table, cachedObjects: 0 });
  const { id } = await world.run("model/model_create", { key: "old", name: "Before" });
  const modelRef = `id:${id}`;
  for (const typeKey of ["unused", "used"]) await world.run("model/type_create", { modelRef, typeKey });
  table.arm({ rules: [{ match: read, do: { before: () => world.run(otherAction, { modelRef, ...otherPayload }) } }] });
  const dryRun = world.run(action, { modelRef, ...payload }, world.people.admin, { dryRun: true });
  return dryRun.catch((problem: Problem) => problem.code);
}

test("a dry run does not find a key free that a concurrent write frees", async () => {
  const body = await rehearse(
    ["model/type_create", { typeKey: "unused" }],
    ["model/type_update_key", { typeRef: "key:unused", value: "gone" }],
    { operation: "transactGet", key: /\|type#unused$/ },
  );
  // At revision 3 the key was taken; only after revision 4 it is free.
  if (body !== "key_taken") expect(body).toMatchObject({ changed: true, revision: 5 });
});

test("a dry run answers the change at the revision that it read, when another commit comes", async () => {
  const body = await rehearse(
    ["model/model_update_name", { name: "Before" }],
    ["model/model_update_name", { name: "After" }],
    { operation: "get", key: /^model#.*\|model$/ },
  );
  // At revision 3 it would change nothing; after revision 4 it would make revision 5.
  expect(body).toMatchObject(body.changed ? { changed: true, revision: 5 } : { changed: false, revision: 3 });
});

const CRM = { modelRef: "key:crm" };
const KEY = "customer_code";

test.each([
  "business_key_create",
  "business_key_update_key",
])("%s does not overwrite the item that replaced one of a removed entity, though the reader saw it late", async (action) => {
  const { opened, table, caller } = await openFaultyWorld();
  const write = async (name: string, payload: object) => writtenBody(await caller.call(name, { ...CRM, ...payload }));
  const newKey = (entity: string) => ({ key: KEY, entityRef: `key:${entity}`, participants: [] });
  const { id } = writtenBody(await caller.call("import", { content: sceneDocument("crm") }));
  await write("business_key_create", { ...newKey("order"), key: "other" });
  await write("entity_delete", { entityRef: "key:customer" });

  // The former key of the entity is taken, which only the log shows until the plan ends; then more commits follow.
  table.arm({ rules: [scatterWrites(1, 100_000, true)] });
  const { id: taken } = await write("business_key_create", newKey("person"));
  for (let i = 0; i < 6; i++) await write("type_create", { typeKey: `t${i}` });
  const match = { operation: "get", key: new RegExp(`\\|business_key#${KEY}$`) } as const;
  table.arm({ rules: [{ match, do: { after: () => table.settle() } }] });
  const payload = action === "business_key_create" ? newKey("order") : { businessKeyRef: "key:other", value: KEY };
  const { problem } = await caller.call(action, { ...CRM, ...payload });

  expect(problem?.code).toBe("key_taken");
  const { body } = (await caller.call("business_key_get", { ...CRM, businessKeyRef: `key:${KEY}` })).answer ?? {};
  expect(body).toMatchObject({ id: taken });
  expect(await checkModel(opened.table, id)).toEqual([]);
});
