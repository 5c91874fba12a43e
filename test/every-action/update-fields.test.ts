import { describe, expect, test } from "vitest";
import { expectFaults, expectProblem, expectWritten, newKey, useWorld } from "../actions/support/checked-world.ts";
import { type Example, repeatedExample } from "../actions/support/models.ts";
import { UPDATE_ROWS, type UpdateRow } from "../actions/support/update-rows.ts";
import { findSubject } from "../actions/support/update-subjects.ts";
import { ACTIONS } from "../support/actions.ts";
import type { Body } from "../support/world.ts";

const world = useWorld();

const ELSEWHERE = [
  ...["relationship_update_key_pairs", "entity_attribute_move", "relationship_attribute_move"],
  ...["batch_run", "model_apply", "model_release", "model_restore", "model_undelete", "model_undo"],
  ...ACTIONS.filter(({ group, name }) => group === "auth" || /_((add|delete)_tag|(update|delete)_property)$/.test(name))
    .filter(({ intent }) => intent === "update")
    .map(({ name }) => name),
];

const example = repeatedExample(world);

/** The model, or the ledger of tags and definitions, that holds the object of a row. */
async function ledgerOf({ of }: UpdateRow, { model, revision }: Example) {
  if (!findSubject(of).isShared) return { ledgerId: model.id, revision };
  const { etag = "" } = await world.ok("tag/tag_group_list");
  return { ledgerId: "tags", revision: Number(etag.slice("tags-".length)) };
}

/** Reads the object of a row; the revision of a model is no field of it. */
async function readBack({ of }: UpdateRow, e: Example): Promise<Body> {
  const { read, refs, find } = findSubject(of);
  const { relationshipRoleRef: _, ...owner } = refs(e, "byId");
  const { revision: __, ...body } = await world.read(read, owner);
  return find ? find(body, e) : body;
}

test("every action that updates has a row here, or its own suite", () => {
  const updates = ACTIONS.filter((a) => a.intent === "update");
  expect(updates.map((a) => a.name).sort()).toEqual([...UPDATE_ROWS.map((r) => r.action), ...ELSEWHERE].sort());
});

describe.each(UPDATE_ROWS)("$action", (row) => {
  const { member, parameter = "value", shown = (value: unknown) => value } = row;
  const { group, read, find, refs, object, sibling } = findSubject(row.of);
  const action = `${group}/${row.action}`;
  const change = (e: Example, value: unknown) => ({ ...refs(e, "byId"), [parameter]: value });

  test("sets the field, increments the revision and keeps every other field", async () => {
    const e = await example();
    const { ledgerId, revision } = await ledgerOf(row, e);
    for (const [i, value] of row.values(e).entries()) {
      const before = await readBack(row, e);
      const answer = await world.ok(action, change(e, value));
      const key = member === "key" ? String(value) : object(e).key;
      expectWritten(answer, { key, modelId: ledgerId, revision: revision + 1 + i });
      expect(answer.body.id).toBe(object(e).id);
      expect(await readBack(row, e)).toEqual({ ...before, [member]: shown(value, e) });
    }
  });

  test("changes nothing where the value is the same", async () => {
    const e = await example();
    const { ledgerId, revision } = await ledgerOf(row, e);
    const [value] = row.values(e);
    await world.ok(action, change(e, value));
    const again = await world.writesNothing(() => world.ok(action, change(e, value)));
    expect(again.body).toMatchObject({ status: "ok", id: object(e).id, changed: false, revision: revision + 1 });
    expect(again.etag).toBe(`${ledgerId}-${revision + 1}`);
  });

  test("finds the object by keys, by ids and by any mix", async () => {
    const e = await example();
    const [value] = row.values(e);
    const [byKey, byId] = [refs(e, "ref"), refs(e, "byId")];
    for (const one of Object.keys(byKey)) {
      const payload = { ...byKey, [one]: byId[one], [parameter]: value };
      expect((await world.ok(action, payload, { dryRun: true })).body.id).toBe(object(e).id);
    }
    expect((await world.ok(action, { ...byKey, [parameter]: value })).body.id).toBe(object(e).id);
  });

  const malformed = row.malformed.map((value) => [JSON.stringify(value).slice(0, 60), value] as const);
  test.each(malformed)("refuses %s with a pointer to the parameter", async (_, value) => {
    const e = await example();
    expectFaults(await world.writesNothing(() => world.refused(action, change(e, value))), `/${parameter}`);
  });

  if (row.clears) {
    test.each([
      ["an empty text", ""],
      ["null", null],
      ["leaving it out", undefined],
    ])("clears the field by %s", async (_, nothing) => {
      const e = await example();
      const { revision } = await ledgerOf(row, e);
      const { [member]: __, ...others } = await readBack(row, e);
      await world.ok(action, change(e, row.values(e)[0]));
      const payload = nothing === undefined ? refs(e, "byId") : change(e, nothing);
      expect((await world.ok(action, payload)).body).toMatchObject({ changed: true, revision: revision + 2 });
      expect(await readBack(row, e)).toEqual(others);
      const again = await world.writesNothing(() => world.ok(action, payload));
      expect(again.body).toMatchObject({ changed: false, revision: revision + 2 });
    });
  } else {
    test("requires the value", async () => {
      expectFaults(await world.refused(action, refs(await example(), "byId")), `/${parameter}`);
    });
  }

  if (member === "key") {
    test("refuses the key of another object in the same scope, names it and writes nothing", async () => {
      const e = await example();
      const taken = newKey("taken");
      await sibling(world, e, taken);
      expectProblem(await world.writesNothing(() => world.refused(action, change(e, taken))), "key_taken", taken);
      expect((await world.refused(action, change(e, taken), { dryRun: true })).code).toBe("key_taken");
    });

    test("frees the old key, which refers to nothing until another object has it", async () => {
      const e = await example();
      const { id, key, ref } = object(e);
      const byOldKey = { ...refs(e, "byId"), [Object.keys(refs(e, "byId")).at(-1) ?? ""]: ref };
      await world.ok(action, change(e, newKey("moved")));
      expectProblem(await world.refused(action, { ...byOldKey, value: newKey() }), "not_found", ref);
      await sibling(world, e, key);
      const found = await world.ok(action, { ...byOldKey, value: key });
      expect(found.body.id).not.toBe(id);
      if (find) return;
      expect((await world.read(read, byOldKey)).id).toBe(found.body.id);
    });

    test("accepts a key that differs only in case", async () => {
      const e = await example();
      const key = object(e).key.toUpperCase();
      expect((await world.ok(action, change(e, key))).body).toMatchObject({ changed: true, key });
    });
  }
});
