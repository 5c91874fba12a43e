import { beforeAll, describe, expect, test } from "vitest";
import { createCatalogue } from "../../shared/actions/catalogue.ts";
import { copyOf, type Example, exampleModel, revisionOf } from "./support/models.ts";
import { expectFaults, expectWritten, newKey, useStage } from "./support/stage.ts";

const stage = useStage();

/** One action that sets one field of an object to a value. */
interface Row {
  readonly action: string;
  /** What it addresses; decides its refs and the action that reads it back. */
  readonly of: "model" | "type" | "entity" | "attribute";
  /** The member of the read that shows the field. */
  readonly member: string;
  /** The parameter; `value` unless told otherwise. */
  readonly parameter?: string;
  /** Two values that differ from each other and from what is there. */
  readonly values: (example: Example) => readonly [unknown, unknown];
  /** How a read shows a value; as it was given unless told otherwise. */
  readonly shown?: (value: unknown, example: Example) => unknown;
  readonly clears?: boolean;
  /** Values it must refuse as malformed. */
  readonly malformed: readonly unknown[];
}

const texts = () => ["First Ünïcode 名 🙂", "Second"] as const;
const keys = () => [newKey("first"), newKey("second")] as const;
const links = () => ["https://example.com/1", "mailto:ada@example.com"] as const;
const BAD_NAMES = ["two\nlines", "two\r", "   ", "x".repeat(201), 7, true, ["a"], {}];
const BAD_TEXTS = [" \n\t ", "x".repeat(100_001), 7, false, [], {}];
const BAD_LINKS = ["example.com", "/x", "javascript:alert(1)", `https://e.com/${"x".repeat(2_048)}`, 7, {}];
const BAD_KEYS = ["", null, "x".repeat(129), "it's", 'q"', "b`", "b\\", "ä", "a\tb", "a\u007f", 7, {}];

const ROWS: readonly Row[] = [
  {
    action: "model_update_name",
    of: "model",
    member: "name",
    parameter: "name",
    values: texts,
    malformed: [...BAD_NAMES, "", null],
  },
  {
    action: "model_update_description",
    of: "model",
    member: "description",
    values: texts,
    clears: true,
    malformed: BAD_TEXTS,
  },
  { action: "model_update_key", of: "model", member: "key", values: keys, malformed: BAD_KEYS },
  {
    action: "model_update_authority",
    of: "model",
    member: "authority",
    values: () => ["canonical", "system"],
    malformed: ["", null, "Canonical", "none", 1],
  },
  {
    action: "model_update_documentation_link",
    of: "model",
    member: "documentationHome",
    values: links,
    clears: true,
    malformed: BAD_LINKS,
  },
  { action: "type_update_key", of: "type", member: "key", values: keys, malformed: BAD_KEYS },
  { action: "type_update_name", of: "type", member: "name", values: texts, clears: true, malformed: BAD_NAMES },
  {
    action: "type_update_description",
    of: "type",
    member: "description",
    values: texts,
    clears: true,
    malformed: BAD_TEXTS,
  },
  { action: "entity_update_key", of: "entity", member: "key", values: keys, malformed: BAD_KEYS },
  { action: "entity_update_name", of: "entity", member: "name", values: texts, clears: true, malformed: BAD_NAMES },
  {
    action: "entity_update_description",
    of: "entity",
    member: "description",
    values: texts,
    clears: true,
    malformed: BAD_TEXTS,
  },
  {
    action: "entity_update_documentation_link",
    of: "entity",
    member: "documentationHome",
    values: links,
    clears: true,
    malformed: BAD_LINKS,
  },
  { action: "entity_attribute_update_key", of: "attribute", member: "key", values: keys, malformed: BAD_KEYS },
  {
    action: "entity_attribute_update_name",
    of: "attribute",
    member: "name",
    values: texts,
    clears: true,
    malformed: BAD_NAMES,
  },
  {
    action: "entity_attribute_update_description",
    of: "attribute",
    member: "description",
    values: texts,
    clears: true,
    malformed: BAD_TEXTS,
  },
  {
    action: "entity_attribute_update_type",
    of: "attribute",
    member: "type",
    values: ({ integer, unused }) => [integer.ref, unused.byId],
    shown: (value, { integer, unused }) => (value === integer.ref ? integer.byId : unused.byId),
    malformed: ["", null, "integer", "KEY:integer", "id:7", 7],
  },
  {
    action: "entity_attribute_update_optional",
    of: "attribute",
    member: "optional",
    values: () => [true, false],
    malformed: ["", null, "true", 1, 0, []],
  },
];

/** Actions named like these that have a suite of their own. */
const ELSEWHERE = ["entity_primary_key_update"];

const READS = { model: "model_get", type: "type_get", entity: "entity_get", attribute: "entity_attribute_get" };

/** Refs of what a row addresses. */
function refsOf({ of }: Row, e: Example, by: "ref" | "byId" = "byId"): Record<string, string> {
  return {
    modelRef: e.model[by],
    ...(of === "type" && { typeRef: e.string[by] }),
    ...((of === "entity" || of === "attribute") && { entityRef: e.customer[by] }),
    ...(of === "attribute" && { attributeRef: e.code[by] }),
  };
}

const subjectOf = ({ of }: Row, e: Example) =>
  ({ model: e.model, type: e.string, entity: e.customer, attribute: e.code })[of];

/** The example model, made once and copied for each test that writes. */
let template: Promise<Example> | undefined;

function shared(): Promise<Example> {
  template ??= exampleModel(stage, newKey("crm"));
  return template;
}

const example = async () => copyOf(stage, await shared());
const parameterOf = (row: Row): string => row.parameter ?? "value";
const change = (row: Row, e: Example, value: unknown) => ({ ...refsOf(row, e), [parameterOf(row)]: value });
const readBack = (row: Row, e: Example) => stage.read(`model/${READS[row.of]}`, refsOf(row, e));

test("every action that updates has a row here, or a suite of its own", () => {
  const updates = createCatalogue().actions.filter((a) => a.intent === "update");
  expect(updates.map((a) => a.name).sort()).toEqual([...ROWS.map((r) => r.action), ...ELSEWHERE].sort());
});

describe.each(ROWS)("$action", (row) => {
  const action = `model/${row.action}`;
  const shown = row.shown ?? ((value: unknown) => value);

  beforeAll(async () => {
    template = undefined;
    await stage.renew();
  });

  test("sets the field, moves the model on by one revision and leaves every other field alone", async () => {
    const e = await example();
    const subject = subjectOf(row, e);
    for (const [i, value] of row.values(e).entries()) {
      const before = await readBack(row, e);
      const answer = await stage.ok(action, change(row, e, value));
      const revision = e.revision + 1 + i;
      const key = row.member === "key" ? String(value) : subject.key;
      expectWritten(answer, { key, modelId: e.model.id, revision });
      expect(answer.body.id).toBe(subject.id);
      const revisions = row.of === "model" ? { revision } : {};
      expect(await readBack(row, e)).toEqual({ ...before, [row.member]: shown(value, e), ...revisions });
    }
  });

  test("changes nothing where the value is already there", async () => {
    const e = await example();
    const [value] = row.values(e);
    await stage.ok(action, change(row, e, value));
    const again = await stage.writesNothing(() => stage.ok(action, change(row, e, value)));
    expect(again.body).toMatchObject({
      status: "ok",
      id: subjectOf(row, e).id,
      changed: false,
      revision: e.revision + 1,
    });
    expect(again.etag).toBe(`${e.model.id}-${e.revision + 1}`);
  });

  test("finds what it addresses by keys, by ids and by any mix", async () => {
    const e = await example();
    const [value] = row.values(e);
    const [byKey, byId] = [refsOf(row, e, "ref"), refsOf(row, e, "byId")];
    for (const one of Object.keys(byKey)) {
      const payload = { ...byKey, [one]: byId[one], [parameterOf(row)]: value };
      expect((await stage.ok(action, payload, { dryRun: true })).body.id).toBe(subjectOf(row, e).id);
    }
    expect((await stage.ok(action, { ...byKey, [parameterOf(row)]: value })).body.id).toBe(subjectOf(row, e).id);
  });

  test("in a dry run, tells the change and writes nothing", async () => {
    const e = await example();
    const [value] = row.values(e);
    const { body } = await stage.writesNothing(() => stage.ok(action, change(row, e, value), { dryRun: true }));
    const { id } = subjectOf(row, e);
    expect(body).toMatchObject({ id, dryRun: true, changed: true, revision: e.revision + 1 });
    expect(body.changes).toMatchObject([{ change: "update", kind: row.of, id }]);
  });

  test("runs at the revision the caller pinned, and at no other", async () => {
    const e = await example();
    const { id: modelId } = e.model;
    const [first, second] = row.values(e);
    const pinned = (revision: number) => ({ ifMatch: [{ modelId, revision }] });
    await stage.ok(action, change(row, e, first), pinned(e.revision));
    const problem = await stage.writesNothing(() => stage.refused(action, change(row, e, second), pinned(e.revision)));
    expect(problem).toMatchObject({ code: "precondition_failed", members: { currentRevision: e.revision + 1 } });
  });

  test.each(row.malformed)("refuses %j and points at the parameter", async (value) => {
    const e = await shared();
    const problem = await stage.refused(action, change(row, e, value));
    expectFaults(problem, `/${parameterOf(row)}`);
    expect(await revisionOf(stage, e.model)).toBe(e.revision);
  });

  if (row.clears) {
    test.each([
      ["an empty text", ""],
      ["null", null],
      ["leaving it out", undefined],
    ])("clears the field by %s", async (_, nothing) => {
      const e = await example();
      const before = await readBack(row, e);
      await stage.ok(action, change(row, e, row.values(e)[0]));
      const payload = nothing === undefined ? refsOf(row, e) : change(row, e, nothing);
      const answer = await stage.ok(action, payload);
      expect(answer.body).toMatchObject({ changed: true, revision: e.revision + 2 });
      const revisions = row.of === "model" ? { revision: e.revision + 2 } : {};
      expect(await readBack(row, e)).toEqual({ ...before, ...revisions });
      const again = await stage.writesNothing(() => stage.ok(action, payload));
      expect(again.body).toMatchObject({ changed: false, revision: e.revision + 2 });
    });
  } else {
    test("says the value is required where it is left out", async () => {
      const e = await shared();
      expectFaults(await stage.refused(action, refsOf(row, e)), `/${parameterOf(row)}`);
    });
  }

  if (row.member === "key") {
    test("given the key of another in the same scope, refuses it, names it and writes nothing", async () => {
      const e = await example();
      const taken = newKey("taken");
      await addSibling(row, e, taken);
      const problem = await stage.writesNothing(() => stage.refused(action, change(row, e, taken)));
      expect(problem.code).toBe("key_taken");
      expect(problem.message).toContain(taken);
      const dry = await stage.refused(action, change(row, e, taken), { dryRun: true });
      expect(dry.code).toBe("key_taken");
    });

    test("makes the object unknown under its old key, and gives that key free", async () => {
      const e = await example();
      const { key } = subjectOf(row, e);
      await stage.ok(action, change(row, e, newKey("moved")));
      const problem = await stage.refused(`model/${READS[row.of]}`, innermostByKey(row, e));
      expect(problem.code).toBe("not_found");
      expect(problem.message).toContain(`key:${key}`);
      await addSibling(row, e, key);
      const found = await stage.read(`model/${READS[row.of]}`, innermostByKey(row, e));
      expect(found.id).not.toBe(subjectOf(row, e).id);
    });

    test("takes a key that differs only in case", async () => {
      const e = await example();
      const { key } = subjectOf(row, e);
      const answer = await stage.ok(action, change(row, e, key.toUpperCase()));
      expect(answer.body).toMatchObject({ changed: true, key: key.toUpperCase() });
    });
  }
});

/** Another object of the row's kind in the same scope. */
async function addSibling({ of }: Row, e: Example, key: string): Promise<void> {
  const modelRef = e.model.byId;
  if (of === "model") await stage.ok("model/model_create", { key, name: "Sibling" });
  else if (of === "type") await stage.ok("model/type_create", { modelRef, typeKey: key });
  else if (of === "entity") await stage.ok("model/entity_create", { modelRef, entityKey: key });
  else {
    const place = { modelRef, entityRef: e.customer.byId, type: e.string.byId, optional: true };
    await stage.ok("model/entity_attribute_create", { ...place, attributeKey: key });
  }
}

/** The row's refs, the innermost by its first key. */
function innermostByKey(row: Row, e: Example): Record<string, string> {
  const byId = refsOf(row, e);
  const innermost = Object.keys(byId).at(-1) ?? "modelRef";
  return { ...byId, [innermost]: subjectOf(row, e).ref };
}
