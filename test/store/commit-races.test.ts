import { beforeAll, describe, expect, test } from "vitest";
import type { Table } from "../../shared/store/table/table.ts";
import { realAmbient } from "../support/ambient.ts";
import { openTable } from "../support/table.ts";
import { createWorld, type World } from "../support/world.ts";
import { checkModel } from "./support/check-model.ts";
import { createFaultTable, type FaultTable } from "./support/fault-table.ts";
import { sceneDocument } from "./support/scene.ts";
import { type Caller, type Outcome, serviceOver } from "./support/service-over.ts";

const CALLERS = 50;

let opened: Table;
let world: World;
let table: FaultTable;
let caller: Caller;

beforeAll(async () => {
  opened = (await openTable()).table;
  world = await createWorld({ table: opened });
  table = createFaultTable(opened);
  caller = serviceOver(world, table, realAmbient);
});

/** Runs calls at once; tells the codes they end in, and prints how hard it was. */
async function race(what: string, calls: readonly (() => Promise<Outcome>)[]): Promise<Map<string, number>> {
  table.arm({});
  let worst = 0;
  const codes = await Promise.all(
    calls.map(async (call) => {
      const begun = performance.now();
      const { problem } = await call();
      worst = Math.max(worst, performance.now() - begun);
      return problem?.code ?? "ok";
    }),
  );
  const commits = table.trace.filter(({ operation }) => operation === "transactWrite").length;
  const done = codes.filter((code) => code === "ok").length;
  process.stdout.write(`${what}: ${commits} commits tried for ${done} made, worst wait ${Math.round(worst)} ms\n`);
  return new Map([...Map.groupBy(codes, (code) => code)].map(([code, all]) => [code, all.length]));
}

const times = (call: (i: number) => Promise<Outcome>, count = CALLERS): (() => Promise<Outcome>)[] =>
  Array.from({ length: count }, (_, i) => () => call(i));

async function newScene(key: string): Promise<string> {
  return (await world.run("model/import", { content: sceneDocument(key) })).id;
}

async function revisionOf(id: string): Promise<number> {
  return (await world.run("model/model_get", { modelRef: `id:${id}` })).revision;
}

describe("callers at once", () => {
  test("of fifty that create an entity with one key one succeeds, and the others are told that it is taken", async () => {
    const id = await newScene("one-key");
    const codes = await race(
      "one entity key",
      times(() => caller.call("entity_create", { modelRef: "key:one-key", entityKey: "supplier" })),
    );
    expect(Object.fromEntries(codes)).toEqual({ ok: 1, key_taken: CALLERS - 1 });
    expect(await revisionOf(id)).toBe(2);
    expect(await checkModel(opened, id)).toEqual([]);
  });

  test("of fifty that create entities with different keys all succeed, without a gap in the revisions", async () => {
    const id = await newScene("many-keys");
    const revisions: number[] = [];
    const codes = await race(
      "fifty entity keys",
      times(async (i) => {
        const outcome = await caller.call("entity_create", { modelRef: "key:many-keys", entityKey: `supplier-${i}` });
        if (outcome.answer) revisions.push((outcome.answer.body as { revision: number }).revision);
        return outcome;
      }),
    );
    expect(Object.fromEntries(codes)).toEqual({ ok: CALLERS });
    expect(revisions.sort((a, b) => a - b)).toEqual(Array.from({ length: CALLERS }, (_, i) => i + 2));
    expect(await checkModel(opened, id)).toEqual([]);
  });

  test("that change, rename and delete one object leave the model whole, and each says what it did", async () => {
    const id = await newScene("one-object");
    const customer = await world.run("model/entity_get", { modelRef: "key:one-object", entityRef: "key:customer" });
    const on = { modelRef: `id:${id}`, entityRef: `id:${customer.id}` };
    const attribute = { type: "key:string", optional: true };
    const changes = [
      ...times((i) => caller.call("entity_update_name", { ...on, value: `Name ${i}` }), 10),
      ...times((i) => caller.call("entity_update_key", { ...on, value: `customer-${i}` }), 10),
      ...times((i) => caller.call("entity_attribute_create", { ...on, ...attribute, attributeKey: `a${i}` }), 10),
    ];
    expect(Object.fromEntries(await race("one object", changes))).toEqual({ ok: 30 });
    expect(await revisionOf(id)).toBe(31);
    const codes = await race("one object that goes", [
      ...times((i) => caller.call("entity_update_name", { ...on, value: `Later ${i}` }), 10),
      ...times((i) => caller.call("entity_attribute_create", { ...on, ...attribute, attributeKey: `b${i}` }), 10),
      ...times(() => caller.call("entity_delete", on), 5),
      ...times(() => caller.call("type_delete", { modelRef: `id:${id}`, typeRef: "key:string" }), 5),
    ]);
    expect([...codes.keys()].filter((code) => !["ok", "not_found", "still_used"].includes(code))).toEqual([]);
    expect(await revisionOf(id)).toBe(31 + (codes.get("ok") ?? 0));
    expect(await checkModel(opened, id)).toEqual([]);
  });

  test("on two models never meet: every commit succeeds at once", async () => {
    const ids = [await newScene("left"), await newScene("right")];
    const turns = async (key: string): Promise<Outcome> => {
      let last: Outcome | undefined;
      for (let i = 0; i < 10; i++)
        last = await caller.call("type_create", { modelRef: `key:${key}`, typeKey: `t${i}` });
      return last ?? { request: "" };
    };
    await race("two models", [() => turns("left"), () => turns("right")]);
    const commits = table.trace.filter(({ operation }) => operation === "transactWrite");
    expect(commits).toHaveLength(20);
    expect(commits.every(({ outcome }) => outcome === "ok")).toBe(true);
    for (const id of ids) expect(await checkModel(opened, id)).toEqual([]);
  });

  test("of fifty that create a model with one key one succeeds", async () => {
    const codes = await race(
      "one model key",
      times(() => caller.call("model_create", { key: "wanted", name: "Wanted" })),
    );
    expect(Object.fromEntries(codes)).toEqual({ ok: 1, key_taken: CALLERS - 1 });
    const { id } = await world.run("model/model_get", { modelRef: "key:wanted" });
    expect(await checkModel(opened, id)).toEqual([]);
  });

  test("of ten that import a model with one key one succeeds", async () => {
    const codes = await race(
      "one imported key",
      times(() => caller.call("import", { content: sceneDocument("imported") }), 10),
    );
    expect(Object.fromEntries(codes)).toEqual({ ok: 1, key_taken: 9 });
  });

  test("of ten models that are given one key one gets it", async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, (_, i) => newScene(`candidate-${i}`)));
    const codes = await race(
      "one key for ten models",
      times((i) => caller.call("model_update_key", { modelRef: `key:candidate-${i}`, value: "chosen" }), 10),
    );
    expect(Object.fromEntries(codes)).toEqual({ ok: 1, key_taken: 9 });
    for (const id of ids) expect(await checkModel(opened, id)).toEqual([]);
  });

  test("that delete a model, change it and create another with its key leave both whole", async () => {
    const id = await newScene("contested");
    const codes = await race("a deleted model", [
      ...times(() => caller.call("model_delete", { modelRef: "key:contested" }), 5),
      ...times((i) => caller.call("type_create", { modelRef: "key:contested", typeKey: `t${i}` }), 10),
      ...times(() => caller.call("model_create", { key: "contested", name: "Another" }), 5),
    ]);
    expect([...codes.keys()].filter((code) => !["ok", "not_found", "key_taken"].includes(code))).toEqual([]);
    expect(await checkModel(opened, id)).toEqual([]);
    const rows = await world.run("model/model_list");
    for (const row of rows) expect(await checkModel(opened, row.id)).toEqual([]);
  });
});
