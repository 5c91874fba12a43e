import { beforeEach, describe, expect, test } from "vitest";
import { beginCall, type Call, type IdempotencyRequest } from "../../../shared/actions/contract/call.ts";
import type { JobOrder } from "../../../shared/actions/contract/jobs.ts";
import type { Service } from "../../../shared/actions/pipeline/call-context.ts";
import { runJob } from "../../../shared/actions/pipeline/run-job.ts";
import { model } from "../../../shared/domain/kinds.ts";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { createJobStore } from "../../../shared/store/jobs/job-store.ts";
import { createStore } from "../../../shared/store/model-store.ts";
import { countItemBytes } from "../../../shared/store/table/dynamo-rules.ts";
import { JOBS, recordKey } from "../../../shared/store/table/keys.ts";
import type { Table } from "../../../shared/store/table/table.ts";
import { OWNER, writeOwner } from "../../support/accounts.ts";
import { openTable, type TestTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { checkAll, partition } from "../support/check-model.ts";
import type { Fault } from "../support/fault-plan.ts";
import { createFaultTable, type FaultTable } from "../support/fault-table.ts";
import { largeDocument, TYPES, withLargeWrites } from "../support/large-writes.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { sceneDocument } from "../support/scene.ts";

const HOUR_MS = 3_600_000;

let opened: TestTable;
let world: World;
let clock: ReturnType<typeof quickAmbient>;
let table: FaultTable;
let service: Service;

beforeEach(async () => {
  opened = await openTable();
  world = await createWorld({ table: opened.table });
  await writeOwner(world.table);
  clock = quickAmbient();
  table = createFaultTable(opened.table);
  service = serviceOn(opened.table);
});

/** A worker's service over a table. */
function serviceOn(over: Table): Service {
  const ports = () => ({
    ...world.service.ports(Number.POSITIVE_INFINITY),
    store: createStore(over, clock),
    jobs: createJobStore(over, clock, async () => undefined),
  });
  return withLargeWrites({ ...world.service, ambient: clock, ports });
}

const jobs = () => service.ports(0).jobs;
const callOf = (action: string): Call =>
  beginCall({ requestId: "r", action, channel: "http", principal: undefined, deadline: clock.now() + 29_000 }, clock);
const claimFor = (id: string, { time }: Call): IdempotencyRequest => ({
  id,
  fingerprint: "f",
  expiresAt: Math.floor(Date.parse(time) / 1000) + LIMITS.idempotencyHours * 3_600,
});

/** The order of a small import, whose answer repeats the warnings. */
function importOf(key: string, warnings: readonly object[] = [], claim?: IdempotencyRequest): JobOrder {
  const prepared = { document: sceneDocument(key), warnings };
  const payload = { path: [], input: { content: {} } };
  return { payload, prepared, channel: "http", requestId: "r", principal: OWNER, ...(claim && { claim }) };
}

/** Accepts an import under an idempotency key; the job's id. */
async function acceptImport(key: string, warnings: readonly object[] = []): Promise<string> {
  const call = callOf("model/import");
  return (await jobs().accept(call, importOf(key, warnings, claimFor(key, call)), 20)).id;
}

const work = (id: string) => runJob(id, service, clock.now() + 60_000);
const recall = (id: string) => service.ports(0).store.getRecord(id);

describe("a job with an idempotency key", () => {
  /** Warnings of random text, which no compression makes smaller. */
  const manyWarnings = (count: number) =>
    Array.from({ length: count }, () => ({ code: "x", detail: clock.newId() + Math.random() }));

  test("fails before its commit if its answer is larger than a record may be", async () => {
    const id = await acceptImport("large", manyWarnings(LIMITS.idempotencyRecordBytes / 60));
    expect(await work(id)).toBe("failed");
    expect(await jobs().get(id)).toMatchObject({ state: "failed", problem: { code: "too_large" } });
    const items = await opened.items();
    await expect(service.ports(0).store.open({ scheme: "key", value: "large" })).rejects.toThrow("no model key:large");
    expect(await checkAll(opened.table, items)).toEqual([]);
  });

  test("replays its answer, and no item is larger than permitted", async () => {
    const warnings = manyWarnings(800);
    const id = await acceptImport("large", warnings);
    expect(await work(id)).toBe("done");
    const result = { status: "ok", key: "large", warnings };
    expect((await recall("large"))?.answer.body).toMatchObject(result);
    expect((await jobs().get(id))?.result).toMatchObject(result);
    const items = await opened.items();
    expect(Math.max(...items.map(countItemBytes))).toBeLessThan(400_000);
    const row = (await partition(opened.table, JOBS)).find(({ sk }) => sk === id);
    expect(row && countItemBytes(row)).toBeLessThan(5_000);
    expect(await checkAll(opened.table, items)).toEqual([]);
  });

  for (const [how, gone] of [
    ["gone", true],
    ["expired and still there", false],
  ] as const) {
    const outlive = async (id: string): Promise<void> => {
      clock.advance((LIMITS.idempotencyHours + 1) * HOUR_MS);
      if (gone) await opened.table.batchDelete([recordKey(id)]);
    };

    test(`completes also if its record is ${how}`, { timeout: 20_000 }, async () => {
      const id = await acceptImport("late");
      await outlive("late");
      expect(await work(id)).toBe("done");
      expect(await jobs().get(id)).toMatchObject({ state: "done", result: { status: "ok", key: "late" } });
      expect(await recall("late")).toBeUndefined();
    });

    test(`can be cancelled also if its record is ${how}`, { timeout: 20_000 }, async () => {
      const id = await acceptImport("late");
      await outlive("late");
      expect(await jobs().cancel(id)).toMatchObject({ state: "cancelled" });
    });
  }

  test("does not change the record of another call that has used the key since it expired", async () => {
    const id = await acceptImport("key");
    clock.advance((LIMITS.idempotencyHours + 1) * HOUR_MS);
    const answer = { mediaType: "application/json", body: { status: "ok" } };
    const other = { ...claimFor("key", callOf("model/import")), answer };
    expect(await service.ports(0).store.putRecord(other)).toBeUndefined();
    expect(await work(id)).toBe("done");
    expect(await recall("key")).toEqual(other);
    const second = await acceptImport("second");
    clock.advance((LIMITS.idempotencyHours + 1) * HOUR_MS);
    expect(await service.ports(0).store.putRecord({ ...other, id: "second", expiresAt: clock.now() })).toBeUndefined();
    expect(await jobs().cancel(second)).toMatchObject({ state: "cancelled" });
    expect(await recall("second")).toMatchObject({ answer });
  });
});

describe("the acceptance of a job", () => {
  const faults: readonly (readonly [string, Fault])[] = [
    ["never arrives", "lose"],
    ["is not answered", "lose-answer"],
    ["arrives late", { applyLater: 1 }],
    ["arrives after it was sent again", { applyLater: 2 }],
  ];
  test.each(faults)("whose transaction %s happens once, and is answered correctly", async (_, fault) => {
    const shaky = createJobStore(table, clock, async () => undefined);
    table.arm({ rules: [{ match: { operation: "transactWrite" }, do: fault }] });
    const call = callOf("model/import");
    const { id } = await shaky.accept(call, importOf("once", [], claimFor("once", call)), 20);
    await table.settle();
    expect((await jobs().list(() => true, {})).items).toMatchObject([{ id, state: "accepted" }]);
    expect((await recall("once"))?.job).toBe(id);
    expect(await work(id)).toBe("done");
  });

  for (const after of ["lose", "throttle", "conflict"] as const) {
    test(`whose transaction may still succeed, and then fails with "${after}" only, is not reported as repeatable`, async () => {
      const shaky = createJobStore(table, clock, async () => undefined);
      const match = { operation: "transactWrite" } as const;
      table.arm({
        rules: [
          { match, do: { applyLater: 1_000 } },
          { match, do: after, times: 1_000 },
        ],
      });
      const accepting = shaky.accept(callOf("model/import"), importOf("doubtful"), 20);
      await expect(accepting).rejects.toMatchObject({ code: "out_of_time" });
      await table.settle();
      expect((await jobs().list(() => true, {})).items).toMatchObject([{ state: "accepted" }]);
    });
  }

  test("that fails before it has any effect is reported as repeatable", async () => {
    const shaky = createJobStore(table, clock, async () => undefined);
    table.arm({ rules: [{ match: { operation: "batchPut" }, do: "lose" }] });
    const accepting = shaky.accept(callOf("model/import"), importOf("undone"), 20);
    await expect(accepting).rejects.toMatchObject({ code: "unavailable" });
    await table.settle();
    expect((await jobs().list(() => true, {})).items).toEqual([]);
  });
});

test("a job without remaining changes is done", async () => {
  await world.run("model/import", { content: largeDocument("crm") });
  const describing = async (claim?: IdempotencyRequest): Promise<string> => {
    const path = [{ kind: model, ref: { scheme: "key", value: "crm" } }] as const;
    const order = { ...importOf("", [], claim), payload: { path, input: { value: "Once", small: "yes" } } };
    return (await jobs().accept(callOf("model/test_describe_many"), order, TYPES)).id;
  };
  const [first, second] = [await describing(), await describing(claimFor("k", callOf("x")))];
  expect(await work(first)).toBe("done");
  expect(await jobs().get(first)).toMatchObject({ state: "done", result: { changed: true, revision: 2 } });
  expect(await work(second)).toBe("done");
  expect(await jobs().get(second)).toMatchObject({ state: "done", result: { changed: false, revision: 2 } });
  expect((await recall("k"))?.answer.body).toMatchObject({ changed: false, revision: 2 });
  expect(await work(second)).toBe("not_taken");
});

test("an expired job is absent, also while its item still exists", async () => {
  const id = await acceptImport("old");
  expect(await work(id)).toBe("done");
  clock.advance(LIMITS.jobDays * 24 * HOUR_MS);
  expect(await jobs().get(id)).toMatchObject({ id, state: "done" });
  clock.advance(2_000);
  expect(await opened.table.get({ pk: JOBS, sk: id })).toBeDefined();
  expect(await jobs().get(id)).toBeUndefined();
  expect(await jobs().cancel(id)).toBeUndefined();
  expect(await jobs().list(() => true, {})).toEqual({ items: [] });
});

test("jobs are listed in pages, newest first, for one actor or all", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    const order = importOf(`m${i}`);
    const principal = i % 2 === 0 ? OWNER : { ...OWNER, actorId: "01890a5d-ac96-774b-bcce-b302099a8058" };
    ids.unshift((await jobs().accept(callOf("model/import"), { ...order, principal }, 20)).id);
  }
  const pages = async (actor: string | undefined, limit: number): Promise<readonly string[][]> => {
    const all: string[][] = [];
    for (let after: string | undefined; ; ) {
      const isAsked = (job: { readonly actor: string }): boolean => actor === undefined || job.actor === actor;
      const { items, next } = await jobs().list(isAsked, { limit, ...(after !== undefined && { after }) });
      all.push(items.map((job) => job.id));
      if (next === undefined) return all;
      after = next;
    }
  };
  expect(await pages(undefined, 2)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  expect(await pages(undefined, 5)).toEqual([ids]);
  expect(await pages(OWNER.actorId, 2)).toEqual([[ids[0], ids[2]], [ids[4]]]);
});
