import { beforeEach, expect, test } from "vitest";
import { beginCall, type Call } from "../../../shared/actions/contract/call.ts";
import { toStaging, toSweepNote } from "../../../shared/store/log/stagings.ts";
import { Stages } from "../../../shared/store/publish/stage.ts";
import { createRetryingTable, createRetryPolicy } from "../../../shared/store/table/retry.ts";
import type { Table } from "../../../shared/store/table/table.ts";
import { freshTable } from "../../support/table.ts";
import { getItem } from "../support/check-model.ts";
import { quickRuntime } from "../support/quick-runtime.ts";

let table: Table;
let stages: Stages;
let call: Call;

beforeEach(async () => {
  table = await freshTable();
  const runtime = quickRuntime();
  const retryPolicy = createRetryPolicy(runtime);
  stages = new Stages({ table: createRetryingTable(table, retryPolicy), runtime, retryPolicy });
  const facts = { requestId: "r", action: "test/stage", channel: "http" as const, principal: undefined };
  call = beginCall({ ...facts, deadline: Number.POSITIVE_INFINITY }, runtime);
});

test("an abandoned stage gets no more writes: the next attempt has another", async () => {
  const first = await stages.getOrBegin("m", call);
  expect(await stages.getOrBegin("m", call)).toBe(first);
  await stages.take("m", call)?.close();
  expect(stages.has("m", call)).toBe(false);
  expect((await stages.getOrBegin("m", call)).partition.generation).not.toBe(first.partition.generation);
  await stages.closeAll();
  expect(stages.has("m", call)).toBe(false);
});

test("blobs that are written to a stage at once are all in its record, where the sweeper finds them", async () => {
  const stage = await stages.getOrBegin("m", call);
  const names = await Promise.all(["a", "b", "c", "d", "e"].map((value) => stage.writeList([value])));
  expect(toStaging(await getItem(table, stage.key)).blobs).toEqual(expect.arrayContaining([...names]));
});

test("late writes into a swept stage are noted by their writer", async () => {
  const stage = await stages.getOrBegin("m", call);
  const name = await stage.writeList(["a"]);
  await stages.take("m", call)?.leave();
  // As long as it is the writer's the sweeper finds it by its record.
  expect((await table.query({ pk: "sweeps" })).items).toEqual([]);
  const other = await stages.getOrBegin("m", call);
  await other.writeList(["b"]);
  await table.write({ delete: other.key, expect: { anything: true } });
  await stages.take("m", call)?.leave();
  const notes = (await table.query({ pk: "sweeps" })).items.map(toSweepNote);
  expect(notes).toMatchObject([{ model: "m", generation: other.partition.generation, round: 1 }]);
  expect(notes[0]?.blobs).not.toContain(name);
  expect(stages.has("m", call)).toBe(false);
});
