import { expect, test } from "vitest";
import { openTable } from "../../support/table.ts";
import { createWorld } from "../../support/world.ts";
import { createChance } from "../support/fault-plan.ts";
import { createFaultTable, Killed } from "../support/fault-table.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { sceneDocument } from "../support/scene.ts";
import { serviceOver } from "../support/service-over.ts";
import { listLeftovers, sweepAll } from "../support/swept.ts";

test("a large snapshot of an unpublished generation is swept completely", async () => {
  const opened = await openTable();
  const world = await createWorld({ table: opened.table });
  const clock = quickAmbient();
  const table = createFaultTable(opened.table);
  const chance = createChance(1);
  // Letters by chance, which hardly compress: 6.3 MB of them are twelve chunks, more than two looks at one page.
  const letters = (): string =>
    Array.from({ length: 90_000 }, () => String.fromCharCode(0x30 + Math.floor(chance() * 64))).join("");
  const types = Array.from({ length: 70 }, (_, i) => ({ key: `t${i}`, description: letters() }));
  const scene = sceneDocument("dead");
  const content = { ...scene, types: [...scene.types, ...types] };
  table.arm({ rules: [{ match: { operation: "transactWrite" }, do: "kill" }] });
  await expect(serviceOver(world, table, clock).call("import", { content })).rejects.toThrow(Killed);
  await table.settle();
  expect((await opened.items()).filter(({ pk }) => pk.startsWith("blob#")).length).toBeGreaterThan(9);
  await sweepAll(opened.table, clock);
  expect(listLeftovers(await opened.items())).toEqual([]);
});
