import { expect, test } from "vitest";
import { useScenes } from "../support/scenes.ts";
import { writtenBody } from "../support/service-over.ts";

const scenes = useScenes();
const { newScene } = scenes;

test("a call is not refused while its own commit may still succeed", async () => {
  for (let later = 1; later <= 16; later++) {
    const { key, id, modelRef, table, caller } = await newScene();
    // The commit of a copy is made under no condition on the model that is copied.
    const renaming = { modelRef: `id:${id}`, value: `${key}-gone` };
    const renamed = { before: () => scenes.world.run("model/model_update_key", renaming) };
    table.arm([
      { match: { operation: "transactWrite" }, do: { applyLater: later } },
      // The first look is at what came while the model was read, the second at what became of the commit.
      { match: { operation: "transactGet", key: /^log#/, nth: 2 }, do: renamed },
    ]);
    const { problem } = await caller.call("model_copy", { modelRef, modelNewKey: `${key}-copy` });
    await table.settle();
    const rows: readonly { key: string }[] = await scenes.world.run("model/model_list", {});
    const copied = rows.some((one) => one.key === `${key}-copy`);
    expect([problem?.code, copied], `applied ${later} calls later`).not.toEqual(["not_found", true]);
  }
});

test("a model that changed while it was read is read again, with all its parts", async () => {
  for (let page = 2; page <= 10; page++) {
    const { id, key, modelRef, table, caller } = await newScene();
    const renamed = { before: () => scenes.world.run("model/model_update_key", { modelRef, value: `${key}-new` }) };
    const moving = async () => {
      await scenes.world.run("model/model_update_key", { modelRef: `id:${id}`, value: key });
      const attribute = { modelRef, entityRef: "key:customer", attributeRef: "key:name" };
      // Pages that were read before have no such attribute, and later ones no longer.
      await scenes.world.run("model/entity_attribute_update_key", { ...attribute, value: "0" });
    };
    const rows = { operation: "query", key: new RegExp(`^model#${id}`) } as const;
    table.arm({
      pageRows: 1,
      rules: [
        { match: { ...rows, nth: 1 }, do: renamed },
        { match: { ...rows, nth: page }, do: { before: moving } },
      ],
    });
    const copy = writtenBody(await caller.call("model_copy", { modelRef, modelNewKey: `${key}-copy` }));
    const copied = { modelRef: `id:${copy.id}`, entityRef: "key:customer" };
    const { primaryKey } = await scenes.world.run("model/entity_get", copied);
    expect(primaryKey, `moved before page ${page}`).toHaveLength(1);
  }
});

const entry = (action: string, payload: object) => ({ group: "model", action, payload });

test("what a batch reads of one model is still true when it writes to another", async () => {
  const [one, two] = [await newScene(), await newScene()];
  const before = async () => {
    await scenes.world.run("model/entity_create", { modelRef: one.modelRef, entityKey: "late" });
    // The first transaction fails because of this commit, so the batch reads both models again.
    await scenes.world.run("model/type_create", { modelRef: two.modelRef, typeKey: "t" });
  };
  two.table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { before } }] });
  const { answer } = await two.caller.call("batch/batch_run", {
    actions: [
      entry("entity_list", { modelRef: one.modelRef }),
      entry("entity_create", { modelRef: two.modelRef, entityKey: "e" }),
    ],
  });
  const [list] = (answer?.body as { results: { items: { key: string }[] }[] }).results;
  expect(list?.items.map(({ key }) => key)).toContain("late");
});

test("a batch without effect answers one revision, also if the model gets another key during it", async () => {
  const { id, key, table, caller } = await newScene();
  const modelRef = `id:${id}`;
  const before = () => scenes.world.run("model/model_update_key", { modelRef, value: `${key}-moved` });
  table.arm({ rules: [{ match: { operation: "transactGet" }, do: { before } }] });
  const payload = { modelRef, entityRef: "key:customer", attributeRef: "key:name", value: "name" };
  const { answer } = await caller.call("batch/batch_run", { actions: [entry("entity_attribute_update_key", payload)] });
  expect(await scenes.world.run("model/model_get", { modelRef })).toMatchObject({ key: `${key}-moved` });
  expect(answer?.body).toMatchObject({ changed: false, revisions: [{ key, revision: 1 }] });
});

test("a batch is not refused for a changed model with a reason that was true of another one before", async () => {
  const { id, modelRef } = await newScene();
  const { modelRef: otherRef, id: otherId, table, caller } = await newScene();
  const before = async () => {
    await scenes.world.run("model/entity_delete", { modelRef: otherRef, entityRef: "key:empty" });
    await scenes.world.run("model/type_create", { modelRef, typeKey: "date" });
  };
  table.arm({ rules: [{ match: { operation: "query", key: new RegExp(`^log#${id}`) }, do: { before } }] });
  const attribute = { entityRef: "key:empty", attributeKey: "code", type: "key:string", optional: true };
  const actions = [otherRef, modelRef].map((ref) => entry("entity_attribute_create", { modelRef: ref, ...attribute }));
  const { problem } = await caller.call("batch/batch_run", { actions }, { ifMatch: [{ ledgerId: id, revision: 1 }] });
  // The entity of the first model was deleted before the second model changed.
  expect([problem?.code, problem?.members.entry]).toEqual(["not_found", 1]);
  expect(otherId).not.toBe(id);
});
