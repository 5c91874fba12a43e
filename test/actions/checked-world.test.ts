import { expect, test } from "vitest";
import { newKey, useWorld } from "./support/checked-world.ts";
import { aModel } from "./support/models.ts";

const world = useWorld();

test.each([
  "writesNothing",
  "keepsEveryByte",
] as const)("%s detects a write, and accepts a refused one", async (looks) => {
  const model = await aModel(world);
  const create = { modelRef: model.ref, typeKey: newKey("type") };
  await expect(world[looks](() => world.ok("model/type_create", create))).rejects.toThrow("expected");
  const problem = await world[looks](() => world.refused("model/type_create", create));
  expect(problem.code).toBe("key_taken");
});

test("keepsEveryByte detects a write that bypassed the service", async () => {
  const model = await aModel(world);
  await world.keepsEveryByte(() => world.ok("model/model_get", { modelRef: model.ref }));
  const past = () => world.table.batchPut([{ pk: "strange", sk: newKey("x"), v: 1 }]);
  await expect(world.keepsEveryByte(past)).rejects.toThrow("expected");
  await expect(world.writesNothing(past)).rejects.toThrow("expected");
});
