import { expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { createWorld } from "../support/world.ts";

const world = await createWorld();
const { id: modelId } = await world.run("model/model_create", { key: "m", name: "M" });

const rename = { modelRef: "key:m", name: "N" };
const pinned = (revision: number) =>
  world.problem("model/model_update_name", rename, world.people.admin, { ifMatch: [{ ledgerId: modelId, revision }] });

test("a failed If-Match reports the current revision and the changes since, oldest first", async () => {
  await world.run("model/type_create", { modelRef: "key:m", typeKey: "t" });
  await world.run("model/entity_create", { modelRef: "key:m", entityKey: "e" }, world.people.manager);
  const attribute = { modelRef: "key:m", entityRef: "key:e", attributeKey: "a", type: "key:t", optional: true };
  await world.run("model/entity_attribute_create", attribute);
  const { code, members } = await pinned(1);
  expect([code, members.currentRevision]).toEqual(["precondition_failed", 4]);
  expect(members.changesSince?.map(({ revision, actions, objects }) => [revision, actions, objects])).toEqual([
    [2, ["model/type_create"], ["type t"]],
    [3, ["model/entity_create"], ["entity e"]],
    [4, ["model/entity_attribute_create"], ["attribute a"]],
  ]);
  expect(new Set(members.changesSince?.map(({ actor }) => actor)).size).toBe(2);
});

test("it reports the newest notedChanges of many commits", async () => {
  for (let i = 0; i < LIMITS.notedChanges; i++)
    await world.run("model/entity_create", { modelRef: "key:m", entityKey: `more_${i}` });
  const { members } = await pinned(1);
  expect(members.changesSince).toHaveLength(LIMITS.notedChanges);
  expect(members.changesSince?.at(-1)?.revision).toBe(members.currentRevision);
});

test("a future revision has no changes after it", async () => {
  const { code, members } = await pinned(10_000);
  expect([code, members.changesSince]).toEqual(["precondition_failed", undefined]);
});
