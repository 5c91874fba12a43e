import { expect, test } from "vitest";
import { checkModel } from "../store/support/check-model.ts";
import type { Rule } from "../store/support/fault-plan.ts";
import { createFaultTable } from "../store/support/fault-table.ts";
import { quickAmbient } from "../store/support/quick-ambient.ts";
import { sceneDocument } from "../store/support/scene.ts";
import { serviceOver, writtenBody } from "../store/support/service-over.ts";
import { freshTable } from "../support/table.ts";
import { createWorld } from "../support/world.ts";

const CRM = { modelRef: "key:crm" };
const KEY = "customer_code";

/** The transaction stays invisible, but for its log entry, until the plan ends. */
const invisible: Rule = {
  match: { operation: "transactWrite" },
  do: { scatter: 1, hold: 100_000, answered: true },
};

test.each([
  "business_key_create",
  "business_key_update_key",
])("%s does not overwrite the item that replaced one of a removed entity, though the reader saw it late", async (action) => {
  const opened = await freshTable();
  const world = await createWorld({ table: opened });
  const table = createFaultTable(opened);
  const caller = serviceOver(world, table, quickAmbient());
  const write = async (name: string, payload: object) => writtenBody(await caller.call(name, { ...CRM, ...payload }));
  const newKey = (entity: string) => ({ key: KEY, entityRef: `key:${entity}`, participants: [] });
  const { id } = writtenBody(await caller.call("import", { content: sceneDocument("crm") }));
  await write("business_key_create", { ...newKey("order"), key: "other" });
  await write("entity_delete", { entityRef: "key:customer" });

  // The key that the entity left is taken, which only the log tells; and then so much comes that nobody looks there.
  table.arm({ rules: [invisible] });
  const { id: taken } = await write("business_key_create", newKey("person"));
  for (let i = 0; i < 6; i++) await write("type_create", { typeKey: `t${i}` });
  const becomesVisible: Rule = {
    match: { operation: "get", key: new RegExp(`\\|business_key#${KEY}$`) },
    do: { after: () => table.settle() },
  };
  table.arm({ rules: [becomesVisible] });
  const payload = action === "business_key_create" ? newKey("order") : { businessKeyRef: "key:other", value: KEY };
  const { problem } = await caller.call(action, { ...CRM, ...payload });

  expect(problem?.code).toBe("key_taken");
  const { body } = (await caller.call("business_key_get", { ...CRM, businessKeyRef: `key:${KEY}` })).answer ?? {};
  expect(body).toMatchObject({ id: taken });
  expect(await checkModel(opened, id)).toEqual([]);
});
