import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { runtime } from "../../shared/service/runtime.ts";
import { checkModel } from "../../shared/store/fsck/check-model.ts";
import { readHead } from "../../shared/store/log/log.ts";
import { jobKey, logPartition, objectsPartition } from "../../shared/store/table/keys.ts";
import { partition } from "../store/support/check-model.ts";
import { createChance, seedOf } from "../support/chance.ts";
import type { StagingOrder, StagingReport } from "./support/staging-process.ts";
import { BESIDE, called, fieldsOf, LARGE, newPlace, type Place, run, withTable } from "./support/staging-run.ts";

/** How many times as fast as the machine's the time of the processes goes. */
const SCALE = Number(process.env.METACTION_STAGING_SCALE ?? 5);
const KILLS = LIMITS.jobWorkers - 1;
const MEMORY_MB = 512;
const SMALL = fieldsOf(20_000);

const say = (line: string) => process.stdout.write(`${line}\n`);
const chance = createChance(seedOf("staging")).next;

/** Has workers run a job, of which the first four are killed somewhere; the report of the last one. */
async function workedOn(place: Place, job: string): Promise<StagingReport> {
  const whole = (LIMITS.objectsPerJob / LIMITS.partitionUnits) * 1_000;
  for (let kills = 0; kills < KILLS; kills++) {
    // Time to start in, and then anywhere in what the work takes.
    const after = 2_000 + (chance() * whole) / SCALE;
    const report = await run(place, { job }, after);
    if (report) return report;
    say(`  worker ${kills + 1} killed after ${Math.round((after * SCALE) / 1_000)} s`);
    await pause(LIMITS.jobLeaseMs / SCALE + 500);
  }
  return called(place, { job });
}

/** Expects that a model agrees with its log, holds so many objects, and that each of these actions was done once. */
const expectDoneOnce = (place: Place, model: string, actions: readonly string[], objects: number) =>
  withTable(place, async (table) => {
    const log = await partition(table, logPartition(model));
    expect(log.map((entry) => entry.actions)).toEqual(actions.map((action) => [action]));
    const { generation } = (await readHead(table, model))?.entry ?? { generation: "" };
    expect(await partition(table, objectsPartition(model, generation))).toHaveLength(objects);
    expect(await checkModel(table, runtime, model)).toEqual([]);
  });

type Told = { readonly id?: string; readonly job?: string; readonly accepted?: boolean; readonly problem?: string };

function told({ outcome, ms, rssMb }: StagingReport, what: string): Told {
  say(`${what}: ${JSON.stringify(outcome).slice(0, 120)} in ${(ms / 1_000).toFixed(1)} s, ${rssMb} MB`);
  expect(rssMb, what).toBeLessThanOrEqual(MEMORY_MB);
  return outcome as Told;
}

/** Makes a call that has to become a job, and has it worked on; the id of the model in its result. */
async function asJob(place: Place, what: string, task: StagingOrder["task"]) {
  const said = told(await called(place, task), `${what} accepted`);
  expect(said.accepted, JSON.stringify(said)).toBe(true);
  const job = String(said.job).slice("id:".length);
  const last = await workedOn(place, job);
  told(last, `${what} worked on`);
  expect(last.outcome).toBe("done");
  expect(await withTable(place, (table) => table.get(jobKey(job)))).toMatchObject({ state: "done" });
}

async function modelOf(place: Place, key: string): Promise<string> {
  const summaries = await withTable(place, (table) => partition(table, "models"));
  return String(summaries.find(({ sk }) => sk === key)?.id);
}

describe("partitions that accept 1,000 units a second, in 512 MB", () => {
  test("store 20,000 objects in one call, or as a job", async () => {
    const place = newPlace(SCALE);
    const said = told(await called(place, { call: "model/import", fields: SMALL, payload: {} }), "20,000 imported");
    expect(said.problem).toBeUndefined();
    if (said.accepted) told(await called(place, { job: String(said.job).slice(3) }), "20,000 worked on");
    await expectDoneOnce(place, await modelOf(place, "wide"), ["model/import"], SMALL + BESIDE);
  });

  test("store 200,000 objects as jobs, each done exactly once although four workers are killed", async () => {
    const place = newPlace(SCALE);
    const objects = LARGE + BESIDE;
    await asJob(place, "import of 200,000", { call: "model/import", fields: LARGE, payload: {} });
    const model = await modelOf(place, "wide");
    await expectDoneOnce(place, model, ["model/import"], objects);

    await asJob(place, "copy of 200,000", {
      call: "model/model_copy",
      payload: { modelRef: "key:wide", modelNewKey: "copy" },
    });
    await expectDoneOnce(place, await modelOf(place, "copy"), ["model/model_copy"], objects);

    const renamed = { call: "model/model_update_name", payload: { modelRef: "key:wide", name: "Renamed" } };
    told(await called(place, renamed), "renamed");
    const controls = { ifMatch: [{ ledgerId: model, revision: 2 }] };
    const restore = { call: "model/model_restore", payload: { modelRef: "key:wide", revision: 1 }, controls };
    await asJob(place, "restore of 200,000", restore);
    await expectDoneOnce(place, model, ["model/import", "model/model_update_name", "model/model_restore"], objects);
  });
});
