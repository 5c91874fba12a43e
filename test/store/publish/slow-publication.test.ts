import { expect, test } from "vitest";
import { SWEEP } from "../../../shared/domain/limits.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { openTable } from "../../support/table.ts";
import { createWorld } from "../../support/world.ts";
import { checkModel, partition } from "../support/check-model.ts";
import { createFaultTable } from "../support/fault-table.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { sceneDocument } from "../support/scene.ts";
import { serviceOver, writtenBody } from "../support/service-over.ts";
import { sweepAll } from "../support/swept.ts";

test("a publication that takes almost as long as permitted is not affected by a sweep before any of its writes", async () => {
  const opened = await openTable();
  const world = await createWorld({ table: opened.table });
  const clock = quickAmbient();
  const table = createFaultTable(opened.table);
  const caller = serviceOver(world, table, clock);
  for (const operation of ["batchPut", "transactWrite"] as const) {
    // For the caller no time goes by: a call that takes long ends, or becomes a job.
    const late = { ...clock, now: () => clock.now() + SWEEP.stagingMs - 1_000 };
    const sweeping = async (): Promise<void> => {
      expect(await sweep(opened.table, late)).toMatchObject({ closed: 0, items: 0 });
    };
    table.arm({ rules: [{ match: { operation }, do: { before: sweeping } }] });
    const { id } = writtenBody(await caller.call("import", { content: sceneDocument(operation) }));
    const generations = table.trace.flatMap(({ keys }) => keys.filter((key) => key.startsWith("stagings|")));
    expect(new Set(generations).size).toBe(1);
    await sweepAll(opened.table, clock);
    expect(await checkModel(opened.table, id)).toEqual([]);
    expect(await partition(opened.table, `blob#${generations[0]?.split("|")[1]}`)).toHaveLength(1);
  }
});
