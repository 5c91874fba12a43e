import { describe, expect, test } from "vitest";
import type { Problem } from "../../shared/domain/problems.ts";
import { createFaultSeam, type FaultSeam } from "../store/support/fault-seam.ts";
import { freshSeam } from "../support/table.ts";
import { createWorld, type World } from "../support/world.ts";

interface Ground {
  readonly world: World;
  readonly seam: FaultSeam;
  readonly id: string;
}

/** A model `old` with an unused type, at revision 2. */
async function ground(): Promise<Ground> {
  const seam = createFaultSeam(await freshSeam());
  const world = await createWorld({ seam });
  const { id } = await world.run("model/model_create", { key: "old", name: "Before" });
  await world.run("model/type_create", { modelRef: "key:old", typeKey: "unused" });
  return { world, seam, id };
}

describe("an answer is of the revision that its tag names,", () => {
  test("also when another write comes between the head and the one object it reads", async () => {
    const { world, seam, id } = await ground();
    const rename = () => world.run("model/model_update_name", { modelRef: `id:${id}`, name: "After" });
    seam.arm({ rules: [{ match: { operation: "get", key: /^model#.*\|model$/ }, do: { before: rename } }] });
    const { body, etag } = await world.answer("model/model_get", { modelRef: `id:${id}` });
    // Two contents under one strong tag: whoever has the one is told that it is still the other.
    expect({ name: nameOf(body), etag }).toEqual(
      nameOf(body) === "Before" ? { name: "Before", etag: `${id}-2` } : { name: "After", etag: `${id}-3` },
    );
  });

  test("also when the model is renamed while it is listed by its key", async () => {
    const { world, seam, id } = await ground();
    const rename = () => world.run("model/model_update_key", { modelRef: `id:${id}`, value: "new" });
    seam.arm({ rules: [{ match: { operation: "transactGet", key: /^log#/ }, do: { before: rename } }] });
    const tag = world.answer("model/entity_list", { modelRef: "key:old" }).then(({ etag }) => etag);
    // At revision 3 there is no model `old`.
    expect([`${id}-2`, "not_found"]).toContain(await tag.catch((problem: Problem) => problem.code));
  });
});

test("a write through a key does not reach a model that lost the key to another before", async () => {
  const { world, seam, id } = await ground();
  const takeOver = async () => {
    await world.run("model/model_update_key", { modelRef: `id:${id}`, value: "new" });
    await world.run("model/model_create", { key: "old", name: "Another" });
    await world.run("model/type_create", { modelRef: "key:old", typeKey: "unused" });
  };
  seam.arm({ rules: [{ match: { operation: "transactGet", key: /^log#/ }, do: { before: takeOver } }] });
  await world.run("model/type_delete", { modelRef: "key:old", typeRef: "key:unused" });
  const left = async (modelRef: string) => (await world.run("model/type_list", { modelRef })).items.length;
  // The renaming is revision 3 of the first model, so a deletion at revision 4 came after it.
  expect({ first: await left("key:new"), second: await left("key:old") }).toEqual({ first: 1, second: 0 });
});

describe("a write that If-Match pins to a revision runs at no other, also when another write comes while it reads:", () => {
  const pinnedAt = async ({ world, seam, id }: Ground, action: string, payload: object) => {
    const another = () => world.run("model/entity_create", { modelRef: `id:${id}`, entityKey: "another" });
    seam.arm({ rules: [{ match: { operation: "transactGet", key: /^log#/ }, do: { before: another } }] });
    const control = { ifMatch: [{ modelId: id, revision: 2 }] };
    const answer = world.answer(action, { modelRef: `id:${id}`, ...payload }, world.people.admin, control);
    return answer.then(
      ({ body }) => body,
      (problem: Problem) => problem.code,
    );
  };

  test("type_delete", async () => {
    const g = await ground();
    expect(await pinnedAt(g, "model/type_delete", { typeRef: "key:unused" })).toBe("precondition_failed");
  });

  test("model_copy", async () => {
    const g = await ground();
    const made = await pinnedAt(g, "model/model_copy", { modelNewKey: "copy" });
    // Either it is refused, or it is a copy of revision 2, in which there was no entity.
    if (made !== "precondition_failed") {
      expect((await g.world.run("model/entity_list", { modelRef: "key:copy" })).items).toEqual([]);
    }
  });

  test("a write that changes nothing", async () => {
    const g = await ground();
    const made = await pinnedAt(g, "model/type_update_name", { typeRef: "key:unused" });
    if (made !== "precondition_failed") expect(made).toMatchObject({ changed: false, revision: 2 });
  });
});

const nameOf = (body: unknown): unknown => (body as { readonly name?: unknown }).name;
