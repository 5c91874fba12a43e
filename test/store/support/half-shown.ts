import type { Seam, Write } from "../../../shared/store/table/table.ts";
import { directSeam } from "../../simulation/support/direct-seam.ts";
import { createSimulatedTable } from "../../simulation/support/simulated-table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { quickAmbient } from "./quick-ambient.ts";
import { type Caller, serviceOver } from "./service-over.ts";

/** Two processes on a table that shows the items of a transaction to queries one after the other. */
export interface HalfShown {
  readonly world: World;
  readonly clock: ReturnType<typeof quickAmbient>;
  /** A process that nothing befalls. */
  readonly reader: Caller;
  /** One whose next commit is made, each item of it shown after so many milliseconds, and then told what `answer` says. */
  slowWriter(delayOf: (write: Write) => number, answer: () => Promise<void>): Caller;
  /** What a call comes to while no time goes by. */
  atOnce<T>(call: () => Promise<T>): Promise<T>;
}

/** A table with the model `crm`, which has the type `date`. */
export async function halfShown(): Promise<HalfShown> {
  const clock = quickAmbient();
  const table = createSimulatedTable({ now: clock.now });
  const seam = directSeam(table);
  const world = await createWorld({ seam, ambient: clock });
  await world.run("model/model_create", { key: "crm", name: "Customers" });
  await world.run("model/type_create", { modelRef: "key:crm", typeKey: "date" });
  return {
    world,
    clock,
    reader: serviceOver(world, seam, clock),
    slowWriter: (delayOf, answer) => {
      let isFirst = true;
      const transactWrite: Seam["transactWrite"] = async (writes) => {
        if (!isFirst) return seam.transactWrite(writes);
        isFirst = false;
        table.transactWrite(writes, writes.map(delayOf));
        return answer();
      };
      return serviceOver(world, { ...seam, transactWrite }, clock);
    },
    atOnce: async (call) => {
      const before = clock.now();
      const answer = await call();
      if (clock.now() !== before) throw new Error("it had to wait");
      return answer;
    },
  };
}
