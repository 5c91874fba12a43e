import { expect, test } from "vitest";
import { createStore } from "../../../shared/store/model-store.ts";
import { realRuntime } from "../../support/runtime.ts";
import { freshTable } from "../../support/table.ts";
import { checkModel, partition } from "../support/check-model.ts";
import { sceneDocument } from "../support/scene.ts";
import { openFaultyWorld } from "../support/scenes.ts";
import { writtenBody } from "../support/service-over.ts";

const control = { idempotencyKey: "the same for both" };

test.each([
  ["type_create", { modelRef: "key:crm", typeKey: "date" }],
  ["entity_update_name", { modelRef: "key:crm", entityRef: "key:customer", value: "Clients" }],
  ["entity_delete", { modelRef: "key:crm", entityRef: "key:customer" }],
  ["model_delete", { modelRef: "key:crm" }],
  ["model_create", { key: "new", name: "New" }],
  ["model_copy", { modelRef: "key:crm", modelNewKey: "copy" }],
])("of two calls of %s with one idempotency key the later commit gets the other's answer with its refusal", async (name, payload) => {
  const { opened, table, caller: slower, quiet: faster } = await openFaultyWorld();
  const { id } = writtenBody(await faster.call("import", { content: sceneDocument("crm") }));
  let first: unknown;
  const twin = async () => (first = (await faster.call(name, payload, control)).answer?.body);
  table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { before: twin } }] });
  const { answer } = await slower.call(name, payload, control);
  expect(answer).toMatchObject({ body: first, replayed: true });
  // The commit of the slower call was refused; a publication closes its abandoned generation in another transaction.
  const transactions = table.trace.filter(({ operation }) => operation === "transactWrite");
  expect(transactions.filter(({ keys }) => keys[0]?.startsWith("log#"))).toHaveLength(1);
  expect(await checkModel(opened.table, id)).toEqual([]);
});

test("an answer too large for one item is stored in pieces, and read back whole", async () => {
  const table = await freshTable();
  const store = createStore(table, realRuntime);
  // Random text, which no compression makes smaller.
  const results = Array.from({ length: 20_000 }, () => ({ id: realRuntime.newId(), random: Math.random() }));
  const answer = { mediaType: "application/json", body: { results } };
  const record = { id: "large", fingerprint: "f", expiresAt: Math.floor(realRuntime.now() / 1000) + 60, answer };
  expect(await store.putRecord(record)).toBeUndefined();
  expect(await store.getRecord("large")).toEqual(record);
  expect((await partition(table, "idempotency#large")).length).toBeGreaterThan(2);
  const twin = { ...record, answer: { ...answer, body: { results: results.toReversed() } } };
  expect(await store.putRecord(twin)).toEqual(record);
});
