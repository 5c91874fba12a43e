import type { ItemKey } from "../../../shared/store/table/keys.ts";
import type { Table, Write } from "../../../shared/store/table/table.ts";
import { directTable } from "../../simulation/support/direct-table.ts";
import { createSimulatedTable, keyOf } from "../../simulation/support/simulated-table.ts";
import { createWorld } from "../../support/world.ts";
import { quickRuntime } from "./quick-runtime.ts";
import { type Caller, serviceOver } from "./service-over.ts";

/** Two processes on a table that shows the items of a transaction to queries one after the other. */
export type PartlyVisible = Awaited<ReturnType<typeof createPartlyVisible>>;

/** Creates a table with the model `crm`, which has the type `date`. */
export async function createPartlyVisible() {
  const clock = quickRuntime();
  const simulated = createSimulatedTable({ now: clock.now });
  const table = directTable(simulated);
  const world = await createWorld({ table, runtime: clock });
  await world.run("model/model_create", { key: "crm", name: "Customers" });
  await world.run("model/type_create", { modelRef: "key:crm", typeKey: "date" });
  return {
    world,
    clock,
    /** Process without faults. */
    reader: serviceOver(world, table, clock),
    /** Process whose next commit succeeds, becomes visible after some milliseconds, and then ends with `answer`. */
    slowWriter: (delayOf: (write: Write) => number, answer: () => Promise<void>): Caller => {
      let isFirst = true;
      const transactWrite: Table["transactWrite"] = async (writes) => {
        if (!isFirst) return table.transactWrite(writes);
        isFirst = false;
        simulated.transactWrite(writes, writes.map(delayOf));
        return answer();
      };
      return serviceOver(world, { ...table, transactWrite }, clock);
    },
    /** Returns the result of a call. Throws an error if the clock advances during the call. */
    atOnce: async <T>(call: () => Promise<T>): Promise<T> => {
      const before = clock.now();
      const answer = await call();
      if (clock.now() !== before) throw new Error("it had to wait");
      return answer;
    },
  };
}

interface LateItems {
  readonly isLate: (key: ItemKey) => boolean;
  readonly lateMs: number;
  /** Rows on a page, as with large ones. */
  readonly pageRows?: number;
  /** Called before a transaction with a late item. */
  readonly onLate?: (clock: ReturnType<typeof quickRuntime>) => void;
}

/** Creates a world with a table in which queries see some items late. */
export async function createLateWorld({ isLate, lateMs, pageRows, onLate }: LateItems) {
  const clock = quickRuntime();
  const simulated = createSimulatedTable({ now: clock.now, ...(pageRows !== undefined && { pageRows }) });
  const transactWrite: Table["transactWrite"] = async (writes) => {
    const delays = writes.map((write) => (isLate(keyOf(write)) ? lateMs : 0));
    if (delays.some((ms) => ms > 0)) onLate?.(clock);
    simulated.transactWrite(writes, delays);
  };
  // Without the model cache, which would know the items.
  const table = { ...directTable(simulated), transactWrite };
  return { clock, world: await createWorld({ table, runtime: clock, cachedObjects: 0 }) };
}
