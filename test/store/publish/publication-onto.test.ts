import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Controls } from "../../../shared/actions/contract/call.ts";
import { LIMITS, SWEEP } from "../../../shared/domain/limits.ts";
import { type LogEntry, toLogEntry } from "../../../shared/store/log/log.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { logKey, objectsPartition, releaseKey, STAGINGS } from "../../../shared/store/table/keys.ts";
import type { Item } from "../../../shared/store/table/table.ts";
import { partition } from "../support/check-model.ts";
import type { Rule } from "../support/fault-plan.ts";
import { largeDocument, runs, TYPES, typeKey } from "../support/large-writes.ts";
import { useFaultyWorld } from "../support/scenes.ts";
import { type Caller, type Outcome, writtenBody } from "../support/service-over.ts";

const CRM = { modelRef: "key:crm" };

const scene = useFaultyWorld();
let model: string;
let size: number;

beforeEach(async () => {
  ({ id: model } = await scene.world.run("model/import", { content: largeDocument("crm") }));
  size = (await scene.opened.items()).filter(({ pk }) => pk.startsWith(`model#${model}#`)).length;
});

afterEach(() => scene.expectSwept());

const log = async (): Promise<readonly LogEntry[]> =>
  (await partition(scene.opened.table, logKey(model, 0).pk)).map(toLogEntry);

async function types(): Promise<Record<string, string | undefined>> {
  const { items } = await scene.world.run("model/type_list", CRM);
  return Object.fromEntries(items.map((t: { key: string; description?: string }) => [t.key, t.description]));
}

const many = (value: string) => Object.fromEntries(Array.from({ length: TYPES }, (_, i) => [typeKey(i), value]));
const ALWAYS = { integer: undefined, string: undefined, unused: undefined };

const describeMany = (caller: Caller, payload: object, controls?: Partial<Controls>): Promise<Outcome> =>
  caller.call("test_describe_many", { ...CRM, ...payload }, controls);

const beforePublishing = (act: () => Promise<unknown>, times = 1): Rule => ({
  match: { operation: "transactWrite", key: /^stagings\|/ },
  do: { before: act },
  times,
});

/** Lists the keys with this prefix that batches have written since the plan started. */
const staged = (begin: string, trace = scene.table.trace): readonly string[] =>
  trace.flatMap(({ operation, keys }) => (operation === "batchPut" ? keys.filter((key) => key.startsWith(begin)) : []));

const listWrites = () => scene.table.trace.filter(({ operation }) => /write|Put|Delete/i.test(operation));

async function openStaging(): Promise<Item> {
  const open = (await partition(scene.opened.table, STAGINGS)).find(({ state }) => state === "open");
  if (!open) throw new Error("nothing is staged");
  return open;
}

describe("a publication onto a model", () => {
  test("has the previous and the changed objects, with the same ids", async () => {
    const { world } = scene;
    const before = await world.run("model/model_export", CRM);
    const outcome = await describeMany(scene.caller, { value: "New", makes: "made", removes: "customer" });
    expect(outcome.answer?.etag).toBe(`${model}-2`);
    expect(writtenBody(outcome)).toMatchObject({ id: model, revision: 2, changed: true });
    expect(await types()).toEqual({ ...ALWAYS, ...many("New"), made: "New" });
    const after = await world.run("model/model_export", CRM);
    expect(after.entities).toEqual(before.entities.filter(({ key }: { key: string }) => key !== "customer"));
    for (const { id, key } of after.types)
      expect(await world.run("model/type_get", { ...CRM, typeRef: `id:${id}` })).toMatchObject({ id, key });
    const gone = before.entities.find(({ key }: { key: string }) => key === "customer");
    expect((await world.problem("model/entity_get", { ...CRM, entityRef: `id:${gone.id}` })).code).toBe("not_found");
    writtenBody(await scene.caller.call("type_update_key", { ...CRM, typeRef: "key:made", value: "made-2" }));
  });

  test("keeps the generation that it replaces for a day, and no longer", async () => {
    const [first] = await log();
    const pk = objectsPartition(model, String(first?.generation));
    const old = await partition(scene.opened.table, pk);
    writtenBody(await describeMany(scene.caller, { value: "New" }));
    scene.clock.advance(SWEEP.generationMs - 1_000);
    await sweep(scene.opened.table, scene.clock);
    expect(await partition(scene.opened.table, pk)).toEqual(old);
    scene.clock.advance(2_000);
    await sweep(scene.opened.table, scene.clock);
    expect(await partition(scene.opened.table, pk)).toEqual([]);
  });

  test("without an answer that may still succeed is left alone: the next attempt stages everything again", async () => {
    scene.table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { applyLater: 100 } }] });
    writtenBody(await describeMany(scene.caller, { value: "New" }));
    const { trace } = scene.table;
    const published = trace.findIndex(({ operation }) => operation === "transactWrite");
    const stagedIn = (part: typeof trace) => staged("model#", part).map((key) => key.split("|")[0]);
    const first = new Set(stagedIn(trace.slice(0, published)));
    expect(first.size).toBe(1);
    const later = stagedIn(trace.slice(published));
    expect(later.length).toBeGreaterThan(TYPES);
    expect(later.filter((pk) => first.has(pk))).toEqual([]);
  });

  test("is used if one transaction is too small, and only then", async () => {
    writtenBody(await describeMany(scene.caller, { value: "Few", small: "yes" }));
    writtenBody(await describeMany(scene.caller, { value: "Many", small: "yes", count: "60" }));
    const generations = (await log()).map(({ generation }) => generation);
    expect(generations[1]).toBe(generations[0]);
    expect(generations[2]).not.toBe(generations[1]);
    expect(Object.values(await types()).filter((value) => value === "Many")).toHaveLength(TYPES + 60);
  });

  test("of more objects than a call may write is refused before anything is written", async () => {
    scene.table.arm({});
    const many = { value: "Few", small: "yes", count: String(LIMITS.objectsPerCall) };
    expect((await describeMany(scene.caller, many)).problem?.code).toBe("too_large");
    expect(listWrites()).toEqual([]);
  });

  test("with a taken key is refused without leftovers; so is its dry run", async () => {
    scene.table.arm({});
    for (const [name, payload] of [
      ["test_describe_many", { value: "x", makes: "new,unused" }],
      ["test_rename_types", { from: "t00,t01", to: "t02,other" }],
    ] as const) {
      for (const dryRun of [true, false]) {
        const { problem } = await scene.caller.call(name, { ...CRM, ...payload }, { dryRun });
        const message = expect.stringContaining("is already used by another type");
        expect(problem).toMatchObject({ code: "key_taken", message });
      }
    }
    expect(listWrites()).toEqual([]);
  });

  test("may take keys that it frees itself", async () => {
    const ids = await scene.world.run("model/type_list", CRM);
    const idOf = (key: string) => ids.items.find((t: { key: string }) => t.key === key).id;
    writtenBody(await scene.caller.call("test_rename_types", { ...CRM, from: "t00,t01,t02", to: "t01,t02,t00" }));
    for (const [from, to] of Object.entries({ t00: "t01", t01: "t02", t02: "t00" })) {
      expect((await scene.world.run("model/type_get", { ...CRM, typeRef: `key:${to}` })).id).toBe(idOf(from));
      expect((await scene.world.run("model/type_get", { ...CRM, typeRef: `id:${idOf(from)}` })).key).toBe(to);
    }
  });

  test("releases a version and shows it in the list of models", async () => {
    writtenBody(await describeMany(scene.caller, { value: "New", version: "1.0.0" }));
    expect(await scene.world.run("model/model_list")).toMatchObject([{ key: "crm", version: "1.0.0" }]);
    expect(await scene.opened.table.get(releaseKey(model, "1.0.0"))).toMatchObject({ revision: 2 });
  });
});

describe("a slow publication", () => {
  test("renews its lease", async () => {
    let record: Item | undefined;
    const waiting = async () => {
      scene.clock.advance(SWEEP.stagingMs / 10);
      await sweep(scene.opened.table, scene.clock);
      record = await openStaging();
    };
    scene.table.arm([{ match: { operation: "batchPut", key: /^model#/ }, do: { before: waiting }, times: 40 }]);
    const { problem } = await describeMany(scene.caller, { value: "Slow", count: "500" });
    // By its clock the publication was much too late for its caller, but nobody took its generation.
    expect(problem?.code ?? "ok").toMatch(/ok|contention|out_of_time/);
    expect(record).toMatchObject({ state: "open", epoch: 1 });
  });

  test("with a closed record does not happen, and starts again", async () => {
    let closed: Item | undefined;
    const closing = async () => {
      closed = await openStaging();
      const put = { ...closed, state: "closed", epoch: 2 };
      await scene.opened.table.write({ put, expect: { equal: { state: "open" } } });
    };
    scene.table.arm({ rules: [beforePublishing(closing)] });
    writtenBody(await describeMany(scene.caller, { value: "Anew" }));
    expect((await log()).map(({ generation }) => generation)).not.toContain(closed?.sk);
    expect(await types()).toEqual({ ...ALWAYS, ...many("Anew") });
  });
});

test("a long read is not affected by a publication", async () => {
  const exported = async (): Promise<unknown> => (await scene.quiet.call("model_export", CRM)).answer;
  for (let nth = 2; ; nth++) {
    const right = [await exported()];
    let published = false;
    const other = async () => {
      published = true;
      writtenBody(await describeMany(scene.quiet, { value: `During ${nth}`, makes: `made-${nth}` }));
      right.push(await exported());
    };
    scene.table.arm({
      pageRows: 10,
      rules: [{ match: { operation: ["query", "transactGet"], key: /^(model|log)#/, nth }, do: { before: other } }],
    });
    const { answer } = await scene.caller.call("model_export", CRM);
    const pages = scene.table.trace.filter(({ keys }) => keys[0]?.startsWith("model#")).length;
    expect(right).toContainEqual(answer);
    if (!published) break;
    // The export went on where it was, instead of starting over.
    expect(pages).toBeLessThanOrEqual(12 + nth);
  }
});

/** Given up at once, so that the sweeper need not wait until the writer counts as gone. */
async function expectGivenUp() {
  const states = (await partition(scene.opened.table, STAGINGS)).map(({ state }) => state);
  expect(states).not.toContain("open");
  expect(states).toContain("closed");
}

describe("a publication during which other commits succeed", () => {
  const byOther = async (action: string, payload: object) =>
    void writtenBody(await scene.quiet.call(action, { ...CRM, ...payload }));
  const rename = () => byOther("entity_update_name", { entityRef: "key:order", value: "Orders" });

  test("includes unrelated ones, and does not start again", async () => {
    const others = async () => {
      await rename();
      await byOther("entity_create", { entityKey: "supplier" });
      await byOther("entity_delete", { entityRef: "key:empty" });
      await byOther("entity_update_key", { entityRef: "key:order", value: "sale" });
    };
    scene.table.arm({ rules: [beforePublishing(others)] });
    const call = [scene.caller, { value: "Overtaken", makes: "made" }, { idempotencyKey: "overtaken" }] as const;
    const outcome = await describeMany(...call);
    expect(writtenBody(outcome).revision).toBe(6);
    expect(outcome.answer?.etag).toBe(`${model}-6`);
    expect((await describeMany(...call)).answer).toMatchObject({ replayed: true, body: { revision: 6 } });
    expect(runs.get("Overtaken")).toBe(1);
    const once = staged("model#").map((key) => key.split("|")[1]);
    expect(once.slice(-2).sort()).toEqual(["entity#sale", "entity#supplier"]);
    expect(once).toHaveLength(size + 1 + 2);
    const { entities } = await scene.world.run("model/model_export", CRM);
    const concerned = entities.filter(({ key }: { key: string }) => key !== "person");
    expect(concerned.map(({ key, name }: { key: string; name?: string }) => [key, name])).toEqual([
      ["customer", "Customers"],
      ["sale", "Orders"],
      ["supplier", undefined],
    ]);
    expect(await types()).toEqual({ ...ALWAYS, ...many("Overtaken"), made: "Overtaken" });
    expect((await log()).at(-1)).toMatchObject({ revision: 6, snapshotAt: 1 });
  });

  test("decides again after one that touches what it writes, and writes only the difference", async () => {
    const others = async () => {
      await byOther("type_update_name", { typeRef: "key:t07", value: "Seven" });
      await byOther("type_delete", { typeRef: "key:t08" });
    };
    scene.table.arm({ rules: [beforePublishing(others)] });
    expect(writtenBody(await describeMany(scene.caller, { value: "Decided" })).revision).toBe(4);
    expect(runs.get("Decided")).toBe(2);
    const later = staged("model#").slice(size);
    expect(later.map((key) => key.split("|")[1])).toEqual(["type#t07"]);
    expect(await types()).toEqual({ ...ALWAYS, ...many("Decided"), t08: undefined });
    expect(await scene.world.run("model/type_get", { ...CRM, typeRef: "key:t07" })).toMatchObject({ name: "Seven" });
  });

  test("stages once, however often it decides", async () => {
    let other = 0;
    const others = async () => {
      other += 1;
      await byOther("type_create", { typeKey: `other-${other}` });
      await byOther("type_update_description", { typeRef: "key:t03", value: `x${other}` });
    };
    scene.table.arm({ rules: [beforePublishing(others, 4)] });
    expect(writtenBody(await scene.caller.call("test_reset_all", { ...CRM, value: "Reset" })).revision).toBe(10);
    expect(runs.get("Reset")).toBe(5);
    expect(staged("model#")).toHaveLength(size - 1);
    // The publication wrote one snapshot, and one blob of changes for each decision.
    expect(new Set(staged("blob#")).size).toBe(1 + 5);
    expect(await types()).toEqual({ integer: undefined, string: undefined, ...many("Reset") });
  });

  test("of a new model leaves nothing that it staged before it decided again", async () => {
    const { table, caller } = scene;
    table.arm([
      { match: { operation: "transactWrite", key: /^stagings\|/ }, do: "conflict", times: 4 },
      { match: { operation: "transactGet", key: /^stagings\|/ }, do: { before: rename } },
    ]);
    writtenBody(await caller.call("model_copy", { ...CRM, modelNewKey: "copy" }));
    expect(new Set(table.trace.flatMap(({ keys }) => keys.filter((key) => key.startsWith("blob#")))).size).toBe(2);
  });

  test("finds its key taken by one of them", async () => {
    scene.table.arm({ rules: [beforePublishing(() => byOther("type_create", { typeKey: "made" }))] });
    const { problem } = await describeMany(scene.caller, { value: "Taken", makes: "made" });
    expect(problem?.code).toBe("key_taken");
    await expectGivenUp();
  });

  test("with If-Match does not happen", async () => {
    scene.table.arm({ rules: [beforePublishing(rename)] });
    const control = { ifMatch: [{ ledgerId: model, revision: 1 }] };
    const { problem } = await describeMany(scene.caller, { value: "Pinned" }, control);
    expect(problem).toMatchObject({ code: "precondition_failed" });
    expect((await log()).map(({ generation }) => generation)).toHaveLength(2);
    await expectGivenUp();
  });

  test("is given up if the call then decides to write nothing", async () => {
    // The other call makes the same changes.
    scene.table.arm({ rules: [beforePublishing(() => byOther("test_describe_many", { value: "Same" }))] });
    const body = writtenBody(await describeMany(scene.caller, { value: "Same" }));
    expect(body).toMatchObject({ revision: 2, changed: false });
    expect(runs.get("Same")).toBe(3);
    await expectGivenUp();
  });

  test.each([false, true])("ends with not_found if the model is deleted, and is swept (%s)", async (touching) => {
    let touched = false;
    const deleted = (): Promise<void> => {
      touched = touching;
      return touching ? byOther("type_delete", { typeRef: "key:t08" }) : byOther("model_delete", {});
    };
    const deletedLater = async () => {
      if (touched) await byOther("model_delete", {});
      touched = false;
    };
    const later: Rule = {
      match: { operation: "query", key: new RegExp(`^log#${model}`) },
      do: { before: deletedLater },
      times: Number.POSITIVE_INFINITY,
    };
    scene.table.arm({ rules: [beforePublishing(deleted), later] });
    expect((await describeMany(scene.caller, { value: "Deleted" })).problem?.code).toBe("not_found");
    // The call fails at once, not after a quarter of an hour.
    expect((await partition(scene.opened.table, STAGINGS)).filter(({ state }) => state === "open")).toEqual([]);
  });
});
