import { expect, test } from "vitest";
import { type SweepNote, toSweepItem } from "../../../shared/store/log/stagings.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { objectsPartition } from "../../../shared/store/table/keys.ts";
import { openTable } from "../../support/table.ts";
import { createWorld } from "../../support/world.ts";
import { checkModel, partition } from "../support/check-model.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { sceneDocument } from "../support/scene.ts";
import { sweepAll } from "../support/swept.ts";

test("a sweep note of an existing generation or owner, as in a restored table, is harmless", async () => {
  const opened = await openTable();
  const world = await createWorld({ table: opened.table });
  const clock = quickAmbient();
  const { id: model } = await world.run("model/import", { content: sceneDocument("crm") });
  const [log] = await partition(opened.table, `log#${model}`);
  const generation = String(log?.generation);
  const { id: owner } = await world.run("model/entity_get", { modelRef: "key:crm", entityRef: "key:customer" });
  const notes: SweepNote[] = [
    { model, generation, owner, round: 1 },
    { model, generation, round: 1 },
    { model, generation, blobs: [generation], round: 1 },
  ];
  const before = await partition(opened.table, objectsPartition(model, generation));
  for (const [i, note] of notes.entries()) {
    await opened.table.write({ put: toSweepItem(note, clock.now() - 1, `note-${i}`), expect: { absent: true } });
    expect(await sweep(opened.table, clock)).toMatchObject({ items: 0 });
    expect(await partition(opened.table, objectsPartition(model, generation))).toEqual(before);
  }
  await sweepAll(opened.table, clock);
  expect(await checkModel(opened.table, model)).toEqual([]);
  expect(await partition(opened.table, `blob#${generation}`)).toHaveLength(1);
});
