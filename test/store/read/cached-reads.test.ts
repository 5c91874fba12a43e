import { beforeEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { Problem, requireProblem } from "../../../shared/domain/problems.ts";
import { createStore } from "../../../shared/store/model-store.ts";
import type { ModelView } from "../../../shared/store/read/view.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { blobPartition, objectsPartition } from "../../../shared/store/table/keys.ts";
import type { Item, Table } from "../../../shared/store/table/table.ts";
import { realRuntime } from "../../support/runtime.ts";
import { someoneOn } from "../../support/someone.ts";
import { openTable } from "../../support/table.ts";
import { type Body, createWorld, type World } from "../../support/world.ts";
import { getItem } from "../support/check-model.ts";
import { sceneDocument } from "../support/scene.ts";

const CRM = { modelRef: "key:crm" };
const CUSTOMER = { ...CRM, entityRef: "key:customer" };

let first: World;
let second: World;
/** The calls that were made to the table since the last `asked()`. */
let asked: () => readonly string[];
let advance: (ms: number) => void;

beforeEach(async () => {
  const calls: string[] = [];
  let ahead = 0;
  advance = (ms) => (ahead += ms);
  const runtime = { ...realRuntime, now: () => Date.now() + ahead };
  const { table } = await openTable((operation) => calls.push(operation), runtime.now);
  first = await createWorld({ table, runtime, cachedObjects: LIMITS.cachedObjects });
  second = await createWorld({ beside: first, runtime, cachedObjects: LIMITS.cachedObjects });
  asked = () => calls.splice(0);
  await second.run("model/import", { content: sceneDocument("crm") });
  for (const read of READS) await first.run(...read);
  asked();
});

type Call = readonly [action: string, payload: object];

const READS: readonly Call[] = [
  ["model/model_get", CRM],
  ["model/model_export", CRM],
  ["model/entity_list", CRM],
  ["model/entity_get", CUSTOMER],
  ["model/entity_attribute_list", CUSTOMER],
  ["model/relationship_list", CRM],
  ["model/business_key_list", { ...CRM, expand: "keys" }],
];

async function bothAnswer(action: string, payload: object): Promise<Body> {
  const [mine, theirs] = await Promise.all([runOrRefuse(first, action, payload), runOrRefuse(second, action, payload)]);
  expect(mine).toEqual(theirs);
  return mine;
}

const runOrRefuse = (world: World, action: string, payload: object): Promise<Body> =>
  world.run(action, payload).catch(({ code }) => ({ refused: code }));

const openThird = (table: Table): Promise<World> =>
  createWorld({ beside: { ...first, table }, cachedObjects: LIMITS.cachedObjects });

async function findPartition(): Promise<string> {
  const { id } = await first.run("model/model_get", CRM);
  const { partition } = (await createStore(first.table, realRuntime).open({ scheme: "id", value: id })) as ModelView;
  return objectsPartition(partition.model, partition.generation);
}

async function changeCustomer(change: (item: Item) => object) {
  const item = await getItem(first.table, { pk: await findPartition(), sk: "entity#customer" });
  await first.table.write({ put: { ...item, ...change(item) }, expect: { anything: true } });
}

test.each(READS)("a cached read sends one request for the log: %s", async (...read) => {
  await first.run(...read);
  // The caller is looked up beside it.
  expect(asked().filter((operation) => operation === "get")).toHaveLength(1);
});

describe("the next call sees the changes of another process", () => {
  const STRING = { type: "key:string", optional: true };
  const CHANGES: readonly (readonly [tells: string, action: string, payload: object])[] = [
    ["a name", "model/entity_update_name", { ...CUSTOMER, value: "Clients" }],
    ["a key", "model/entity_update_key", { ...CUSTOMER, value: "client" }],
    ["an attribute more", "model/entity_attribute_create", { ...CUSTOMER, attributeKey: "x", ...STRING }],
    ["an attribute gone", "model/entity_attribute_delete", { ...CUSTOMER, attributeRef: "key:code" }],
    ["a type more", "model/type_create", { ...CRM, typeKey: "more" }],
    ["an entity with all that belongs to it gone", "model/entity_delete", { ...CRM, entityRef: "key:empty" }],
    ["a relationship gone", "model/relationship_delete", { ...CRM, relationshipRef: "key:places" }],
    ["a publication", "model/import", { content: { ...sceneDocument("crm"), name: "Again" }, into: "key:crm" }],
    ["a large text, kept in a blob", "model/entity_update_description", { ...CUSTOMER, value: "x".repeat(50_000) }],
    ["a key of the model", "model/model_update_key", { ...CRM, value: "moved" }],
    ["the model gone", "model/model_delete", CRM],
  ];

  test.each(CHANGES)("%s", async (_tells, action, payload) => {
    await runOrRefuse(second, action, payload);
    for (const read of READS) await bothAnswer(...read);
    await bothAnswer("model/model_get", { modelRef: "key:moved" });
    await bothAnswer("model/entity_get", { ...CRM, entityRef: "key:client" });
  });

  test("a model with the key of a deleted one in the cache", async () => {
    await second.run("model/model_delete", CRM);
    await second.run("model/model_create", { key: "crm", name: "Another" });
    expect(await bothAnswer("model/model_get", CRM)).toMatchObject({ name: "Another" });
  });
});

describe("a write that is decided on cached objects", () => {
  test("reads nothing before its commit", async () => {
    await first.run("model/entity_update_name", { ...CUSTOMER, value: "Clients" });
    expect(asked().filter((operation) => operation !== "batchGet")).toEqual(["transactWrite"]);
  });

  test("finds objects that did not exist when they were last read", async () => {
    const late = { ...CRM, typeRef: "key:late" };
    expect((await first.problem("model/type_get", late)).code).toBe("not_found");
    await second.run("model/type_create", { ...CRM, typeKey: "late" });
    expect(await first.run("model/type_update_name", { ...late, value: "Late" })).toMatchObject({ changed: true });
  });

  test("compares If-Match with the newest revision", async () => {
    const { revision } = await second.run("model/type_create", { ...CRM, typeKey: "made" });
    const { id: ledgerId } = await second.run("model/model_get", CRM);
    const expecting = { ifMatch: [{ ledgerId, revision }] };
    const rename = ["model/entity_update_name", { ...CUSTOMER, value: "Clients" }] as const;
    const { body } = await first.answer(...rename, first.people.admin, expecting);
    expect(body).toMatchObject({ revision: revision + 1 });
    expect((await first.problem(...rename, first.people.admin, expecting)).code).toBe("precondition_failed");
  });

  test("that takes a key freed by the sweeper since", async () => {
    await second.run("model/business_key_create", { ...CRM, entityRef: "key:empty", key: "left", participants: [] });
    await first.run("model/business_key_list", CRM);
    await first.run("model/entity_delete", { ...CRM, entityRef: "key:empty" });
    await bothAnswer("model/business_key_list", CRM);
    await sweep(first.table, { ...realRuntime, now: () => Date.now() + 2 * 86_400_000 });
    await first.run("model/business_key_create", { ...CUSTOMER, key: "left", participants: [] });
    await bothAnswer("model/business_key_list", CRM);
  });
});

test("a caller with permissions on some models sees a model that another process just added to them", async () => {
  const grants = [
    { role: "reader", models: "crm" },
    { role: "manager", models: "sales*" },
  ];
  const { token } = await someoneOn(second, "sam", ...grants);
  const { id } = await second.run("model/model_get", CRM);
  const rename: Call = ["model/entity_update_name", { ...CUSTOMER, modelRef: `id:${id}`, value: "Clients" }];
  expect((await first.problem(...rename, token)).code).toBe("not_allowed");
  await second.run("model/model_update_key", { ...CRM, value: "sales_crm" });
  expect(await first.run(...rename, token)).toMatchObject({ changed: true });
  await second.run("model/model_update_key", { modelRef: `id:${id}`, value: "crm" });
  expect((await first.problem(...rename, token)).code).toBe("not_allowed");
});

test("items that differ from the log, as after a repair, are read again after a refused commit", async () => {
  await changeCustomer((item) => ({ revision: Number(item.revision) + 1 }));
  const rename = { ...CUSTOMER, value: "Clients" };
  expect(await first.run("model/entity_update_name", rename)).toMatchObject({ changed: true });
});

test("a process that repairs a model evicts it", async () => {
  await changeCustomer(() => ({ name: "Spoilt" }));
  advance(LIMITS.cachedMs + 1);
  expect(await first.run("model/entity_get", CUSTOMER)).toMatchObject({ name: "Spoilt" });
  await first.run("model/maintenance_rebuild_caches", { ...CRM, repair: true });
  expect(await first.run("model/entity_get", CUSTOMER)).toMatchObject({ name: "Customers" });
});

test("an answer has one revision, though another call of the process commits during it", async () => {
  let meanwhile: (() => Promise<void>) | undefined;
  const stepping: Table = {
    ...first.table,
    get: async (key) => {
      const item = await first.table.get(key);
      const step = key.pk.startsWith("log#") ? meanwhile : undefined;
      meanwhile = undefined;
      await step?.();
      return item;
    },
  };
  const third = await openThird(stepping);
  const before = (await third.answer("model/model_export", CRM)).etag;
  meanwhile = async () => void (await third.run("model/type_create", { ...CRM, typeKey: "meanwhile" }));
  const { etag, body } = await third.answer("model/model_export", CRM);
  expect(JSON.stringify(body).includes("meanwhile")).toBe(etag !== before);
});

test("a read that fails half way leaves nothing to later calls", async () => {
  const pk = await findPartition();
  const before = await first.table.query({ pk });
  // Too long for the log's entry: the change lies in a blob.
  const value = "long text ".repeat(2_000);
  await second.run("model/model_update_description", { ...CRM, value });
  let isHeld = true;
  /** A table that shows of the commit its log entry alone. */
  const held: Table = {
    ...first.table,
    query: async (range) => {
      if (isHeld && range.pk.startsWith(blobPartition(""))) throw new Problem("unavailable", "the store is busy");
      return isHeld && range.pk === pk ? before : first.table.query(range);
    },
  };
  const third = await openThird(held);
  expect((await third.problem("model/model_export", CRM)).code).toBe("unavailable");
  isHeld = false;
  expect((await third.run("model/model_get", CRM)).description?.length).toBe(value.length);
});

test("a whole model that was read without confirming its revision leaves nothing to later calls", async () => {
  const { id } = await first.run("model/model_get", CRM);
  const [attribute] = (await first.run("model/entity_attribute_list", CUSTOMER)).items.slice(-1);
  const gone = { ...CUSTOMER, attributeRef: `key:${attribute.key}` };
  const { revision } = await second.run("model/entity_attribute_delete", gone);
  const isDeletion = ({ pk, sk }: Pick<Item, "pk" | "sk">) => pk === `log#${id}` && Number(sk) === revision;
  let isBusy = true;
  /** A table that shows of the deletion everything but its log entry, which only serializable reads see. */
  const partial: Table = {
    ...first.table,
    get: async (key) => (isDeletion(key) ? undefined : first.table.get(key)),
    query: async (range) => {
      const page = await first.table.query(range);
      return { ...page, items: page.items.filter((item) => !isDeletion(item)) };
    },
    transactGet: async (keys) => {
      if (isBusy && keys.some(isDeletion)) throw new Problem("unavailable", "the store is busy");
      return first.table.transactGet(keys);
    },
  };
  const third = await openThird(partial);
  expect((await third.problem("model/model_restore", { ...CRM, revision: 1 })).code).toBe("unavailable");
  isBusy = false;
  const { etag, body } = await third.answer("model/model_export", CRM);
  expect(etag).toBe(`${id}-${revision}`);
  expect(JSON.stringify(body)).not.toContain(attribute.id);
});

test("a deleted model stays unknown to a process that reads its past, and nothing is written after its end", async () => {
  const { id } = await first.run("model/model_get", CRM);
  await first.run("model/model_delete", CRM);
  const { registry } = first.service;
  const pasts = (await registry.list()).filter(({ past }) => past);
  expect(pasts.length).toBeGreaterThan(3);
  const entries = async () => (await first.table.query({ pk: `log#${id}` })).items.length;
  const before = await entries();
  for (const { group, name, input } of pasts) {
    const point = "revision" in input ? { revision: 1 } : "version" in input ? { version: "1.0.0" } : {};
    await first.run(`${group}/${name}`, { modelRef: `id:${id}`, ...point }).catch(requireProblem);
    for (const modelRef of ["key:crm", `id:${id}`]) {
      expect((await first.problem("model/model_get", { modelRef })).code, name).toBe("not_found");
      const write = { modelRef, entityRef: "key:customer", value: "Late" };
      expect((await first.problem("model/entity_update_name", write)).code, name).toBe("not_found");
    }
    expect(await entries(), name).toBe(before);
  }
  await first.run("model/model_create", { key: "crm", name: "Customers" });
});
