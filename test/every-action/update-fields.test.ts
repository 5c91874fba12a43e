import { describe, expect, test } from "vitest";
import { expectFaults, expectWritten, newKey, useWorld } from "../actions/support/checked-world.ts";
import { type Example, type Made, repeatedExample, revisionOf } from "../actions/support/models.ts";
import { UPDATE_ROWS, type UpdateRow } from "../actions/support/update-rows.ts";
import { UPDATE_SUBJECTS } from "../actions/support/update-subjects.ts";
import { ACTIONS } from "../support/actions.ts";

const world = useWorld();

/** Actions named like these that have a suite of their own. */
const ELSEWHERE = [
  "entity_primary_key_update",
  "relationship_update_key_pairs",
  "entity_attribute_move",
  "relationship_attribute_move",
  ...["key", "name", "entity", "cardinality"].map((field) => `relationship_role_update_${field}`),
  ...["tag_group", "tag_global", "tag_local"].flatMap((kind) =>
    ["key", "name", "description"].map((field) => `${kind}_update_${field}`),
  ),
  ...["key", "name", "description", "kinds", "schema", "impact"].map((field) => `definition_update_${field}`),
  ...["batch_run", "model_apply", "model_release", "model_restore"],
  ...ACTIONS.filter(({ group, name }) => group === "auth" || /_((add|delete)_tag|(update|delete)_property)$/.test(name))
    .filter(({ intent }) => intent === "update")
    .map(({ name }) => name),
];

/** The object of the example that a row addresses. */
const subjectOf = (row: UpdateRow, e: Example): Made => UPDATE_SUBJECTS[row.of].object(e);

/** The refs of the object that a row addresses. */
function refsOf({ of }: UpdateRow, e: Example, by: "ref" | "byId" = "byId"): Readonly<Record<string, string>> {
  return { modelRef: e.model[by], ...UPDATE_SUBJECTS[of].refs(e, by) };
}

const example = repeatedExample(world);

const parameterOf = (row: UpdateRow): string => row.parameter ?? "value";
const change = (row: UpdateRow, e: Example, value: unknown) => ({ ...refsOf(row, e), [parameterOf(row)]: value });
const readBack = (row: UpdateRow, e: Example) => world.read(`model/${UPDATE_SUBJECTS[row.of].read}`, refsOf(row, e));

test("every action that updates has a row here, or its own suite", () => {
  const updates = ACTIONS.filter((a) => a.intent === "update");
  expect(updates.map((a) => a.name).sort()).toEqual([...UPDATE_ROWS.map((r) => r.action), ...ELSEWHERE].sort());
});

describe.each(UPDATE_ROWS)("$action", (row) => {
  const action = `model/${row.action}`;
  const shown = row.shown ?? ((value: unknown) => value);

  test("sets the field, increments the model's revision and keeps every other field", async () => {
    const e = await example();
    const subject = subjectOf(row, e);
    for (const [i, value] of row.values(e).entries()) {
      const before = await readBack(row, e);
      const answer = await world.ok(action, change(row, e, value));
      const revision = e.revision + 1 + i;
      const key = row.member === "key" ? String(value) : subject.key;
      expectWritten(answer, { key, modelId: e.model.id, revision });
      expect(answer.body.id).toBe(subject.id);
      const revisions = row.of === "model" ? { revision } : {};
      expect(await readBack(row, e)).toEqual({ ...before, [row.member]: shown(value, e), ...revisions });
    }
  });

  test("changes nothing where the value is the same", async () => {
    const e = await example();
    const [value] = row.values(e);
    await world.ok(action, change(row, e, value));
    const again = await world.writesNothing(() => world.ok(action, change(row, e, value)));
    expect(again.body).toMatchObject({
      status: "ok",
      id: subjectOf(row, e).id,
      changed: false,
      revision: e.revision + 1,
    });
    expect(again.etag).toBe(`${e.model.id}-${e.revision + 1}`);
  });

  test("finds the object by keys, by ids and by any mix", async () => {
    const e = await example();
    const [value] = row.values(e);
    const [byKey, byId] = [refsOf(row, e, "ref"), refsOf(row, e, "byId")];
    for (const one of Object.keys(byKey)) {
      const payload = { ...byKey, [one]: byId[one], [parameterOf(row)]: value };
      expect((await world.ok(action, payload, { dryRun: true })).body.id).toBe(subjectOf(row, e).id);
    }
    expect((await world.ok(action, { ...byKey, [parameterOf(row)]: value })).body.id).toBe(subjectOf(row, e).id);
  });

  test("answers the change in a dry run and writes nothing", async () => {
    const e = await example();
    const [value] = row.values(e);
    const { body } = await world.keepsEveryByte(() => world.ok(action, change(row, e, value), { dryRun: true }));
    const { id } = subjectOf(row, e);
    expect(body).toMatchObject({ id, dryRun: true, changed: true, revision: e.revision + 1 });
    expect(body.changes).toMatchObject([{ change: "update", kind: UPDATE_SUBJECTS[row.of].kind, id }]);
  });

  test("runs only at the revision of If-Match", async () => {
    const e = await example();
    const { id: modelId } = e.model;
    const [first, second] = row.values(e);
    const pinned = (revision: number) => ({ ifMatch: [{ ledgerId: modelId, revision }] });
    await world.ok(action, change(row, e, first), pinned(e.revision));
    const problem = await world.writesNothing(() => world.refused(action, change(row, e, second), pinned(e.revision)));
    expect(problem).toMatchObject({ code: "precondition_failed", members: { currentRevision: e.revision + 1 } });
  });

  test.each(row.malformed)("refuses %j with a pointer to the parameter", async (value) => {
    const e = await example();
    const problem = await world.refused(action, change(row, e, value));
    expectFaults(problem, `/${parameterOf(row)}`);
    expect(await revisionOf(world, e.model)).toBe(e.revision);
  });

  if (row.clears) {
    test.each([
      ["an empty text", ""],
      ["null", null],
      ["leaving it out", undefined],
    ])("clears the field by %s", async (_, nothing) => {
      const e = await example();
      const before = await readBack(row, e);
      await world.ok(action, change(row, e, row.values(e)[0]));
      const payload = nothing === undefined ? refsOf(row, e) : change(row, e, nothing);
      const answer = await world.ok(action, payload);
      expect(answer.body).toMatchObject({ changed: true, revision: e.revision + 2 });
      const revisions = row.of === "model" ? { revision: e.revision + 2 } : {};
      expect(await readBack(row, e)).toEqual({ ...before, ...revisions });
      const again = await world.writesNothing(() => world.ok(action, payload));
      expect(again.body).toMatchObject({ changed: false, revision: e.revision + 2 });
    });
  } else {
    test("requires the value", async () => {
      const e = await example();
      expectFaults(await world.refused(action, refsOf(row, e)), `/${parameterOf(row)}`);
    });
  }

  if (row.member === "key") {
    test("refuses the key of another object in the same scope, names it and writes nothing", async () => {
      const e = await example();
      const taken = newKey("taken");
      await UPDATE_SUBJECTS[row.of].sibling(world, e, taken);
      const problem = await world.writesNothing(() => world.refused(action, change(row, e, taken)));
      expect(problem.code).toBe("key_taken");
      expect(problem.message).toContain(taken);
      const dry = await world.refused(action, change(row, e, taken), { dryRun: true });
      expect(dry.code).toBe("key_taken");
    });

    test("frees the old key, which is not found any more", async () => {
      const e = await example();
      const { key } = subjectOf(row, e);
      await world.ok(action, change(row, e, newKey("moved")));
      const problem = await world.refused(`model/${UPDATE_SUBJECTS[row.of].read}`, innermostByKey(row, e));
      expect(problem.code).toBe("not_found");
      expect(problem.message).toContain(`key:${key}`);
      await UPDATE_SUBJECTS[row.of].sibling(world, e, key);
      const found = await world.read(`model/${UPDATE_SUBJECTS[row.of].read}`, innermostByKey(row, e));
      expect(found.id).not.toBe(subjectOf(row, e).id);
    });

    test("accepts a key that differs only in case", async () => {
      const e = await example();
      const { key } = subjectOf(row, e);
      const answer = await world.ok(action, change(row, e, key.toUpperCase()));
      expect(answer.body).toMatchObject({ changed: true, key: key.toUpperCase() });
    });
  }
});

/** The refs of a row's object, the innermost by the object's first key. */
function innermostByKey(row: UpdateRow, e: Example): Record<string, string> {
  const byId = refsOf(row, e);
  const innermost = Object.keys(byId).at(-1) ?? "modelRef";
  return { ...byId, [innermost]: subjectOf(row, e).ref };
}
