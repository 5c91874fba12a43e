import { expect, test } from "vitest";
import { realAmbient } from "../../support/ambient.ts";
import { openTable } from "../../support/table.ts";
import { createWorld } from "../../support/world.ts";
import { createFaultTable } from "../support/fault-table.ts";
import { sceneDocument } from "../support/scene.ts";
import { serviceOver } from "../support/service-over.ts";

test("concurrent commits to two models never conflict: every one succeeds at once", async () => {
  const opened = await openTable();
  const world = await createWorld({ table: opened.table });
  const table = createFaultTable(opened.table);
  const caller = serviceOver(world, table, realAmbient);
  const keys = ["left", "right"];
  for (const key of keys) await world.run("model/import", { content: sceneDocument(key) });
  table.arm({});
  const write = async (key: string): Promise<void> => {
    for (let i = 0; i < 10; i++) await caller.call("type_create", { modelRef: `key:${key}`, typeKey: `t${i}` });
  };
  await Promise.all(keys.map(write));
  const commits = table.trace.filter(({ operation }) => operation === "transactWrite");
  expect(commits).toHaveLength(20);
  expect(commits.every(({ outcome }) => outcome === "ok")).toBe(true);
});
