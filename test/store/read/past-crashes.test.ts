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

for (const action of ["model_release", "model_restore"] as const) {
  for (const fault of ["kill", "kill-after"] as const) {
    const when = fault === "kill" ? "before" : "after";
    test(`a process that dies ${when} any storage call of ${action} leaves all of it or nothing`, async () => {
      const opened = await openTable();
      const world = await createWorld({ table: opened.table });
      const table = createFaultTable(opened.table);
      const clock = quickAmbient();
      const caller = serviceOver(world, table, clock);
      await world.run("model/model_create", { key: "m", name: "M" });
      await world.run("model/type_create", { ...M, typeKey: "t" });
      const exported = async (): Promise<string> => JSON.stringify(await world.run("model/model_export", M));
      let calls = 0;
      for (let nth = 1; ; nth++) {
        await world.run("model/model_update_description", { ...M, value: `Before ${nth}.` });
        const before = await exported();
        const payload = action === "model_release" ? { ...M, value: `${nth}.0.0` } : { ...M, revision: 2 };
        table.arm({ rules: [{ match: { nth }, do: fault }] });
        const outcome = await caller.call(action, payload).catch((error: unknown) => {
          if (error instanceof Killed) return "killed" as const;
          throw error;
        });
        await table.settle();
        const after = await exported();
        if (action === "model_release" && after !== before) {
          expect(JSON.parse(after).version).toBe(`${nth}.0.0`);
          expect(JSON.stringify(await world.run("model/model_export_version", { ...M, version: `${nth}.0.0` }))).toBe(
            after,
          );
        }
        if (action === "model_restore" && after !== before) expect(JSON.parse(after).description).toBeUndefined();
        if (outcome !== "killed") break;
        calls += 1;
      }
      expect(calls).toBeGreaterThan(5);
      await sweepAll(opened.table, clock);
      expect(leftOver(await opened.items())).toEqual([]);
      const { violations: findings } = await checkTable(opened.table, { ambient: clock, scan: opened.scan });
      // The people of a world have no log.
      expect(findings.filter(({ place }) => !place.pk.includes(IDENTITY))).toEqual([]);
    }, 60_000);
  }
}
