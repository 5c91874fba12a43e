import { expect, test } from "vitest";
import { checkTable } from "../../../shared/store/fsck/check-table.ts";
import { IDENTITY } from "../../../shared/store/table/keys.ts";
import { openTable } from "../../support/table.ts";
import { createWorld } from "../../support/world.ts";
import { createFaultTable, Killed } from "../support/fault-table.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { serviceOver } from "../support/service-over.ts";
import { leftOver, sweepAll } from "../support/swept.ts";

const M = { modelRef: "key:m" };

/** A document of the nth time: some types renamed, some made anew, those of the time before gone. */
function documentOf(nth: number, types: number) {
  const many = Array.from({ length: types }, (_, i) => ({ key: `t${i}`, description: `Time ${nth}.` }));
  const turn = [
    { key: nth % 2 === 0 ? "even" : "odd", renamedFrom: nth % 2 === 0 ? "odd" : "even", name: `Turn ${nth}` },
    { key: `only${nth}` },
  ];
  const attributes = [
    { key: `a${nth}`, type: `key:only${nth}` },
    { key: "b", type: "key:t0" },
  ];
  const entities = [{ key: "e", attributes: nth % 2 === 0 ? attributes : attributes.toReversed() }];
  return { $schema: "urn:metaction:model:2", key: "m", name: `Time ${nth}`, types: [...many, ...turn], entities };
}

for (const [size, types] of [
  ["in one transaction", 3],
  ["as a generation", 60],
] as const) {
  for (const fault of ["kill", "kill-after"] as const) {
    const when = fault === "kill" ? "before" : "after";
    test(`a process that dies ${when} any storage call of model_apply ${size} leaves all of it or nothing`, async () => {
      const opened = await openTable();
      const world = await createWorld({ table: opened.table });
      const table = createFaultTable(opened.table);
      const clock = quickAmbient();
      const caller = serviceOver(world, table, clock);
      await world.run("model/model_create", { key: "m", name: "Time 0" });
      const apply = { ...M, prune: true };
      await world.run("model/model_apply", { ...apply, content: documentOf(0, types) });
      const exported = async () => JSON.parse(JSON.stringify(await world.run("model/model_export", M)));
      let calls = 0;
      let done = 0;
      for (let nth = 1; ; nth++) {
        const before = await exported();
        const content = documentOf(nth, types);
        table.arm({ rules: [{ match: { nth }, do: fault }] });
        const outcome = await caller.call("model_apply", { ...apply, content }).catch((error: unknown) => {
          if (error instanceof Killed) return "killed" as const;
          throw error;
        });
        await table.settle();
        const after = await exported();
        const isOld = JSON.stringify(after) === JSON.stringify(before);
        if (!isOld) {
          done += 1;
          expect(after.name).toBe(`Time ${nth}`);
          // What both had is the same still, under another key; all of it is what the document says.
          const turned = (of: { types: readonly { id: string; key: string }[] }) =>
            of.types.find(({ key }) => key === "even" || key === "odd")?.id;
          expect(turned(after)).toBe(turned(before));
          const left = await world.run("model/model_apply", { ...apply, content });
          expect(left).toMatchObject({ changed: false });
        } else expect(outcome).toBe("killed");
        if (outcome !== "killed") break;
        calls += 1;
      }
      expect(calls).toBeGreaterThan(3);
      expect(done).toBeGreaterThan(0);
      await sweepAll(opened.table, clock);
      expect(leftOver(await opened.items())).toEqual([]);
      const { violations: findings } = await checkTable(opened.table, { ambient: clock, scan: opened.scan });
      // The people of a world have no log.
      expect(findings.filter(({ place }) => !place.pk.includes(IDENTITY))).toEqual([]);
    }, 120_000);
  }
}
