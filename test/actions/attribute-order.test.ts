import { describe, expect, test } from "vitest";
import { createChance, seedOf } from "../support/chance.ts";
import { type Checked, expectFaults, expectProblem, expectWritten, newKey, useWorld } from "./support/checked-world.ts";
import { aModel, anAttribute, anEntity, aRelationship, aType, inBatch, revisionOf } from "./support/models.ts";

const world = useWorld();

const MOVE = "model/entity_attribute_move";
const LIST = "model/entity_attribute_list";

async function newScene(keys: readonly string[] = ["d", "b", "c", "a"]) {
  const model = await aModel(world);
  const type = await aType(world, model, "t");
  const entity = await anEntity(world, model, "e");
  const refs = { modelRef: model.ref, entityRef: entity.ref };
  const made = { ...refs, type: type.ref, optional: true };
  const creations = keys.map((key) => ["model/entity_attribute_create", { ...made, attributeKey: key }] as const);
  await inBatch(world, creations);
  return { model, type, entity, refs };
}
type Scene = Awaited<ReturnType<typeof newScene>>;

const keysIn = (attributes: readonly { readonly key: string }[]) => attributes.map(({ key }) => key);
const keysOf = ({ body }: Checked) => keysIn(body.items);
const shown = async ({ refs }: Scene, more: object = {}) => keysOf(await world.ok(LIST, { ...refs, ...more }));
const exported = async (modelRef: string, more: object = {}) =>
  keysIn((await world.read("model/model_export", { modelRef, ...more })).entities[0].attributes);
const move = ({ refs }: Scene, key: string, to: object) =>
  world.ok(MOVE, { ...refs, attributeRef: `key:${key}`, ...to });

test("a list of attributes refuses a cursor from a list in another order", async () => {
  const scene = await newScene();
  const declared = await world.ok(LIST, { ...scene.refs, limit: 1 });
  const byKey = await world.ok(LIST, { ...scene.refs, limit: 1, sort: "key" });
  expectFaults(await world.refused(LIST, { ...scene.refs, cursor: byKey.next }), "/cursor");
  expectFaults(await world.refused(LIST, { ...scene.refs, cursor: declared.next, sort: "key" }), "/cursor");
  expect(await shown(scene, { cursor: declared.next })).toEqual(["b", "c", "a"]);
  expect(await shown(scene, { cursor: byKey.next, sort: "key" })).toEqual(["b", "c", "d"]);
});

describe("entity_attribute_move", () => {
  test.each([
    ["d", { afterRef: "key:c" }, "bcda"],
    ["a", { beforeRef: "key:d" }, "adbc"],
    ["a", { afterRef: "key:d" }, "dabc"],
    ["b", { afterRef: "key:a" }, "dcab"],
    ["c", { beforeRef: "key:b" }, "dcba"],
  ])("moves %s to the requested position: %j", async (key, to, wanted) => {
    const scene = await newScene();
    const revision = await revisionOf(world, scene.model);
    expectWritten(await move(scene, key, to), { key, modelId: scene.model.id, revision: revision + 1 });
    expect((await shown(scene)).join("")).toBe(wanted);
    expect((await exported(scene.model.ref)).join("")).toBe(wanted);
    // A new one comes behind all of them, wherever they were moved.
    await anAttribute(world, scene, "new");
    expect((await shown(scene)).join("")).toBe(`${wanted}new`);
  });

  test.each([
    ["d", { beforeRef: "key:b" }],
    ["b", { afterRef: "key:d" }],
    ["a", { afterRef: "key:c" }],
    ["b", { beforeRef: "key:b" }],
    ["b", { afterRef: "key:b" }],
  ])("changes nothing where %s has that position already: %j", async (key, to) => {
    const scene = await newScene();
    expect((await world.writesNothing(() => move(scene, key, to))).body.changed).toBe(false);
  });

  test("requires exactly one neighbour, of the same owner", async () => {
    const scene = await newScene();
    const a = { ...scene.refs, attributeRef: "key:a" };
    const both = { beforeRef: "key:b", afterRef: "key:c" };
    expectFaults(await world.refused(MOVE, a), "/afterRef", "/beforeRef");
    expectFaults(await world.refused(MOVE, { ...a, ...both }), "/afterRef", "/beforeRef");
    const foreign = await anAttribute(world, { ...scene, entity: await anEntity(world, scene.model) });
    for (const ref of [foreign.byId, foreign.ref, "key:none"])
      expectProblem(await world.writesNothing(() => world.refused(MOVE, { ...a, beforeRef: ref })), "not_found", ref);
  });

  test("writes one attribute, and the history has the move", async () => {
    const scene = await newScene();
    await move(scene, "a", { beforeRef: "key:d" });
    const { items } = await world.read("model/history_version_changes", { modelRef: scene.model.ref });
    const last = items.filter(({ actions }: { actions: string[] }) => actions.includes(MOVE));
    expect(last).toMatchObject([{ change: "update", kind: "attribute", key: "a" }]);
  });
});

test("relationship_attribute_move does the same in a relationship", async () => {
  const { model, type, entity } = await newScene();
  const relationship = await aRelationship(world, { model, a: entity, b: entity });
  for (const key of ["b", "c", "a"]) await anAttribute(world, { model, type, relationship }, key);
  const refs = { modelRef: model.ref, relationshipRef: relationship.ref };
  await world.ok("model/relationship_attribute_move", { ...refs, attributeRef: "key:a", afterRef: "key:b" });
  const list = "model/relationship_attribute_list";
  expect(keysOf(await world.ok(list, refs))).toEqual(["b", "a", "c"]);
  expect(keysOf(await world.ok(list, { ...refs, sort: "key" }))).toEqual(["a", "b", "c"]);
});

test("declared order is kept by imports, copies, releases and restores", async () => {
  const scene = await newScene();
  const { model } = scene;
  await move(scene, "a", { afterRef: "key:d" });
  await world.ok("model/model_release", { modelRef: model.ref, value: "1.0.0" });
  const revision = await revisionOf(world, model);
  const [copy, imported] = [newKey("copy"), newKey("imported")];
  await world.ok("model/model_copy", { modelRef: model.ref, modelNewKey: copy });
  const content = await world.read("model/model_export", { modelRef: model.ref });
  await world.ok("model/import", { content, modelKey: imported });
  await move(scene, "d", { afterRef: "key:c" });
  await move(scene, "c", { beforeRef: "key:a" });
  expect(await shown(scene)).toEqual(["c", "a", "b", "d"]);
  for (const ref of [`key:${copy}`, `key:${imported}`]) {
    expect(await exported(ref)).toEqual(["d", "a", "b", "c"]);
    const on = { modelRef: ref, entityRef: "key:e" };
    expect(keysOf(await world.ok(LIST, on))).toEqual(["d", "a", "b", "c"]);
    await world.ok("model/entity_attribute_create", { ...on, attributeKey: "0", type: "key:t", optional: true });
    expect(await exported(ref)).toEqual(["d", "a", "b", "c", "0"]);
  }
  expect(await exported(model.ref, { version: "1.0.0" })).toEqual(["d", "a", "b", "c"]);
  expect(await exported(model.ref, { revision })).toEqual(["d", "a", "b", "c"]);
  await world.ok("model/model_restore", { modelRef: model.ref, version: "1.0.0" });
  expect(await shown(scene)).toEqual(["d", "a", "b", "c"]);
});

describe("pages while other calls move, create and delete attributes", () => {
  const keys = Array.from({ length: 12 }, (_, i) => `k${String(i).padStart(2, "0")}`);

  test.each(["declared", "key"])("show each unchanged attribute once, in the order %s", async (sort) => {
    const seed = seedOf(`attribute pages ${sort}`);
    let [walks, restarts] = [0, 0];
    for (let run = 0; run < 25; run++) {
      const chance = createChance(seed * 1_000 + run);
      const scene = await newScene(keys);
      const touched = new Set<string>();
      const seen: string[] = [];
      let cursor: string | undefined;
      let broke = false;
      do {
        const payload = { ...scene.refs, sort, limit: 1 + chance.below(4), ...(cursor !== undefined && { cursor }) };
        const page = await world.ok(LIST, payload).catch((problem: unknown) => problem as Error);
        if (page instanceof Error) {
          expect(page.message).toContain("start again without a cursor");
          broke = true;
          break;
        }
        seen.push(...keysOf(page));
        cursor = page.next;
        // Often the very attribute that the page ended with, and often into one gap.
        for (let i = chance.below(4); i > 0; i--) {
          const now = await shown(scene);
          const key = chance.happens(0.4) && now.includes(seen.at(-1) ?? "") ? (seen.at(-1) ?? "") : chance.pick(now);
          touched.add(key);
          if (chance.happens(0.2) && now.length > 6) {
            await world.ok("model/entity_attribute_delete", { ...scene.refs, attributeRef: `key:${key}` });
          } else if (chance.happens(0.2)) {
            const made = { attributeKey: `n${run}-${seen.length}-${i}`, type: "key:t", optional: true };
            touched.add(made.attributeKey);
            await world.ok("model/entity_attribute_create", { ...scene.refs, ...made });
          } else {
            await move(scene, key, { [chance.pick(["beforeRef", "afterRef"])]: `key:${chance.pick(now)}` });
          }
        }
      } while (cursor !== undefined);
      walks += 1;
      if (broke) restarts += 1;
      const alone = keys.filter((key) => !touched.has(key));
      const once = seen.filter((key) => alone.includes(key));
      expect(once, `seed ${seed} run ${run}`).toEqual(broke ? alone.slice(0, once.length) : alone);
    }
    expect(restarts).toBeLessThan(walks / 2);
  });

  test("start again where the last attribute of a page and its neighbours got new numbers", async () => {
    const scene = await newScene(["a", "b", "c", "d", "e", "f"]);
    const first = await world.ok(LIST, { ...scene.refs, limit: 3 });
    // The gap in front of c is used up, so that c, which nobody moves, gets a greater number.
    for (let i = 0; i < 60; i++) await move(scene, i % 2 ? "e" : "f", { beforeRef: "key:c" });
    const problem = await world.refused(LIST, { ...scene.refs, cursor: first.next });
    expectFaults(problem, "/cursor");
    expect(problem.message).toContain("start again without a cursor");
  });

  test("continue behind the last attribute where only other members of its neighbours changed", async () => {
    const scene = await newScene(["a", "b", "c", "d", "e", "f"]);
    const first = await world.ok(LIST, { ...scene.refs, limit: 3 });
    for (const key of ["b", "d"]) {
      const renamed = { ...scene.refs, attributeRef: `key:${key}`, value: "Renamed" };
      await world.ok("model/entity_attribute_update_name", renamed);
    }
    await move(scene, "f", { afterRef: "key:c" });
    expect(await shown(scene, { cursor: first.next })).toEqual(["f", "d", "e"]);
  });
});
