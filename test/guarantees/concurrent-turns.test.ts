import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Runtime } from "../../shared/actions/contract/call.ts";
import { createWriteQueue } from "../../shared/actions/pipeline/write-queue.ts";
import { createFaultTable } from "../store/support/fault-table.ts";
import { quickRuntime } from "../store/support/quick-runtime.ts";
import { realRuntime } from "../support/runtime.ts";
import { freshTable } from "../support/table.ts";
import { codeOf, createWorld } from "../support/world.ts";

const forEver = (): Promise<void> => new Promise(() => undefined);
const MINE = "01890a5d-ac96-774b-bcce-b302099a8057";

/** The value that a promise resolves to within half a second; "waiting" when it has not resolved by then. */
function soon<T>(promise: Promise<T>): Promise<T | "waiting"> {
  return Promise.race([promise, pause(500, "waiting" as const)]);
}

describe("the write queue", () => {
  test("serves waiting writers in order, one at a time, and is empty afterwards", async () => {
    const turns = createWriteQueue();
    const order: number[] = [];
    let having = 0;
    await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const giveBack = await turns.take(MINE, forEver);
        having += 1;
        order.push(i);
        expect(having).toBe(1);
        await pause(1);
        having -= 1;
        giveBack?.();
      }),
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(turns.isTaken(MINE)).toBe(false);
  });

  test("is separate for each model", async () => {
    const turns = createWriteQueue();
    await turns.take(MINE, forEver);
    expect(await soon(turns.take("another", forEver))).not.toBe("waiting");
  });

  test("skips writers whose patience has ended", async () => {
    const turns = createWriteQueue();
    const giveBack = await turns.take(MINE, forEver);
    const impatient = turns.take(MINE, async () => undefined);
    const patient = turns.take(MINE, forEver);
    expect(await impatient).toBeUndefined();
    giveBack?.();
    // Given back twice it would be taken from who has it now.
    giveBack?.();
    expect(turns.isTaken(MINE)).toBe(true);
    (await patient)?.();
    expect(turns.isTaken(MINE)).toBe(false);
  });

  test("releases the timers of served writers", async () => {
    const turns = createWriteQueue();
    const giveBack = await turns.take(MINE, forEver);
    const began = performance.now();
    let slept: Promise<void> = Promise.resolve();
    const next = turns.take(MINE, (over) => {
      slept = realRuntime.sleep(5_000, over);
      return slept;
    });
    giveBack?.();
    expect(await next).toBeDefined();
    await slept;
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

async function context(runtime: Runtime = realRuntime) {
  const table = createFaultTable(await freshTable());
  const world = await createWorld({ table, runtime });
  const { id } = await world.run("model/model_create", { key: "m", name: "M" });
  const addType = (typeKey: string) => world.run("model/type_create", { modelRef: `id:${id}`, typeKey });
  return { world, table, addType };
}

/** Creates a gate at which a call waits until it is opened. `arrived` resolves when a call waits. */
function createGate() {
  const arrival = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const pass = (): Promise<void> => {
    arrival.resolve();
    return opened.promise;
  };
  return { arrived: arrival.promise, open: () => opened.resolve(), pass };
}

const COMMIT = { operation: "transactWrite", key: /^log#/ } as const;

describe("a write that conflicts with another", () => {
  /** A write that lost once and waits at the gate with its second commit, so it has priority. */
  async function holder(runtime?: Runtime) {
    const here = await context(runtime);
    const gate = createGate();
    here.table.arm({
      rules: [
        { match: COMMIT, do: "conflict" },
        { match: { ...COMMIT, nth: 2 }, do: { before: gate.pass } },
      ],
    });
    const first = here.addType("first");
    await gate.arrived;
    return { ...here, first, gate };
  }

  test("runs before the next of its process, which is decided on the new state", async () => {
    const { table, addType, first, gate } = await holder();
    const second = addType("second");
    expect(await soon(second)).toBe("waiting");
    gate.open();
    expect([await first, await second]).toMatchObject([{ revision: 2 }, { revision: 3 }]);
    // The conflict, and one commit each.
    expect(table.trace.filter(({ operation }) => operation === "transactWrite")).toHaveLength(3);
  });

  test("does not delay reads and dry runs", async () => {
    const { world, first, gate } = await holder();
    const read = world.run("model/type_list", { modelRef: "key:m" });
    const rehearsal = ["model/type_create", { modelRef: "key:m", typeKey: "second" }] as const;
    const dry = world.run(...rehearsal, world.people.admin, { dryRun: true });
    expect(await soon(read)).toMatchObject({ items: [] });
    expect(await soon(dry)).toMatchObject({ revision: 2, dryRun: true });
    gate.open();
    await first;
  });

  test("does not delay others longer than a write may take", async () => {
    const { addType, first, gate } = await holder(quickRuntime());
    expect(await addType("second")).toMatchObject({ revision: 2 });
    gate.open();
    // The first write held its place in the queue all the time it had.
    expect(await codeOf(first)).toBe("contention");
  });

  test("leaves the queue also when it fails", async () => {
    const { world, table, addType } = await context();
    table.arm({
      rules: [
        { match: COMMIT, do: "conflict" },
        { match: { operation: "query", key: /^log#/, nth: 2 }, do: "lose", times: 3 },
      ],
    });
    const problem = await world.problem("model/type_create", { modelRef: "key:m", typeKey: "first" });
    expect(problem.code).toBe("unavailable");
    expect(await soon(addType("second"))).toMatchObject({ revision: 2 });
  });
});

test("while a copy writes its objects, other calls write to its source", async () => {
  const { world, table, addType } = await context();
  let written: unknown;
  const write = async () => {
    written = await soon(addType("new"));
  };
  table.arm({
    rules: [
      { match: { operation: "batchPut" }, do: "lose" },
      // The first of the second attempt, which has its turn: one writes the snapshot, one the objects.
      { match: { operation: "batchPut", nth: 3 }, do: { before: write } },
    ],
  });
  await world.run("model/model_copy", { modelRef: "key:m", modelNewKey: "copy" });
  expect(written).toMatchObject({ revision: 2 });
});
