import { beforeAll, beforeEach, expect } from "vitest";
import type { Table } from "../../../shared/store/table/table.ts";
import { openTable, type TestTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { checkAll } from "./check-model.ts";
import { createFaultTable } from "./fault-table.ts";
import { jobCallerOver } from "./job-callers.ts";
import { withLargeWrites } from "./large-writes.ts";
import { quickRuntime } from "./quick-runtime.ts";
import { sceneDocument } from "./scene.ts";
import { serviceOver } from "./service-over.ts";
import { listLeftovers, sweepAll } from "./swept.ts";

type FaultyWorld = Awaited<ReturnType<typeof openFaultyWorld>>;

interface FaultyWorldOptions {
  readonly start?: string;
  readonly onCapacity?: Parameters<typeof openTable>[0];
}

/** Opens a world without faults on an empty table, and two processes: `caller` with faults, `quiet` without. */
export async function openFaultyWorld({ start, onCapacity }: FaultyWorldOptions = {}) {
  const clock = quickRuntime(start);
  const opened = await openTable(onCapacity);
  const world = await createWorld({ table: opened.table });
  const table = createFaultTable(opened.table);
  const openProcess = (on: Table) => jobCallerOver(world, on, clock, withLargeWrites);
  const [caller, quiet] = [openProcess(table), openProcess(opened.table)];
  /** Expects the items of every model to agree with its log. */
  const expectSound = async () => expect(await checkAll(opened.table, await opened.items())).toEqual([]);
  /** Ends the faults, sweeps everything, and expects no remaining items to sweep. */
  const expectSwept = async () => {
    await table.settle();
    await expectSound();
    await sweepAll(opened.table, clock);
    expect(listLeftovers(await opened.items())).toEqual([]);
    await expectSound();
  };
  return { opened, world, table, clock, caller, quiet, expectSound, expectSwept };
}

/** Opens a faulty world before each test of the file that calls it. */
export function useFaultyWorld(options?: FaultyWorldOptions): FaultyWorld {
  const faulty = {} as FaultyWorld;
  beforeEach(async () => Object.assign(faulty, await openFaultyWorld(options)));
  return faulty;
}

/** A world for the tests of the file that calls it, without faults, and scenes on its table. */
export function useScenes() {
  let opened: TestTable;
  let world: World;
  let scenes = 0;
  beforeAll(async () => {
    opened = await openTable();
    world = await createWorld({ table: opened.table });
  });
  return {
    get world() {
      return world;
    },
    get opened() {
      return opened;
    },
    /** Creates a model, and a process that works on it through a faulty table. */
    newScene: async () => {
      scenes += 1;
      const key = `scene-${scenes}`;
      const { id } = await world.run("model/import", { content: sceneDocument(key) });
      const table = createFaultTable(opened.table);
      const clock = quickRuntime();
      return { id: String(id), key, modelRef: `key:${key}`, table, clock, caller: serviceOver(world, table, clock) };
    },
  };
}
