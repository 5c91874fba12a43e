import { expect, test } from "vitest";
import { beginCall } from "../../../shared/actions/contract/call.ts";
import type { JobOrder } from "../../../shared/actions/contract/jobs.ts";
import type { Service } from "../../../shared/actions/pipeline/call-context.ts";
import { type JobOutcome, runJob } from "../../../shared/actions/pipeline/run-job.ts";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { createJobStore } from "../../../shared/store/jobs/job-store.ts";
import { createStore } from "../../../shared/store/model-store.ts";
import type { Table } from "../../../shared/store/table/table.ts";
import { OWNER, writeOwner } from "../../support/accounts.ts";
import { openTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { checkAll } from "../support/check-model.ts";
import { createFaultTable, Killed } from "../support/fault-table.ts";
import { itemsTable } from "../support/items-table.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { sceneDocument } from "../support/scene.ts";
import { listLeftovers, sweepAll } from "../support/swept.ts";

type Clock = ReturnType<typeof quickAmbient>;

/** The service of a world with models and jobs behind another table and clock. */
function serviceOn(world: World, table: Table, clock: Clock): Service {
  return {
    ...world.service,
    ambient: clock,
    ports: () => ({
      ...world.service.ports(Number.POSITIVE_INFINITY),
      store: createStore(table, clock),
      jobs: createJobStore(table, clock, async () => undefined),
    }),
  };
}

/** An import as it is accepted: small, because what a crash does depends on the calls and not on the objects. */
function order(key: string): JobOrder {
  const { id: _, ...document } = sceneDocument(key);
  return {
    payload: { path: [], input: { content: {} } },
    prepared: { document, warnings: [] },
    channel: "http",
    requestId: `accepted-${key}`,
    principal: OWNER,
  };
}

async function died(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Killed) return "killed";
    throw error;
  }
}

for (const fault of ["kill", "kill-after"] as const) {
  const when = fault === "kill" ? "before" : "after";
  test(`a job whose acceptance and worker die ${when} any storage call is done once by the next worker, without leftovers`, async () => {
    const opened = await openTable();
    const world = await createWorld({ table: opened.table });
    await writeOwner(world.table);
    const clock = quickAmbient();
    const table = createFaultTable(opened.table);
    const shaky = serviceOn(world, table, clock);
    const sound = serviceOn(world, opened.table, clock);
    const wrong: string[] = [];
    const accept = (service: Service, key: string) => {
      const facts = { requestId: key, action: "model/import", channel: "http" as const, principal: undefined };
      const call = beginCall({ ...facts, deadline: clock.now() + LIMITS.callMs }, clock);
      return service.ports(call.deadline).jobs.accept(call, order(key), 20);
    };
    const work = (service: Service, id: string): Promise<JobOutcome> => runJob(id, service, clock.now() + 900_000);

    for (let nth = 1; ; nth++) {
      table.arm({ rules: [{ match: { nth }, do: fault }] });
      const accepted = await died(() => accept(shaky, `a${nth}`));
      await table.settle();
      const kept = (await sound.ports(0).jobs.list(() => true, {})).items.filter(({ state }) => state === "accepted");
      if (kept.length > 1 || (accepted !== "killed" && kept.length === 0)) wrong.push(`acceptance, call ${nth}`);
      for (const { id } of kept) await work(sound, id);
      if (accepted !== "killed") break;
    }
    for (let nth = 1; ; nth++) {
      const key = `w${nth}`;
      const { id } = await accept(sound, key);
      table.arm({ rules: [{ match: { nth }, do: fault }] });
      const first = await died(() => work(shaky, id));
      await table.settle();
      // Nobody else takes it while the dead worker's lease lasts, unless that worker had finished.
      const meanwhile = await work(sound, id);
      clock.advance(LIMITS.jobLeaseMs + 1);
      const second = await work(sound, id);
      const outcomes = [first, meanwhile, second].filter((outcome) => outcome === "done").length;
      const { state } = (await sound.ports(0).jobs.get(id)) ?? {};
      const model = await world.run("model/model_export", { modelRef: `key:${key}` });
      if (state !== "done" || outcomes > 1 || model.entities.length !== sceneDocument(key).entities.length) {
        wrong.push(`worker, call ${nth}: ${first}, ${meanwhile}, ${second}, ${state}`);
      }
      if (first !== "killed") break;
    }
    expect(wrong).toEqual([]);
    clock.advance(LIMITS.jobDays * 86_400_000);
    await sweepAll(opened.table, clock);
    const items = await opened.items();
    expect(listLeftovers(items)).toEqual([]);
    expect(await checkAll(itemsTable(items), items)).toEqual([]);
  });
}

test("a job ends when its model is published, not when its worker began", async () => {
  const opened = await openTable();
  const world = await createWorld({ table: opened.table });
  await writeOwner(world.table);
  const clock = quickAmbient();
  const table = createFaultTable(opened.table);
  const service = serviceOn(world, table, clock);
  const facts = { requestId: "ended", action: "model/import", channel: "http" as const, principal: undefined };
  const call = beginCall({ ...facts, deadline: clock.now() + LIMITS.callMs }, clock);
  const { id } = await service.ports(call.deadline).jobs.accept(call, order("ended"), 20);
  const staging = async (): Promise<void> => clock.advance(5_000);
  table.arm({ rules: [{ match: { operation: "batchPut" }, do: { before: staging } }] });
  expect(await runJob(id, service, clock.now() + 900_000)).toBe("done");
  const { accepted, ended } = (await service.ports(0).jobs.get(id)) ?? {};
  expect(Date.parse(ended ?? "") - Date.parse(accepted ?? "")).toBeGreaterThanOrEqual(5_000);
});
