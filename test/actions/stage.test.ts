import { expect, test } from "vitest";
import { aModel } from "./support/models.ts";
import { newKey, useStage } from "./support/stage.ts";

const stage = useStage();

test.each(["writesNothing", "keepsEveryByte"] as const)("%s notices a write, and no refused one", async (looks) => {
  const model = await aModel(stage);
  const create = { modelRef: model.ref, typeKey: newKey("type") };
  await expect(stage[looks](() => stage.ok("model/type_create", create))).rejects.toThrow("expected");
  const problem = await stage[looks](() => stage.refused("model/type_create", create));
  expect(problem.code).toBe("key_taken");
});

test("keepsEveryByte notices a write that went past the service", async () => {
  const model = await aModel(stage);
  await stage.keepsEveryByte(() => stage.ok("model/model_get", { modelRef: model.ref }));
  const past = () => stage.world.table.batchPut([{ pk: "strange", sk: newKey("x"), v: 1 }]);
  await expect(stage.keepsEveryByte(past)).rejects.toThrow("expected");
  await expect(stage.writesNothing(past)).rejects.toThrow("expected");
});
