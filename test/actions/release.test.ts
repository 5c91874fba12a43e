import { describe, expect, test } from "vitest";
import { expectFaults, expectProblem, expectWritten, newKey, useWorld } from "./support/checked-world.ts";
import { aModel, anEntity, aType, entryOf, exampleModel, type Made } from "./support/models.ts";

const world = useWorld();

const release = (model: Made, value: string) => world.ok("model/model_release", { modelRef: model.ref, value });
const refused = (model: Made, value: string) => world.refused("model/model_release", { modelRef: model.ref, value });
const version = async (model: Made) => (await world.read("model/model_get", { modelRef: model.ref })).version;

describe("model_release", () => {
  test("sets the version of the model, and creates a release that can be read", async () => {
    const model = await aModel(world);
    await anEntity(world, model);
    const before = await world.read("model/model_export", { modelRef: model.ref });
    expectWritten(await release(model, "1.0.0"), { key: model.key, modelId: model.id, revision: 3 });
    expect(await version(model)).toBe("1.0.0");
    const released = await world.read("model/model_export_version", { modelRef: model.ref, version: "1.0.0" });
    expect(released).toEqual({ ...before, version: "1.0.0" });
    expect((await world.read("model/model_list")).find(({ id }: Made) => id === model.id).version).toBe("1.0.0");
  });

  test("lists every version when there are more than one batch of reads returns", async () => {
    const model = await aModel(world);
    const versions = Array.from({ length: 102 }, (_, i) => `1.0.${i}`);
    for (const value of versions) await release(model, value);
    const { items } = await world.read("model/history_versions", { modelRef: model.ref });
    expect(items.map((row: { version: string }) => row.version)).toEqual([...versions.toReversed(), "0.0.1"]);
  });

  test.each([
    ["0.0.1", "0.0.2"],
    ["1.2.2", "1.2.3"],
    ["0.9.9", "0.10.0"],
    ["1.9999999999.0", "2.0.0"],
    ["1.2.3-rc.1", "1.2.3"],
    ["1.2.3-rc.9", "1.2.3-rc.10"],
    ["1.2.3-1", "1.2.3-rc.1"],
    ["1.2.3-1", "1.2.3-alpha"],
    ["1.2.3-alpha", "1.2.3-alpha.0"],
  ])("accepts %s before %s, and refuses both after it", async (lower, greater) => {
    const model = await aModel(world);
    if (lower !== "0.0.1") await release(model, lower);
    await release(model, greater);
    expect(await version(model)).toBe(greater);
    for (const value of [lower, greater])
      expectProblem(await world.writesNothing(() => refused(model, value)), "version_not_greater", value, greater);
  });

  test("compares with the highest release, also after a restore of an earlier one", async () => {
    const model = await aModel(world);
    await release(model, "1.0.0");
    await anEntity(world, model);
    await release(model, "2.0.0");
    await world.ok("model/model_restore", { modelRef: model.ref, version: "1.0.0" });
    expect((await refused(model, "1.5.0")).code).toBe("version_not_greater");
    await release(model, "2.0.1");
    const document = await world.read("model/model_export_version", { modelRef: model.ref, version: "2.0.1" });
    expect(document.entities).toEqual([]);
  });

  test("in a batch releases the state that the batch leaves", async () => {
    const model = await aModel(world);
    const at = { modelRef: model.ref };
    await world.ok("batch/batch_run", {
      actions: [
        entryOf("type_create", { ...at, typeKey: "t1" }),
        entryOf("type_create", { ...at, typeKey: "t2" }),
        entryOf("model_release", { ...at, value: "1.0.0" }),
      ],
    });
    await aType(world, model, "t3");
    const document = await world.read("model/model_export_version", { ...at, version: "1.0.0" });
    expect(document.version).toBe("1.0.0");
    expect(document.types.map(({ key }: Made) => key)).toEqual(["t1", "t2"]);
  });
});

test("a released version exists for every way to create a model", async () => {
  const { model } = await exampleModel(world, newKey("origin"));
  const copy = (await world.ok("model/model_copy", { modelRef: model.ref, modelNewKey: newKey("copy") })).body;
  const document = await world.read("model/model_export", { modelRef: model.ref });
  const content = { ...document, version: "3.1.4" };
  const imported = (await world.ok("model/import", { content, modelKey: newKey() })).body;
  for (const [id, version] of [
    [model.id, "0.0.1"],
    [copy.id, "0.0.1"],
    [imported.id, "3.1.4"],
  ]) {
    const past = await world.read("model/model_export_version", { modelRef: `id:${id}`, version });
    expect(past).toEqual(await world.read("model/model_export", { modelRef: `id:${id}`, revision: 1 }));
    expect(past.version).toBe(version);
  }
});

describe("model_export of a revision", () => {
  test("is sent to a caller who has the newest state", async () => {
    const model = await aModel(world);
    await aType(world, model);
    const { etag } = await world.ok("model/model_export", { modelRef: model.ref });
    const first = { modelRef: model.ref, revision: 1 };
    const past = await world.ok("model/model_export", first, { ifNoneMatch: [String(etag)] });
    expect(past.body.types).toEqual([]);
    expect(past.etag).toBe(`${model.id}-1`);
  });

  test("takes a version or a revision, but not both; revisions are counted from 1", async () => {
    const { ref: modelRef } = await aModel(world);
    const refuse = (moment: object) => world.refused("model/model_export", { modelRef, ...moment });
    expectFaults(await refuse({ version: "0.0.1", revision: 1 }), "/version", "/revision");
    for (const revision of [0, 1.5]) expectFaults(await refuse({ revision }), "/revision");
    expectProblem(await refuse({ revision: 2 }), "not_found", "its newest revision is 1");
  });
});
