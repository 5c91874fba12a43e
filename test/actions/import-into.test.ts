import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { someoneOn } from "../support/someone.ts";
import type { Body } from "../support/world.ts";
import { expectFaults, expectProblem, newKey, useWorld } from "./support/checked-world.ts";
import { aModel } from "./support/models.ts";

const world = useWorld();

const SOURCE = "https://example.com/shop.json";

const exported = (modelRef: string): Promise<Body> => world.read("model/model_export", { modelRef });
const run = async (payload: object, controls = {}): Promise<Body> =>
  (await world.ok("model/import", payload, controls)).body;
const refused = (payload: object) => world.refused("model/import", payload);
const change = (action: string, payload: object) => world.ok(`model/${action}`, payload);

/** A Table Schema with fields of these names, of one type unless they are given otherwise. */
const table = (name: string, ...fields: (string | object)[]): Body => ({
  name,
  fields: fields.map((field) => (typeof field === "string" ? { name: field, type: "string" } : field)),
});

const saying = (members: object): Body => ({ $schema: "urn:metaction:model:2", key: "any", ...members });

async function imported(content: Body, source = SOURCE): Promise<{ into: string; source: string }> {
  const { id } = await run({ content, source, modelKey: newKey("followed") });
  return { into: `id:${id}`, source };
}

const attributesOf = async (modelRef: string): Promise<Body[]> => (await exported(modelRef)).entities[0].attributes;

async function conflictsOf(payload: object): Promise<Body[]> {
  const { code, members } = await world.writesNothing(() => refused(payload));
  expect(code).toBe("merge_conflict");
  expect(members.conflictCount).toBe(members.conflicts?.length);
  return (members.conflicts ?? []).map(({ member, base, ours, theirs }) => ({ member, base, ours, theirs }));
}

describe("import into a model", () => {
  test("applies the changes of the source, and keeps the changes of users", async () => {
    const { into, source } = await imported(table("office", "code", { name: "city", description: "Old." }));
    const before = await exported(into);
    const named = { modelRef: into, entityRef: "key:office" };
    await change("entity_attribute_update_description", { ...named, attributeRef: "key:code", value: "By people." });
    await change("entity_attribute_update_key", { ...named, attributeRef: "key:city", value: "town" });
    await change("entity_attribute_create", { ...named, attributeKey: "floor", type: "key:string", optional: true });
    const content = table("office", "code", { name: "city", description: "New." }, "country");
    const answer = await run({ content, into, source });
    expect(answer).toMatchObject({ changed: true, conflictCount: 0, stepCount: 2, warnings: [] });
    const attributes = await attributesOf(into);
    const texts = attributes.map(({ key, description }) => `${key}: ${description}`);
    expect(texts).toEqual(["code: By people.", "town: New.", "floor: undefined", "country: undefined"]);
    expect(attributes.slice(0, 2).map(({ id }) => id)).toEqual(before.entities[0].attributes.map(({ id }: Body) => id));
    // Once more it changes nothing.
    const again = await run({ content, into, source });
    expect(again).toMatchObject({ changed: false, stepCount: 0, revision: answer.revision });
  });

  test("reports the changes of both, and applies the chosen one", async () => {
    const of = (description: string) => table("office", { name: "code", type: "string", description }, "city");
    for (const [onConflict, holds] of Object.entries({ ours: "People.", theirs: "Source." })) {
      const { into, source } = await imported(of("First."));
      const ref = { modelRef: into, entityRef: "key:office", attributeRef: "key:code" };
      await change("entity_attribute_update_description", { ...ref, value: "People." });
      const payload = { content: of("Source."), into, source };
      const [{ id }] = (await attributesOf(into)) as [Body];
      const { members } = await refused(payload);
      expect(members.conflicts).toEqual([
        {
          ...{ objectType: "entityAttribute", ref: `id:${id}`, entityKey: "office", attributeKey: "code" },
          ...{ member: "description", base: "First.", ours: "People.", theirs: "Source." },
        },
      ]);
      const answer = await run({ ...payload, onConflict });
      expect(answer).toMatchObject({ conflictCount: 1, stepCount: holds === "Source." ? 1 : 0 });
      expect((await attributesOf(into))[0]?.description).toBe(holds);
      // It is decided: the same document again is no conflict any more.
      expect(await run(payload)).toMatchObject({ changed: false, conflictCount: 0 });
    }
  });

  test("reports an object that one side deleted and the other changed as one conflict", async () => {
    const of = (description: string) => table("office", "code", { name: "city", description });
    const { into, source } = await imported(of("Old."));
    await change("entity_attribute_delete", { modelRef: into, entityRef: "key:office", attributeRef: "key:city" });
    const [base, theirs] = ["Old.", "New."].map((description) => expect.objectContaining({ key: "city", description }));
    expect(await conflictsOf({ content: of("New."), into, source })).toEqual([
      { member: null, base, ours: null, theirs },
    ]);
  });

  test("reports every difference as a conflict if no document was imported before", async () => {
    const model = await aModel(world);
    await change("type_create", { modelRef: model.ref, typeKey: "string" });
    await change("type_update_description", { modelRef: model.ref, typeRef: "key:string", value: "Text." });
    await change("type_create", { modelRef: model.ref, typeKey: "own" });
    const types = [{ key: "string", description: "Words.", name: "String" }, { key: "new" }];
    const content = saying({ description: "A model.", types });
    const payload = { content, into: model.ref, source: "catalogue" };
    expect(await conflictsOf(payload)).toEqual([
      { member: "description", base: null, ours: "Text.", theirs: "Words." },
    ]);
    await run({ ...payload, onConflict: "ours" });
    const merged = [{ key: "new" }, { key: "own" }, { key: "string", description: "Text.", name: "String" }];
    expect(await exported(model.ref)).toMatchObject({ description: "A model.", types: merged });
    // From now on it is followed.
    const next = saying({ description: null, types: [{ key: "string", description: "Words.", name: "Name" }] });
    await run({ ...payload, content: next });
    const after = await exported(model.ref);
    expect(after).not.toHaveProperty("description");
    expect(after.types).toMatchObject([{ key: "own" }, { key: "string", description: "Text.", name: "Name" }]);
  });

  test("key pairs, but no empty participants, that only the model has conflict with another entity in the source", async () => {
    const types = [{ key: "t" }];
    const entities = ["x", "y", "z"].map((key) => ({ key: `e${key}`, attributes: [{ key, type: "key:t" }] }));
    const content = (second: string): Body => {
      const roles = ["ex", second].map((key, i) => ({ key: `r${i}`, entity: `key:${key}`, cardinality: "one" }));
      const businessKeys = [{ key: "k", entity: `key:${second}` }];
      return saying({ types, entities, relationships: [{ key: "r", roles }], businessKeys });
    };
    for (const [onConflict, value] of [["ours", [["key:x", "key:y"]]] as const, ["theirs", undefined] as const]) {
      const made = await imported(content("ey"));
      const refs = { modelRef: made.into, relationshipRef: "key:r" };
      await change("relationship_update_key_pairs", { ...refs, value: [["key:x", "key:y"]] });
      const payload = { ...made, content: content("ez") };
      expect((await conflictsOf(payload)).map(({ member }) => member)).toEqual(["keyPairs", "entity"]);
      await run({ ...payload, onConflict });
      expect((await exported(made.into)).relationships[0].keyPairs).toEqual(value);
    }
  });

  test("stores the document of each source at each revision", async () => {
    const { into } = await imported(saying({ types: [{ key: "a" }, { key: "b" }] }), "one");
    await run({ content: saying({ types: [{ key: "c" }] }), into, source: "two" });
    await run({ content: saying({ types: [{ key: "a" }] }), into, source: "one" });
    expect((await exported(into)).types.map(({ key }: Body) => key)).toEqual(["a", "c"]);
    await run({ content: saying({ types: [] }), into, source: "two" });
    expect((await exported(into)).types.map(({ key }: Body) => key)).toEqual(["a"]);
    await world.ok("model/model_restore", { modelRef: into, revision: 2 });
    // What was remembered then is remembered again.
    await run({ content: saying({ types: [{ key: "b" }] }), into, source: "one" });
    expect((await exported(into)).types.map(({ key }: Body) => key)).toEqual(["b", "c"]);
  });

  test("does not copy or export the sources of a model", async () => {
    const { into, source } = await imported(table("office", "code"));
    const { id } = (await world.ok("model/model_copy", { modelRef: into, modelNewKey: newKey("copy") })).body;
    const payload = { content: { ...table("office", "code"), title: "Other" }, source };
    expect(await run({ ...payload, into })).toMatchObject({ conflictCount: 0 });
    expect(await conflictsOf({ ...payload, into: `id:${id}` })).not.toEqual([]);
    expect(await exported(into)).not.toHaveProperty("sources");
  });

  test("a dry run answers the plan and the conflicts, and writes nothing", async () => {
    const { into, source } = await imported(table("office", "code", "city"));
    const content = table("office", "code", { name: "town", type: "string" });
    const payload = { content, into, source, onConflict: "ours" };
    const dry = await world.writesNothing(() => run(payload, { dryRun: true }));
    expect(dry.steps.map(({ does, ref }: Body) => `${does} ${ref.split(":")[0]}`)).toEqual(["create key", "delete id"]);
    expect(dry).toMatchObject({ conflicts: [], conflictCount: 0, likelyRenames: [{ to: "town" }] });
    expect((await run(payload)).plan).toBe(dry.plan);
  });

  test("needs the permissions to import and to write to the model", async () => {
    const { into, source } = await imported(table("office", "code"));
    const models = (await exported(into)).key;
    const payload = { content: table("office", "code", "city"), into, source };
    const elsewhere = { role: "manager", models: "others-*" };
    const reader = await someoneOn(world, newKey("reader"), elsewhere, { role: "reader", models });
    const problem = await world.problem("model/import", payload, reader.token);
    expect(problem).toMatchObject({ code: "not_allowed", message: expect.stringContaining("model_write") });
    const stranger = await someoneOn(world, newKey("stranger"), elsewhere);
    expect((await world.problem("model/import", payload, stranger.token)).code).toBe("not_found");
    const manager = await someoneOn(world, newKey("manager"), { role: "manager", models });
    expect((await world.okAs(manager.token, "model/import", payload)).body.changed).toBe(true);
  });

  test("checks If-Match against the revision that the caller read, and runs once per idempotency key", async () => {
    const { into, source } = await imported(table("office", "code"));
    const { revision } = await world.read("model/model_get", { modelRef: into });
    const seen = { ifMatch: [{ ledgerId: into.slice(3), revision }] };
    const payload = { content: table("office", "code", "city"), into, source };
    const first = await run(payload, { ...seen, idempotencyKey: "merged-once" });
    expect(await run(payload, { ...seen, idempotencyKey: "merged-once" })).toEqual(first);
    expect((await world.refused("model/import", payload, seen)).code).toBe("precondition_failed");
  });

  test("refuses contradictory parameters", async () => {
    const { into, source } = await imported(table("office", "code"));
    const content = table("office", "code");
    expectFaults(await refused({ content, into }), "/source");
    expectFaults(await refused({ content, into, source, modelKey: "other" }), "/modelKey");
    expectFaults(await refused({ content, into, source, modelName: "Other" }), "/modelName");
    expectFaults(await refused({ content, source, onConflict: "ours" }), "/onConflict");
    for (const wrong of ["two words", "a#b", "https://me:secret@example.com/x"])
      expectFaults(await refused({ content, source: wrong, modelKey: newKey() }), "/source");
    expect((await refused({ content, into: "key:none", source })).code).toBe("not_found");
  });

  test("accepts any label that a member name can hold", async () => {
    const { ref: into } = await aModel(world);
    const content = { $schema: "urn:metaction:model:2", key: "labelled", description: "Labelled." };
    for (const source of ["toString", "é/ü", "x".repeat(2_048)])
      expect(await world.ok("model/import", { content, into, source, onConflict: "ours" })).toBeDefined();
    for (const source of ["__proto__", "constructor", "a b", "a#b", "x".repeat(2_049)])
      expectFaults(await world.refused("model/import", { content, into, source }), "/source");
  });

  test("refuses a key that is in the model, and says whether the source adds or renames an object", async () => {
    const { into, source } = await imported(saying({ types: [{ key: "a" }] }));
    await change("type_update_key", { modelRef: into, typeRef: "key:a", value: "b" });
    const payload = { content: saying({ types: [{ key: "a" }, { key: "b" }] }), into, source };
    expectProblem(await refused(payload), "key_taken", '"b"', "adds another object");
    await change("type_create", { modelRef: into, typeKey: "c" });
    const content = saying({ types: [{ key: "c", renamedFrom: "a" }] });
    expectProblem(await refused({ ...payload, content, onConflict: "theirs" }), "key_taken", 'renames "b"', '"c"');
  });

  test("shows conflictCharacters characters of a value", async () => {
    const name = (characters: number) => saying({ description: "x".repeat(characters - 2) });
    const most = LIMITS.conflictCharacters;
    const { into, source } = await imported(name(most));
    await change("model_update_description", { modelRef: into, value: "Other." });
    const [{ base, theirs }] = (await conflictsOf({ content: name(most + 1), into, source })) as [Body];
    expect([base, theirs]).toEqual(["x".repeat(most - 2), `"${"x".repeat(most - 1)}`]);
  });

  test("stores at most modelSources sources, and lists at most conflictRows conflicts", async () => {
    const { into } = await imported(saying({}), "s0");
    for (let i = 1; i < LIMITS.modelSources; i++) await run({ content: saying({}), into, source: `s${i}` });
    expect((await refused({ content: saying({}), into, source: "more" })).code).toBe("too_large");
    const { changed } = await run({ content: saying({ description: "Still." }), into, source: "s0" });
    expect(changed).toBe(true);
    const keys = Array.from({ length: LIMITS.conflictRows + 1 }, (_, i) => `t${i}`);
    const typed = (name: string) => saying({ types: keys.map((key) => ({ key, name })) });
    const made = await imported(typed("One"), "t");
    await change("model_apply", { modelRef: made.into, content: typed("Two") });
    const { members } = await refused({ content: typed("Three"), ...made });
    expect([members.conflicts?.length, members.conflictCount]).toEqual([LIMITS.conflictRows, LIMITS.conflictRows + 1]);
  });
});
