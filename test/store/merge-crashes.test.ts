import { expect, test } from "vitest";
import { checkTable } from "../../shared/store/fsck/check-table.ts";
import { IDENTITY } from "../../shared/store/table/keys.ts";
import { openTable } from "../support/table.ts";
import { createWorld } from "../support/world.ts";
import { createFaultTable, Killed } from "./support/fault-table.ts";
import { quickAmbient } from "./support/quick-ambient.ts";
import { serviceOver } from "./support/service-over.ts";
import { leftOver, sweepAll } from "./support/swept.ts";

const M = { modelRef: "key:m" };

/** A source of the nth time. */
const documentOf = (nth: number, types: number) => ({
  ...{ $schema: "urn:metaction:model:2", key: "m", name: `Time ${nth}` },
  types: Array.from({ length: types }, (_, i) => ({ key: `t${i}`, description: `Time ${nth}, ${i * 7919}.` })),
});

test.each([
  ["in one transaction", 3, "kill"],
  ["in one transaction", 3, "kill-after"],
  ["as a generation", 150, "kill"],
  ["as a generation", 150, "kill-after"],
] as const)(
  "a process that dies at any storage call of an import into a model %s (%i types, %s) leaves all of it or nothing",
  async (_, types, fault) => {
    const opened = await openTable();
    const world = await createWorld({ table: opened.table });
    const table = createFaultTable(opened.table);
    const clock = quickAmbient();
    const caller = serviceOver(world, table, clock);
    await world.run("model/import", { content: documentOf(0, types), source: "s" });
    await world.run("model/model_update_description", { ...M, value: "By people." });
    const exported = async () => JSON.parse(JSON.stringify(await world.run("model/model_export", M)));
    let done = 0;
    for (let nth = 1; ; nth++) {
      const before = await exported();
      const payload = { into: "key:m", source: "s", content: documentOf(nth, types) };
      table.arm({ rules: [{ match: { nth }, do: fault }] });
      const outcome = await caller.call("import", payload).catch((error: unknown) => {
        if (error instanceof Killed) return "killed" as const;
        throw error;
      });
      await table.settle();
      const after = await exported();
      if (JSON.stringify(after) === JSON.stringify(before)) expect(outcome).toBe("killed");
      else {
        done += 1;
        expect(new Set(after.types.map((one: { description: string }) => one.description.split(",")[0]))).toEqual(
          new Set([`Time ${nth}`]),
        );
        // The base is that of the model: nothing of the same document is a change or a conflict.
        expect(await world.run("model/import", payload)).toMatchObject({ changed: false, conflictCount: 0 });
      }
      expect(after.description).toBe("By people.");
      if (outcome !== "killed") break;
    }
    expect(done).toBeGreaterThan(0);
    await sweepAll(opened.table, clock);
    expect(leftOver(await opened.items())).toEqual([]);
    const { findings } = await checkTable(opened.table, { ambient: clock, scan: opened.scan });
    // The people of a world have no log.
    expect(findings.filter(({ place }) => !place.pk.includes(IDENTITY))).toEqual([]);
  },
  120_000,
);

test("of two imports at once under one label both come in, one after the other, and the newest base is the last one's", async () => {
  const { table } = await openTable();
  const world = await createWorld({ table });
  await world.run("model/import", { content: documentOf(0, 3), source: "s" });
  const callers = [0, 1].map(() => serviceOver(world, table, quickAmbient()));
  for (let round = 1; round <= 5; round++) {
    const payloads = callers.map((_, i) => ({ into: "key:m", source: "s", content: documentOf(round * 2 + i, 3) }));
    const outcomes = await Promise.all(callers.map((caller, i) => caller.call("import", payloads[i])));
    const revisions = outcomes.map(({ answer }) => (answer?.body as { revision: number }).revision);
    const last = revisions[0] === Math.max(...revisions) ? 0 : 1;
    expect(Math.abs((revisions[0] ?? 0) - (revisions[1] ?? 0))).toBe(1);
    expect((await world.run("model/model_export", M)).name).toBe(`Time ${round * 2 + last}`);
    expect(await world.run("model/import", payloads[last] ?? {})).toMatchObject({ changed: false });
  }
}, 60_000);
