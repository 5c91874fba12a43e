import { beforeEach, describe, expect, test } from "vitest";
import type { ModelDocument } from "../../../shared/domain/document/document.ts";
import { SWEEP } from "../../../shared/domain/limits.ts";
import { toLogEntry } from "../../../shared/store/log/log.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { objectsPartition, SWEEPS } from "../../../shared/store/table/keys.ts";
import type { Item } from "../../../shared/store/table/table.ts";
import { realAmbient } from "../../support/ambient.ts";
import { openTable, type TestTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { checkModel, partition } from "../support/check-model.ts";
import { createFaultTable, type FaultTable, Killed } from "../support/fault-table.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { sceneDocument } from "../support/scene.ts";
import { type Caller, type Outcome, serviceOver, writtenBody } from "../support/service-over.ts";

let opened: TestTable;
let world: World;
let table: FaultTable;
let clock: ReturnType<typeof quickAmbient>;
let caller: Caller;
/** Works on the table itself, as somebody else. */
let other: Caller;

const begin = async (): Promise<void> => {
  opened = await openTable();
  world = await createWorld({ table: opened.table });
  table = createFaultTable(opened.table);
  clock = quickAmbient();
  caller = serviceOver(world, table, clock);
  other = serviceOver(world, opened.table, clock);
};

beforeEach(begin);

const CRM = { modelRef: "key:crm" };

test("business keys of more entities than one batch of reads returns are all listed", async () => {
  const keys = Array.from({ length: 102 }, (_, i) => `e${String(i).padStart(3, "0")}`);
  const content: ModelDocument = {
    ...{ ...sceneDocument("crm"), tags: [], relationships: [], localTags: [] },
    entities: keys.map((key) => ({ key, attributes: [], primaryKey: [] })),
    businessKeys: keys.map((key) => ({ key, entity: `key:${key}`, participants: [] })),
  };
  writtenBody(await caller.call("import", { content }));
  const { answer } = await caller.call("business_key_list", CRM);
  expect((answer?.body as { items: { key: string }[] }).items.map(({ key }) => key)).toEqual(keys);
});

const run = async (by: Caller, action: string, payload: object = {}) =>
  writtenBody(await by.call(action, { ...CRM, ...payload }));

const createKey = (by: Caller, key: string, entity: string, participants: readonly string[] = []): Promise<Outcome> =>
  by.call("business_key_create", { ...CRM, key, entityRef: `key:${entity}`, participants });

const deleteEntity = (by: Caller, key: string): Promise<Outcome> =>
  by.call("entity_delete", { ...CRM, entityRef: `key:${key}` });

interface Scene {
  readonly id: string;
  readonly generation: string;
}

/** A model with the entities `going` and `staying`, each with the attribute `a`, and business keys of them. */
async function newScene(keys: { readonly [E in "going" | "staying"]?: readonly string[] } = {}): Promise<Scene> {
  const attributes = [{ key: "a", type: "key:string", optional: true }];
  const content: ModelDocument = {
    ...{ ...sceneDocument("crm"), tags: [], relationships: [], localTags: [] },
    entities: ["going", "staying"].map((key) => ({ key, attributes, primaryKey: [] })),
    businessKeys: Object.entries(keys).flatMap(([entity, of]) =>
      of.map((key) => ({ key, entity: `key:${entity}`, participants: ["key:a"] })),
    ),
  };
  const { id } = writtenBody(await other.call("import", { content }));
  const [log] = await partition(opened.table, `log#${id}`);
  return { id, generation: String(log?.generation) };
}

/** The business keys as they are stored, by key. */
async function stored({ id, generation }: Scene): Promise<ReadonlyMap<string, Item>> {
  const items = await partition(opened.table, objectsPartition(id, generation));
  return new Map(items.filter(({ sk }) => sk.startsWith("business_key#")).map((item) => [String(item.key), item]));
}

async function listed(): Promise<readonly { readonly key: string; readonly id: string }[]> {
  const { answer, problem } = await other.call("business_key_list", CRM);
  if (!answer) throw problem ?? new Error("no answer");
  return (answer.body as { items: readonly { key: string; id: string }[] }).items;
}

describe("a business key that is created while its entity is deleted", () => {
  test("is refused by a deletion that comes between its reads and its commit", async () => {
    const scene = await newScene();
    table.arm({
      rules: [{ match: { operation: "transactWrite" }, do: { before: () => deleteEntity(other, "going") } }],
    });
    const { problem } = await createKey(caller, "late", "going", ["key:a"]);
    expect(problem?.code).toBe("not_found");
    expect(problem?.message).toContain("key:going");
    expect(await stored(scene)).toEqual(new Map());
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
  });

  test("is deleted with the entity if it comes between the reads and the commit of the deletion", async () => {
    const scene = await newScene();
    const making = async () => writtenBody(await createKey(other, "early", "going", ["key:a"]));
    table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { before: making } }] });
    writtenBody(await deleteEntity(caller, "going"));
    expect(await listed()).toEqual([]);
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
    await sweep(opened.table, clock);
    expect(await stored(scene)).toEqual(new Map());
  });

  test("causes a sweep note of the deletion, even if the entity had none when it was read", async () => {
    const scene = await newScene();
    await run(other, "entity_create", { entityKey: "bare" });
    const making = async () => writtenBody(await createKey(other, "early", "bare"));
    table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { before: making } }] });
    writtenBody(await deleteEntity(caller, "bare"));
    expect(await partition(opened.table, SWEEPS)).toHaveLength(1);
    await sweep(opened.table, clock);
    expect(await stored(scene)).toEqual(new Map());
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
  });

  test("belongs to an existing entity or is deleted, in any order of thirty such calls", async () => {
    const scene = await newScene();
    const racing = serviceOver(world, opened.table, realAmbient);
    const outcomes = await Promise.all([
      ...Array.from({ length: 20 }, (_, i) => createKey(racing, `k${i % 10}`, i % 2 ? "going" : "staying", ["key:a"])),
      ...Array.from({ length: 5 }, () => deleteEntity(racing, "going")),
      ...Array.from({ length: 5 }, (_, i) =>
        racing.call("entity_attribute_create", {
          ...{ ...CRM, entityRef: "key:staying", attributeKey: `b${i}` },
          ...{ type: "key:string", optional: true },
        }),
      ),
    ]);
    const codes = outcomes.map(({ problem }) => problem?.code ?? "ok");
    expect(codes.filter((code) => !["ok", "key_taken", "not_found"].includes(code))).toEqual([]);
    expect(codes.slice(20, 25).filter((code) => code === "ok")).toHaveLength(1);
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
    await sweep(opened.table, clock);
    expect([...(await stored(scene)).keys()]).toEqual((await listed()).map(({ key }) => key));
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
  });
});

describe("the key of a business key of a deleted entity", () => {
  test("is reused with its item, and the id of the old one is deleted in the same commit", async () => {
    const scene = await newScene();
    const { id: gone } = writtenBody(await createKey(caller, "key", "going", ["key:a"]));
    writtenBody(await deleteEntity(caller, "going"));
    const { id: made, revision } = writtenBody(await createKey(caller, "key", "staying", ["key:a"]));
    expect((await stored(scene)).get("key")).toMatchObject({ id: made, revision });
    const ids = (await partition(opened.table, `ids#${scene.id}#${scene.generation}`)).map(({ sk }) => sk);
    expect(ids).toContain(made);
    expect(ids).not.toContain(gone);
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
  });

  test("is given to one of many concurrent callers", async () => {
    const scene = await newScene();
    writtenBody(await createKey(caller, "key", "going"));
    writtenBody(await createKey(caller, "mine", "staying"));
    writtenBody(await deleteEntity(caller, "going"));
    const racing = serviceOver(world, opened.table, realAmbient);
    const rename = { ...CRM, businessKeyRef: "key:mine", value: "key" };
    const outcomes = await Promise.all([
      ...Array.from({ length: 10 }, () => createKey(racing, "key", "staying")),
      racing.call("business_key_update_key", rename),
    ]);
    const codes = outcomes.map(({ problem }) => problem?.code ?? "ok").sort();
    expect(codes).toEqual([...Array.from({ length: 10 }, () => "key_taken"), "ok"]);
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
  });

  test("is available too if the sweeper deletes the old one between the reads and the commit", async () => {
    const scene = await newScene();
    for (const key of ["one", "two"]) writtenBody(await createKey(caller, key, "going"));
    writtenBody(await createKey(caller, "mine", "staying"));
    writtenBody(await deleteEntity(caller, "going"));
    const sweeping = () => sweep(opened.table, clock);
    table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { before: sweeping } }] });
    const { id } = writtenBody(await createKey(caller, "one", "staying"));
    const { id: mine } = await run(caller, "business_key_update_key", { businessKeyRef: "key:mine", value: "two" });
    expect((await listed()).map((one) => [one.key, one.id])).toEqual([
      ["one", id],
      ["two", mine],
    ]);
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
  });

  test("is free while the deletion becomes visible item by item, and taken before", async () => {
    const scene = await newScene();
    writtenBody(await createKey(caller, "key", "going"));
    table.arm({
      rules: [{ match: { operation: "transactWrite" }, do: { scatter: 3, hold: 1_000, answered: true } }],
    });
    writtenBody(await deleteEntity(caller, "going"));
    expect(table.hides).toBe(true);
    expect((await caller.call("business_key_get", { ...CRM, businessKeyRef: "key:key" })).problem?.code).toBe(
      "not_found",
    );
    expect((await caller.call("business_key_list", CRM)).answer?.body).toEqual({ items: [] });
    writtenBody(await createKey(caller, "key", "staying"));
    await table.settle();
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
  });
});

describe("the sweep of a deleted entity", () => {
  /** `going` left five business keys, of which two were taken over since, next to three that always were others'. */
  async function leftAndTaken(): Promise<Scene> {
    const scene = await newScene({ going: ["a", "b", "c", "d", "e"], staying: ["A", "bb", "z"] });
    writtenBody(await deleteEntity(other, "going"));
    writtenBody(await createKey(other, "b", "staying", ["key:a"]));
    await run(other, "business_key_update_key", { businessKeyRef: "key:z", value: "d" });
    return scene;
  }

  const KEPT = ["A", "b", "bb", "d"];

  test("deletes exactly the items of the entity, and not the new ones at their keys", async () => {
    const scene = await leftAndTaken();
    expect([...(await stored(scene)).keys()]).toEqual(["A", "a", "b", "bb", "c", "d", "e"]);
    const before = await stored(scene);
    // Three business keys and one attribute.
    expect(await sweep(opened.table, clock)).toMatchObject({ notes: 1, items: 4 });
    const after = await stored(scene);
    expect([...after.keys()]).toEqual(KEPT);
    for (const [key, item] of after) expect(item).toEqual(before.get(key));
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
    const ids = await partition(opened.table, `ids#${scene.id}#${scene.generation}`);
    // Three types, an entity and the business keys.
    expect(ids).toHaveLength(4 + KEPT.length);
  });

  test("keeps a business key that is created at the place during the sweep", async () => {
    const scene = await leftAndTaken();
    const taking = async () => writtenBody(await createKey(other, "c", "staying"));
    table.arm({ rules: [{ match: { operation: "write", key: /business_key#c$/ }, do: { before: taking } }] });
    await sweep(table, clock);
    expect(table.trace.some(({ fault }) => fault !== undefined)).toBe(true);
    expect([...(await stored(scene)).keys()]).toEqual(["A", "b", "bb", "c", "d"]);
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
    clock.advance(SWEEP.secondLookMs + 1);
    await sweep(table, clock);
    expect([...(await stored(scene)).keys()]).toEqual(["A", "b", "bb", "c", "d"]);
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
  });

  for (const fault of ["kill", "kill-after"] as const) {
    test(`that dies ("${fault}") at any of its storage calls is completed by the next, without a visible difference`, async () => {
      await leftAndTaken();
      table.arm({});
      await sweep(table, clock);
      const calls = table.trace.length;
      expect(calls).toBeGreaterThan(10);
      for (let nth = 1; nth <= calls; nth++) {
        await begin();
        const scene = await leftAndTaken();
        const seen = await listed();
        table.arm({ rules: [{ match: { nth }, do: fault }] });
        await expect(sweep(table, clock)).rejects.toThrow(Killed);
        expect(await listed()).toEqual(seen);
        expect(await checkModel(opened.table, scene.id)).toEqual([]);
        await table.settle();
        await sweep(table, clock);
        clock.advance(SWEEP.secondLookMs + 1);
        await sweep(table, clock);
        expect([...(await stored(scene)).keys()]).toEqual(KEPT);
        expect(await listed()).toEqual(seen);
        expect(await partition(opened.table, SWEEPS)).toEqual([]);
        expect(await checkModel(opened.table, scene.id)).toEqual([]);
      }
    }, 90_000);
  }
});

describe("the deletion of an attribute", () => {
  test("logs the business keys that it changed, with their participants before and after", async () => {
    const scene = await newScene();
    await run(other, "entity_attribute_create", {
      ...{ entityRef: "key:going", attributeKey: "b" },
      ...{ type: "key:string", optional: true },
    });
    const { id: both } = writtenBody(await createKey(other, "both", "going", ["key:b", "key:a"]));
    const { id: only } = writtenBody(await createKey(other, "only", "going", ["key:a"]));
    writtenBody(await createKey(other, "none", "going", ["key:b"]));
    const refs = { entityRef: "key:going", attributeRef: "key:a" };
    const { id: a } = await run(caller, "entity_attribute_delete", refs);
    const [newest] = (await partition(opened.table, `log#${scene.id}`)).slice(-1).map(toLogEntry);
    const changes = newest?.touched ?? [];
    expect(changes.map(({ does, kind }) => [does, kind])).toEqual([
      ["delete", "attribute"],
      ["update", "business_key"],
      ["update", "business_key"],
    ]);
    const taken = new Map(changes.map(({ id, before, after }) => [id, { before, after }]));
    const b = (await stored(scene)).get("none")?.participants as readonly string[];
    expect(taken.get(both)).toEqual({ before: { participants: [...b, a] }, after: { participants: b } });
    expect(taken.get(only)).toEqual({ before: { participants: [a] }, after: { participants: [] } });
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
  });

  test("removes it from a business key that is given it between the reads and the commit", async () => {
    const scene = await newScene();
    const making = async () => writtenBody(await createKey(other, "key", "going", ["key:a"]));
    table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { before: making } }] });
    await run(caller, "entity_attribute_delete", { entityRef: "key:going", attributeRef: "key:a" });
    expect((await stored(scene)).get("key")?.participants).toEqual([]);
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
  });

  test("is noticed by the commit of a business key that has the attribute", async () => {
    const scene = await newScene();
    const deleting = () => run(other, "entity_attribute_delete", { entityRef: "key:going", attributeRef: "key:a" });
    table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { before: deleting } }] });
    const { problem } = await createKey(caller, "key", "going", ["key:a"]);
    expect(problem?.code).toBe("not_found");
    expect(problem?.message).toContain("key:a");
    expect(await checkModel(opened.table, scene.id)).toEqual([]);
  });
});
