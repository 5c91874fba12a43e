import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { someoneOn } from "../support/someone.ts";
import type { Body } from "../support/world.ts";
import { expectFaults, newKey, useWorld } from "./support/checked-world.ts";
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

/** A document of our own that says no more than this. */
const saying = (members: object): Body => ({ $schema: "urn:metaction:model:2", key: "any", ...members });

/** A model made of a source. */
async function imported(content: Body, source = SOURCE): Promise<{ into: string; source: string }> {
  const { id } = await run({ content, source, modelKey: newKey("followed") });
  return { into: `id:${id}`, source };
}

const attributesOf = async (modelRef: string): Promise<Body[]> => (await exported(modelRef)).entities[0].attributes;
const keysOf = async (modelRef: string): Promise<string[]> => (await attributesOf(modelRef)).map(({ key }) => key);

/** The conflicts of a refused import in short. */
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
    expect(attributes.map(({ key, description }) => [key, description])).toEqual([
      ["code", "By people."],
      ["town", "New."],
      ["floor", undefined],
      ["country", undefined],
    ]);
    expect(attributes.slice(0, 2).map(({ id }) => id)).toEqual(before.entities[0].attributes.map(({ id }: Body) => id));
    // Once more it changes nothing.
    const again = await run({ content, into, source });
    expect(again).toMatchObject({ changed: false, stepCount: 0, revision: answer.revision });
  });

  test("reports the changes of both, and applies the chosen one", async () => {
    const of = (description: string) => table("office", { name: "code", type: "string", description }, "city");
    for (const [onConflict, holds] of [
      ["ours", "People."],
      ["theirs", "Source."],
    ]) {
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

  test("does not report equal changes of both as a conflict", async () => {
    const { into, source } = await imported(table("office", "code"));
    await change("entity_update_description", { modelRef: into, entityRef: "key:office", value: "Alike." });
    const content = { ...table("office", "code"), description: "Alike." };
    await change("model_update_description", { modelRef: into, value: "Alike." });
    expect(await run({ content, into, source })).toMatchObject({ conflictCount: 0, stepCount: 0 });
    // The source goes on from there.
    const next = { ...content, description: "Other." };
    await run({ content: next, into, source });
    expect(await exported(into)).toMatchObject({ description: "Other.", entities: [{ description: "Other." }] });
  });

  test("deletes what the source deleted, unless a user changed it", async () => {
    const { into, source } = await imported(table("office", "code", "city", "floor"));
    const ref = { modelRef: into, entityRef: "key:office", attributeRef: "key:floor" };
    await change("entity_attribute_update_name", { ...ref, value: "Storey" });
    const payload = { content: table("office", "code"), into, source };
    expect(await conflictsOf(payload)).toEqual([
      {
        member: null,
        base: expect.objectContaining({ key: "floor" }),
        ours: expect.objectContaining({ key: "floor", name: "Storey" }),
        theirs: null,
      },
    ]);
    await run({ ...payload, onConflict: "ours" });
    expect(await keysOf(into)).toEqual(["code", "floor"]);
  });

  test("keeps what users deleted as deleted, unless the source changed it", async () => {
    const { into, source } = await imported(table("office", "code", "city"));
    const ref = { modelRef: into, entityRef: "key:office", attributeRef: "key:city" };
    await change("entity_attribute_delete", ref);
    await run({ content: table("office", "code", "city", "country"), into, source });
    expect(await keysOf(into)).toEqual(["code", "country"]);
    const content = table("office", "code", { name: "city", type: "string", title: "City" }, "country");
    const payload = { content, into, source };
    expect(await conflictsOf(payload)).toMatchObject([{ member: null, ours: null, theirs: { key: "city" } }]);
    await run({ ...payload, onConflict: "theirs" });
    expect(await keysOf(into)).toEqual(["code", "city", "country"]);
  });

  test("removes members that the source removed, and keeps those that it never had", async () => {
    const { into, source } = await imported({ ...table("office", "code"), title: "Office", description: "Said." });
    await change("entity_update_documentation_link", {
      ...{ modelRef: into, entityRef: "key:office", value: "https://example.com/wiki" },
    });
    await run({ content: table("office", "code"), into, source });
    const { entities } = await exported(into);
    expect(entities[0]).not.toHaveProperty("description");
    expect(entities[0].documentationHome).toBe("https://example.com/wiki");
  });

  test("reports every difference as a conflict if no document was imported before", async () => {
    const model = await aModel(world);
    await change("type_create", { modelRef: model.ref, typeKey: "string" });
    await change("type_update_description", { modelRef: model.ref, typeRef: "key:string", value: "Text." });
    await change("type_create", { modelRef: model.ref, typeKey: "own" });
    const content = saying({
      description: "A model.",
      types: [{ key: "string", description: "Words.", name: "String" }, { key: "new" }],
    });
    const payload = { content, into: model.ref, source: "catalogue" };
    expect(await conflictsOf(payload)).toEqual([
      { member: "description", base: null, ours: "Text.", theirs: "Words." },
    ]);
    await run({ ...payload, onConflict: "ours" });
    expect(await exported(model.ref)).toMatchObject({
      description: "A model.",
      types: [{ key: "new" }, { key: "own" }, { key: "string", description: "Text.", name: "String" }],
    });
    // From now on it is followed.
    const next = saying({ description: null, types: [{ key: "string", description: "Words.", name: "Name" }] });
    await run({ ...payload, content: next });
    const after = await exported(model.ref);
    expect(after).not.toHaveProperty("description");
    expect(after.types).toMatchObject([{ key: "own" }, { key: "string", description: "Text.", name: "Name" }]);
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

  test("keeps an object that uses one that the source deleted", async () => {
    const content = saying({ types: [{ key: "a" }, { key: "b" }], entities: [{ key: "e", attributes: [] }] });
    for (const [onConflict, types, attributes] of [
      ["ours", ["a", "b"], ["x"]],
      ["theirs", ["a"], []],
    ] as const) {
      const { into, source } = await imported(content);
      await change("entity_attribute_create", {
        modelRef: into,
        entityRef: "key:e",
        attributeKey: "x",
        type: "key:b",
        optional: true,
      });
      const payload = { content: { ...content, types: [{ key: "a" }] }, into, source };
      expect(await conflictsOf(payload)).toMatchObject([
        { member: null, base: { key: "b" }, ours: { key: "b" }, theirs: null },
        { member: null, base: null, ours: { key: "x" }, theirs: null },
      ]);
      await run({ ...payload, onConflict });
      const after = await exported(into);
      expect(after.types.map(({ key }: Body) => key)).toEqual(types);
      expect(after.entities[0].attributes.map(({ key }: Body) => key)).toEqual(attributes);
    }
  });

  test("restores with the participants of a business key its entity too", async () => {
    const keyOn = (entity: string, attribute: string): Body => ({
      ...{ key: "number", entity: `key:${entity}`, participants: [`key:${attribute}`] },
    });
    const of = (type: string) => [{ key: "of", type: `key:${type}`, optional: true }];
    const content = saying({
      types: [{ key: "a" }, { key: "b" }],
      entities: [{ key: "first", attributes: of("a") }],
      businessKeys: [keyOn("first", "of")],
    });
    const { into, source } = await imported(content);
    const entities = [{ key: "first" }, { key: "second", attributes: of("b") }];
    const people = { types: [{ key: "b" }], entities, businessKeys: [keyOn("second", "of")] };
    await world.ok("model/model_apply", { modelRef: into, content: saying(people) });
    // Without the type there is no attribute of people's key, nor is that then one of their entity.
    const payload = { content: { ...content, types: [{ key: "a" }] }, into, source };
    await run({ ...payload, onConflict: "theirs" });
    const after = await exported(into);
    expect(after.businessKeys).toMatchObject([keyOn("first", "of")]);
    expect(after.entities.map(({ key, attributes }: Body) => [key, attributes.length])).toEqual([
      ["first", 1],
      ["second", 0],
    ]);
  });

  test("a dry run answers the plan and the conflicts, and writes nothing", async () => {
    const { into, source } = await imported(table("office", "code", "city"));
    const content = table("office", "code", { name: "town", type: "string" });
    const payload = { content, into, source, onConflict: "ours" };
    const dry = await world.writesNothing(() => run(payload, { dryRun: true }));
    expect(dry.steps.map(({ does, ref }: Body) => [does, ref.startsWith("key:")])).toEqual([
      ["create", true],
      ["delete", false],
    ]);
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
    for (const wrong of ["two words", "a#b", "https://me:secret@example.com/x"]) {
      const problem = await refused({ content, source: wrong, modelKey: newKey() });
      expectFaults(problem, "/source");
    }
    expect((await refused({ content, into: "key:none", source })).code).toBe("not_found");
  });

  test("accepts any label that a member name can hold", async () => {
    const { ref: into } = await aModel(world);
    const content = { $schema: "urn:metaction:model:2", key: "labelled", description: "Labelled." };
    for (const source of ["toString", "é/ü", "x".repeat(2_048)]) {
      expect(await world.ok("model/import", { content, into, source, onConflict: "ours" })).toBeDefined();
    }
    for (const source of ["__proto__", "constructor", "a b", "a#b", "x".repeat(2_049)]) {
      expectFaults(await world.refused("model/import", { content, into, source }), "/source");
    }
  });

  test("reports two objects that would have the same key", async () => {
    const { into, source } = await imported(saying({ types: [{ key: "a" }] }));
    await change("type_update_key", { modelRef: into, typeRef: "key:a", value: "b" });
    const { code, message } = await refused({ content: saying({ types: [{ key: "a" }, { key: "b" }] }), into, source });
    expect([code, message]).toEqual(["key_taken", expect.stringContaining('"b"')]);
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
    expect(await run({ content: saying({ description: "Still." }), into, source: "s0" })).toMatchObject({
      changed: true,
    });
    const types = (count: number, name: string) => Array.from({ length: count }, (_, i) => ({ key: `t${i}`, name }));
    const made = await imported(saying({ types: types(LIMITS.conflictRows + 1, "One") }), "t");
    await world.ok("model/model_apply", {
      modelRef: made.into,
      content: saying({ types: types(LIMITS.conflictRows + 1, "Two") }),
    });
    const { members } = await refused({
      content: saying({ types: types(LIMITS.conflictRows + 1, "Three") }),
      ...made,
    });
    expect([members.conflicts?.length, members.conflictCount]).toEqual([LIMITS.conflictRows, LIMITS.conflictRows + 1]);
  });
});
