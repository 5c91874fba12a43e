import { describe, expect, test } from "vitest";
import { expectFaults, expectProblem, expectWritten, newKey, useWorld } from "./support/checked-world.ts";
import { aModel, anEntity, aType, revisionOf } from "./support/models.ts";

const world = useWorld();

describe("model_create", () => {
  test("given a free key and a name, makes an empty model of authority system at revision 1", async () => {
    const key = newKey();
    const answer = await world.ok("model/model_create", { key, name: "Customers" });
    expectWritten(answer, { key, revision: 1 });
    const modelRef = `id:${answer.body.id}`;
    const fields = { id: answer.body.id, key, name: "Customers", version: "0.0.1", authority: "system" };
    expect(await world.read("model/model_get", { modelRef })).toEqual({ ...fields, tags: [], revision: 1 });
    expect(await world.read("model/model_export", { modelRef })).toMatchObject({ types: [], entities: [] });
  });

  test("given a key that is taken, refuses it, names it and writes nothing", async () => {
    const { key } = await aModel(world);
    const problem = await world.writesNothing(() => world.refused("model/model_create", { key, name: "Other" }));
    expectProblem(problem, "key_taken", key);
  });

  test("accepts the versions of SemVer without build metadata, and no others", async () => {
    for (const version of ["0.0.0", "10.20.30", "1.0.0-alpha.1", "1.0.0-0a.x-y.0", "1.0.0--"]) {
      const { body } = await world.ok("model/model_create", { key: newKey(), name: "M", version });
      expect(await world.read("model/model_get", { modelRef: `id:${body.id}` })).toMatchObject({ version });
    }
    const malformed = ["1", "1.2", "01.2.3", "v1.2.3", "-1.0.0", " 1.0.0"];
    for (const version of [...malformed, "1.2.3+build", "1.2.3-01", "1.2.3-", "1.2.3-a..b"])
      expectFaults(await world.refused("model/model_create", { key: newKey(), name: "M", version }), "/version");
  });

  test("given an empty version and description, treats them as absent", async () => {
    const key = newKey();
    await world.ok("model/model_create", { key, name: "M", version: "", description: null });
    const model = await world.read("model/model_get", { modelRef: `key:${key}` });
    expect(model.version).toBe("0.0.1");
    expect(model).not.toHaveProperty("description");
  });
});

test("model_list answers a bare array of summaries sorted by key, with at least id and key", async () => {
  const b = await aModel(world, "list b");
  const a = await aModel(world, "list a");
  const upper = await aModel(world, "LIST");
  const rows: { id: string; key: string }[] = await world.read("model/model_list");
  expect(Array.isArray(rows)).toBe(true);
  const keys = rows.map((row) => row.key);
  expect(keys).toEqual([...keys].sort((x, y) => (x < y ? -1 : 1)));
  expect(keys.filter((key) => key.toLowerCase().startsWith("list"))).toEqual([upper.key, a.key, b.key]);
  const { id, key } = a;
  const listed = { id, key, name: `Model ${key}`, version: "0.0.1", authority: "system" };
  expect(rows.find((row) => row.key === key)).toEqual(listed);
});

test("model_update_key swaps the keys of two models with a third key", async () => {
  const [one, two] = [await aModel(world), await aModel(world)];
  await world.ok("model/model_update_key", { modelRef: one.byId, value: newKey("between") });
  await world.ok("model/model_update_key", { modelRef: two.byId, value: one.key });
  await world.ok("model/model_update_key", { modelRef: one.byId, value: two.key });
  expect(await world.read("model/model_get", { modelRef: one.ref })).toMatchObject({ id: two.id });
  expect(await world.read("model/model_get", { modelRef: two.ref })).toMatchObject({ id: one.id });
});

describe("model_delete", () => {
  test("removes the model by key and by id, for reads and for writes", async () => {
    const model = await aModel(world);
    const type = await aType(world, model);
    const answer = await world.ok("model/model_delete", { modelRef: model.ref });
    expectWritten(answer, { key: model.key, modelId: model.id, revision: 3 });
    expect(answer.body.id).toBe(model.id);
    const calls = {
      ...{ model_get: {}, model_export: {}, model_delete: {} },
      ...{ type_get: { typeRef: type.byId }, type_create: { typeKey: "t" } },
    };
    for (const modelRef of [model.ref, model.byId]) {
      for (const [action, more] of Object.entries(calls))
        expect((await world.refused(`model/${action}`, { modelRef, ...more })).code, action).toBe("not_found");
    }
    const rows: { id: string }[] = await world.read("model/model_list");
    expect(rows.some((row) => row.id === model.id)).toBe(false);
  });

  test("frees the key, for a new model without anything of the old one", async () => {
    const model = await aModel(world);
    await aType(world, model, "string");
    await anEntity(world, model, "customer");
    await world.ok("model/model_delete", { modelRef: model.byId });
    const again = await aModel(world, model.key);
    expect(again.id).not.toBe(model.id);
    const empty = { id: again.id, types: [], entities: [] };
    expect(await world.read("model/model_export", { modelRef: model.ref })).toMatchObject(empty);
    expect(await revisionOf(world, again)).toBe(1);
    await aType(world, again, "string");
  });
});
