import { expect, test } from "vitest";
import { useScenes } from "../support/scenes.ts";
import { writtenBody } from "../support/service-over.ts";

const scenes = useScenes();
const { newScene } = scenes;

test("a call is not refused while its own commit may still succeed", async () => {
  for (let later = 1; later <= 16; later++) {
    const { key, id, modelRef, table, caller } = await newScene();
    // The commit of a copy is made under no condition on the model that is copied.
    const renamed = {
      before: () => scenes.world.run("model/model_update_key", { modelRef: `id:${id}`, value: `${key}-gone` }),
    };
    table.arm({
      rules: [
        { match: { operation: "transactWrite" }, do: { applyLater: later } },
        // The first look is at what came while the model was read, the second at what became of the commit.
        { match: { operation: "transactGet", key: /^log#/, nth: 2 }, do: renamed },
      ],
    });
    const { problem } = await caller.call("model_copy", { modelRef, modelNewKey: `${key}-copy` });
    await table.settle();
    const copied = (await scenes.world.run("model/model_list", {})).some(
      (one: { key: string }) => one.key === `${key}-copy`,
    );
    expect([problem?.code, copied], `applied ${later} calls later`).not.toEqual(["not_found", true]);
  }
});

test("a model that changed while it was read is read again, with all its parts", async () => {
  for (let page = 2; page <= 10; page++) {
    const { id, key, modelRef, table, caller } = await newScene();
    const renamed = { before: () => scenes.world.run("model/model_update_key", { modelRef, value: `${key}-new` }) };
    const moved = {
      before: async () => {
        await scenes.world.run("model/model_update_key", { modelRef: `id:${id}`, value: key });
        const attribute = { modelRef, entityRef: "key:customer", attributeRef: "key:name" };
        // Pages that were read before have no such attribute, and later ones no longer.
        await scenes.world.run("model/entity_attribute_update_key", { ...attribute, value: "0" });
      },
    };
    const rows = { operation: "query", key: new RegExp(`^model#${id}`) } as const;
    table.arm({
      pageRows: 1,
      rules: [
        { match: { ...rows, nth: 1 }, do: renamed },
        { match: { ...rows, nth: page }, do: moved },
      ],
    });
    const copy = writtenBody(await caller.call("model_copy", { modelRef, modelNewKey: `${key}-copy` }));
    const copied = { modelRef: `id:${copy.id}`, entityRef: "key:customer" };
    expect((await scenes.world.run("model/entity_get", copied)).primaryKey, `moved before page ${page}`).toHaveLength(
      1,
    );
  }
});
