import { beforeEach, describe, expect, test } from "vitest";
import { beginCall } from "../../../shared/actions/contract/call.ts";
import type { Service } from "../../../shared/actions/pipeline/call-context.ts";
import { runJob } from "../../../shared/actions/pipeline/run-job.ts";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import { createJobStore } from "../../../shared/store/jobs/job-store.ts";
import { createStore } from "../../../shared/store/model-store.ts";
import type { Table } from "../../../shared/store/table/table.ts";
import { OWNER, writeOwner } from "../../support/accounts.ts";
import { openTable, type TestTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { checkAll } from "../support/check-model.ts";
import { createFaultTable, type FaultTable } from "../support/fault-table.ts";
import { itemsTable } from "../support/items-table.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { sceneDocument } from "../support/scene.ts";
import { listLeftovers, sweepAll } from "../support/swept.ts";

let opened: TestTable;
let world: World;
let clock: ReturnType<typeof quickAmbient>;
let table: FaultTable;
let watched: Service;
let other: Service;

beforeEach(async () => {
  opened = await openTable();
  world = await createWorld({ table: opened.table });
  await writeOwner(world.table);
  clock = quickAmbient();
  table = createFaultTable(opened.table);
  watched = serviceOn(table);
  other = serviceOn(opened.table);
});

/** A worker's service over a table. */
function serviceOn(over: Table): Service {
  const ports = () => ({
    ...world.service.ports(Number.POSITIVE_INFINITY),
    store: createStore(over, clock),
    jobs: createJobStore(over, clock, async () => undefined),
  });
  return { ...world.service, ambient: clock, ports };
}

/** Accepts a small import as a job; its id. */
async function accept(key: string): Promise<string> {
  const facts = { requestId: key, action: "model/import", channel: "http" as const, principal: undefined };
  const call = beginCall({ ...facts, deadline: clock.now() + LIMITS.callMs }, clock);
  const prepared = { document: sceneDocument(key), warnings: [] };
  const payload = { path: [], input: { content: {} } };
  const order = { payload, prepared, channel: facts.channel, requestId: key, principal: OWNER };
  return (await other.ports(call.deadline).jobs.accept(call, order, 20)).id;
}

const work = (service: Service, id: string) => runJob(id, service, clock.now() + 900_000);

/** Has something happen when all is staged and the worker is about to publish. */
function beforePublishing(happens: () => Promise<unknown>): void {
  const match = { operation: "transactWrite", key: /^log#/ } as const;
  table.arm({ rules: [{ match, do: { before: happens } }] });
}

describe("a worker before its publication", () => {
  test("does not publish after its job was cancelled", async () => {
    const id = await accept("cancelled");
    const { jobs } = other.ports(0);
    beforePublishing(() => jobs.cancel(id));
    expect(await work(watched, id)).toBe("left");
    expect((await jobs.get(id))?.state).toBe("cancelled");
    expect((await world.problem("model/model_get", { modelRef: "key:cancelled" })).code).toBe("not_found");
    clock.advance(LIMITS.jobDays * 86_400_000);
    await sweepAll(opened.table, clock);
    expect(listLeftovers(await opened.items())).toEqual([]);
  });

  for (const fault of ["lose", "lose-answer"] as const) {
    test(`publishes although the answer to its progress report was lost (${fault})`, async () => {
      const id = await accept("shown");
      table.arm({ rules: [{ match: { operation: "write", key: /^jobs\|/, nth: 2 }, do: fault }] });
      expect(await work(watched, id)).toBe("done");
      expect(await other.ports(0).jobs.get(id)).toMatchObject({ state: "done", result: { key: "shown" } });
    });
  }

  test("publishes though another worker took over its job, which ends and writes nothing more", async () => {
    const id = await accept("taken");
    const { jobs } = other.ports(0);
    let second: Awaited<ReturnType<typeof jobs.lease>>;
    beforePublishing(async () => {
      clock.advance(LIMITS.jobLeaseMs + 1);
      second = await jobs.lease(id);
    });
    expect(await work(watched, id)).toBe("done");
    if (!second) throw new Error("nobody could take the job");
    const { lease: mark } = second;
    await expect(mark.progress(20, 20)).rejects.toMatchObject({ code: "job_ended" });
    await expect(jobs.finish({ lease: mark, result: "another" })).rejects.toMatchObject({ code: "job_ended" });
    expect(await jobs.get(id)).toMatchObject({ state: "done", result: { key: "taken" } });
    expect(await work(other, id)).toBe("not_taken");
    const items = await opened.items();
    expect(await checkAll(itemsTable(items), items)).toEqual([]);
  });

  test("keeps its job while it works, however long that takes", async () => {
    const id = await accept("long");
    const { jobs } = other.ports(0);
    const taken = await jobs.lease(id);
    for (let round = 0; round < 3; round++) {
      clock.advance(LIMITS.jobLeaseMs - 1);
      await taken?.lease.progress(round, 20);
      expect(await jobs.lease(id)).toBeUndefined();
    }
    clock.advance(LIMITS.jobLeaseMs + 1);
    expect(await jobs.lease(id)).toBeDefined();
  });
});

test("a worker that lost its job does not end it as failed for the new worker", async () => {
  const id = await accept("superseded");
  const { jobs } = other.ports(0);
  const first = await jobs.lease(id);
  clock.advance(LIMITS.jobLeaseMs + 1);
  const second = await jobs.lease(id);
  if (!first || !second) throw new Error("nobody could take the job");
  await jobs.fail(first, new Problem("invalid_content", "too late"));
  expect((await jobs.get(id))?.state).toBe("running");
  await jobs.fail(second, new Problem("invalid_content", "in time"));
  expect(await jobs.get(id)).toMatchObject({ state: "failed", problem: { detail: "in time" } });
});
