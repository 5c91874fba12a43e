import { expect, test } from "vitest";
import { KINDS, type KindName } from "../../../shared/domain/kinds.ts";
import type { AnyObject } from "../../../shared/domain/model/objects.ts";
import { createStore } from "../../../shared/store/model-store.ts";
import { readAhead } from "../../../shared/store/read/read-ahead.ts";
import type { ModelView } from "../../../shared/store/read/view.ts";
import { objectsPartition } from "../../../shared/store/table/keys.ts";
import { realRuntime } from "../../support/runtime.ts";
import { createWorld } from "../../support/world.ts";
import { createFaultTable } from "../support/fault-table.ts";
import { sceneDocument } from "../support/scene.ts";

const KINDS_IN_MODEL: readonly KindName[] = ["type", "entity", "relationship", "business_key", "tag"];

async function scene() {
  const world = await createWorld();
  const { id } = await world.run("model/import", { content: sceneDocument("scene") });
  const modelRef = "key:scene";
  // Removing the owner of a business key leaves the key in the table.
  await world.run("model/business_key_create", { modelRef, entityRef: "key:empty", key: "left", participants: [] });
  await world.run("model/entity_delete", { modelRef, entityRef: "key:empty" });
  return { world, table: world.table, id };
}

test("a view answers the same after reading ahead, without requests to the table", async () => {
  const { table, id } = await scene();
  const watched = createFaultTable(table);
  const ref = { scheme: "id", value: id } as const;
  const plain = await createStore(table, realRuntime).open(ref);
  const ahead = await createStore(watched, realRuntime).open(ref);
  await ahead.preload();
  watched.arm({});
  const { entities } = await plain.readContent();
  const owners = [undefined, ...entities.map((entity) => entity.id)];
  let seen = 0;
  for (const kind of [...KINDS_IN_MODEL, "attribute"] as const) {
    for (const owner of KINDS[kind].owned ? owners.slice(1) : [undefined]) {
      const { items } = await plain.list(kind, owner);
      expect(await ahead.list(kind, owner)).toEqual({ items });
      for (let limit = 1; limit <= items.length; limit++) {
        for (const after of [undefined, ...items.map(({ key }) => key), "a", "zzz"]) {
          const page = { limit, ...(after !== undefined && { after }) };
          expect(await ahead.list(kind, owner, page)).toEqual(await plain.list(kind, owner, page));
        }
      }
      for (const { id: value, key } of items) {
        seen += 1;
        for (const named of [
          { scheme: "id", value },
          { scheme: "key", value: key },
          { scheme: "key", value: `${key}x` },
        ] as const)
          expect(await ahead.find(kind, named, owner)).toEqual(await plain.find(kind, named, owner));
      }
    }
  }
  expect(seen).toBeGreaterThan(5);
  const left = await plain.findOrphan("business_key", "left");
  expect(left?.key).toBe("left");
  expect(await ahead.findOrphan("business_key", "left")).toEqual(left);
  expect(watched.trace).toEqual([]);
  expect(sorted(await ahead.readObjects())).toEqual(sorted(await plain.readObjects()));
});

test("objects read ahead have the same pages as in the table", async () => {
  const { table, id } = await scene();
  const { partition } = (await createStore(table, realRuntime).open({ scheme: "id", value: id })) as ModelView;
  const ahead = await readAhead(table, partition);
  const pk = objectsPartition(partition.model, partition.generation);
  const { items } = await table.query({ pk });
  for (const prefix of ["entity#", "type#", "attribute#", "nothing#"]) {
    for (const after of [undefined, ...items.map(({ sk }) => sk).filter((sk) => sk.startsWith(prefix))]) {
      for (const limit of [1, 2, items.length]) {
        const range = { pk, prefix, limit, ...(after !== undefined && { after }) };
        expect((await ahead.query(range)).items).toEqual((await table.query(range)).items);
      }
    }
  }
});

test("a commit to objects read ahead is noticed, and an unrelated one is no conflict", async () => {
  const { table, world, id } = await scene();
  const store = createStore(table, realRuntime);
  const open = async () => {
    const view = await store.open({ scheme: "id", value: id });
    await view.preload();
    await view.find("entity", { scheme: "key", value: "supplier" });
    return view;
  };
  const modelRef = "key:scene";
  const elsewhere = await open();
  await world.run("model/type_create", { modelRef, typeKey: "elsewhere" });
  expect(await store.confirm(elsewhere)).toBe(true);
  const there = await open();
  await world.run("model/entity_create", { modelRef, entityKey: "supplier" });
  expect(await store.confirm(there)).toBe(false);
});

const sorted = (objects: Iterable<AnyObject>): readonly AnyObject[] =>
  [...objects].sort((a, b) => (a.id < b.id ? -1 : 1));
