import { expect, test } from "vitest";
import type { Table, Write } from "../../../shared/store/table/table.ts";
import { directTable } from "../../simulation/support/direct-table.ts";
import { createSimulatedTable, keyOf } from "../../simulation/support/simulated-table.ts";
import { ambientAt } from "../../support/ambient.ts";
import { createWorld } from "../../support/world.ts";

const LATE_MS = 60_000;

test("a tag that lists do not show yet keeps its links, though more has happened since than the head contains", async () => {
  const clock = ambientAt("2027-03-01T12:00:00Z");
  const opened = createSimulatedTable({ now: clock.now });
  const isLate = (write: Write): boolean => keyOf(write).sk === "tag#t4";
  const table: Table = {
    ...directTable(opened),
    transactWrite: async (writes) => {
      const delays = writes.map((write) => (isLate(write) ? LATE_MS : 0));
      opened.transactWrite(writes, delays);
    },
  };
  // Without the model cache, which would know the tag.
  const { run } = await createWorld({ table, ambient: clock, cachedObjects: 0 });
  await run("model/model_create", { key: "m", name: "M" });
  const inModel = { modelRef: "key:m" };
  const onEntity = { ...inModel, entityRef: "key:e" };
  await run("model/entity_create", { ...inModel, entityKey: "e" });
  for (const key of ["t1", "t2", "t3", "t4"]) {
    await run("tag/tag_local_create", { ...inModel, key });
    await run("model/entity_add_tag", { ...onEntity, tagRef: `key:${key}` });
  }
  await run("tag/tag_local_create", { ...inModel, key: "t5" });
  for (let i = 0; i < 5; i++) await run("model/type_create", { ...inModel, typeKey: `type-${i}` });
  await run("model/entity_add_tag", { ...onEntity, tagRef: "key:t5" });
  clock.advance(LATE_MS);
  const { tags } = await run("model/entity_get", onEntity);
  expect(tags.map(({ key }: { readonly key: string }) => key)).toEqual(["t1", "t2", "t3", "t4", "t5"]);
});
