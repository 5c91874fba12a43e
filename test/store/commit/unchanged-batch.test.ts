import { expect, test } from "vitest";
import { openTable } from "../../support/table.ts";
import { createWorld } from "../../support/world.ts";
import { createFaultTable } from "../support/fault-table.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { serviceOver, writtenBody } from "../support/service-over.ts";

test("a batch without effect answers one revision, also if the model gets another key during it", async () => {
  const opened = await openTable();
  const world = await createWorld({ table: opened.table });
  const table = createFaultTable(opened.table);
  const quiet = serviceOver(world, opened.table, quickAmbient());
  const { id } = await world.run("model/model_create", { key: "crm", name: "Customers" });
  const modelRef = `id:${id}`;
  const field = { modelRef, entityRef: "key:order" };
  await world.run("model/type_create", { modelRef, typeKey: "date" });
  await world.run("model/entity_create", { modelRef, entityKey: "order" });
  const sent = { attributeKey: "sent", type: "key:date", optional: true };
  await world.run("model/entity_attribute_create", { ...field, ...sent });
  const moving = async (): Promise<void> => {
    writtenBody(await quiet.call("model_update_key", { modelRef, value: "moved" }));
  };
  table.arm({ rules: [{ match: { operation: "transactGet" }, do: { before: moving } }] });
  const payload = { ...field, attributeRef: "key:sent", value: "sent" };
  const { answer } = await serviceOver(world, table, quickAmbient()).call("batch/batch_run", {
    actions: [{ group: "model", action: "entity_attribute_update_key", payload }],
  });
  expect(await world.run("model/model_get", { modelRef })).toMatchObject({ key: "moved" });
  expect(answer?.body).toMatchObject({ changed: false, revisions: [{ key: "crm", revision: 4 }] });
});
