import { expect, test } from "vitest";
import { createStore } from "../../../shared/store/model-store.ts";
import { logPartition } from "../../../shared/store/table/keys.ts";
import { OutcomeUnknown, type Table } from "../../../shared/store/table/table.ts";
import { realAmbient } from "../../support/ambient.ts";
import { freshTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { checkModel, partition } from "../support/check-model.ts";

const entry = (action: string, payload: object) => ({ group: "model", action, payload });

/** A world in which something happens once, right before the next transaction or after it. */
async function interrupted(): Promise<{
  readonly world: World;
  readonly table: Table;
  before(happens: () => Promise<unknown>): void;
  after(happens: () => never): void;
}> {
  const table = await freshTable();
  let before: (() => Promise<unknown>) | undefined;
  let after: (() => never) | undefined;
  const transactWrite: Table["transactWrite"] = async (writes) => {
    const [first, then] = [before, after];
    before = undefined;
    after = undefined;
    await first?.();
    await table.transactWrite(writes);
    then?.();
  };
  const world = await createWorld({ table: { ...table, transactWrite } });
  return {
    world,
    table,
    before: (happens) => {
      before = happens;
    },
    after: (happens) => {
      after = happens;
    },
  };
}

async function twoModels(world: World): Promise<readonly [string, string]> {
  const one = await world.run("model/model_create", { key: "one", name: "One" });
  const two = await world.run("model/model_create", { key: "two", name: "Two" });
  return [one.id, two.id];
}

const ofBoth = [
  entry("entity_create", { modelRef: "key:one", entityKey: "e" }),
  entry("entity_create", { modelRef: "key:two", entityKey: "e" }),
];

test.each([
  "one",
  "two",
])("a batch is decided again when another call writes to the model %s during it", async (key) => {
  const { world, table, before } = await interrupted();
  const ids = await twoModels(world);
  before(() => world.run("model/type_create", { modelRef: `key:${key}`, typeKey: "t" }));
  const body = await world.run("batch/batch_run", { actions: ofBoth });
  expect(body.revisions.map(({ revision }: { revision: number }) => revision)).toEqual(key === "one" ? [3, 2] : [2, 3]);
  for (const id of ids) expect(await checkModel(table, id)).toEqual([]);
});

test("a batch whose key is taken during it reports the entry, and writes to none of its models", async () => {
  const { world, table, before } = await interrupted();
  const [one] = await twoModels(world);
  before(() => world.run("model/entity_create", { modelRef: "key:two", entityKey: "e" }));
  const problem = await world.problem("batch/batch_run", { actions: ofBoth });
  expect([problem.code, problem.members.entry]).toEqual(["key_taken", 2]);
  expect(await partition(table, logPartition(one))).toHaveLength(1);
  before(() => world.run("model/model_create", { key: "three", name: "Three" }));
  const begins = [...ofBoth.slice(0, 1), entry("model_create", { key: "three", name: "Mine" })];
  const late = await world.problem("batch/batch_run", { actions: begins });
  expect([late.code, late.members.entry]).toEqual(["key_taken", 2]);
  expect(await partition(table, logPartition(one))).toHaveLength(1);
});

test("what a batch reads of one model is still true when it writes to another", async () => {
  const { world, before } = await interrupted();
  await twoModels(world);
  before(async () => {
    await world.run("model/entity_create", { modelRef: "key:one", entityKey: "late" });
    // The first transaction is refused for this, so that the batch looks at both models again.
    await world.run("model/type_create", { modelRef: "key:two", typeKey: "t" });
  });
  const body = await world.run("batch/batch_run", {
    actions: [
      entry("entity_list", { modelRef: "key:one" }),
      entry("entity_create", { modelRef: "key:two", entityKey: "e" }),
    ],
  });
  expect(body.results[0].items.map(({ key }: { key: string }) => key)).toEqual(["late"]);
});

test("a batch whose answer is lost finds its own operation in the log", async () => {
  const { world, table, after } = await interrupted();
  const ids = await twoModels(world);
  after(() => {
    throw new OutcomeUnknown(new Error("no answer"));
  });
  const body = await world.run("batch/batch_run", { actions: ofBoth });
  expect(body.changed).toBe(true);
  for (const id of ids) {
    expect(await partition(table, logPartition(id))).toHaveLength(2);
    expect(await checkModel(table, id)).toEqual([]);
  }
});

test("an answer too large for one item is stored in pieces, and read back whole", async () => {
  const table = await freshTable();
  const store = createStore(table, realAmbient);
  // Random text, which no compression makes smaller.
  const results = Array.from({ length: 20_000 }, () => ({ id: realAmbient.newId(), random: Math.random() }));
  const answer = { mediaType: "application/json", body: { results } };
  const expiresAt = Math.floor(realAmbient.now() / 1000) + 60;
  const record = { id: "large", fingerprint: "f", expiresAt, answer };
  expect(await store.putRecord(record)).toBeUndefined();
  expect(await store.getRecord("large")).toEqual(record);
  expect((await partition(table, "idempotency#large")).length).toBeGreaterThan(2);
  const twin = { ...record, answer: { ...answer, body: { results: results.toReversed() } } };
  expect(await store.putRecord(twin)).toEqual(record);
});
