import { describe, expect, test } from "vitest";
import { PROPERTY_LIMITS } from "../../shared/domain/limits.ts";
import { findBuiltInFault } from "../../shared/domain/model/property-definitions.ts";
import { expectFaults, expectProblem, newKey, useWorld } from "./support/checked-world.ts";
import { aModel } from "./support/models.ts";

const world = useWorld();

const define = (key: string, more: object = {}) => world.ok("property/definition_create", { key, ...more });
const refuseSchema = (schema: unknown) => world.refused("property/definition_create", { key: newKey(), schema });
const set = (modelRef: string, property: string, value: unknown) => ({ modelRef, property, value });

describe("a definition", () => {
  test("is created, read, listed between those that come with the service, and deleted", async () => {
    const { body: made } = await define("retention", { kinds: ["entity"], schema: { type: "integer", minimum: 0 } });
    const definitionRef = `id:${made.id}`;
    const expected = { id: made.id, key: "retention", kinds: ["entity"], impact: "cosmetic", comesWithService: false };
    const row = await world.read("property/definition_get", { definitionRef });
    expect(row).toEqual({ ...expected, schema: { minimum: 0, type: "integer" } });
    const { items } = await world.read("property/definition_list");
    const keys = items.map(({ key }: { key: string }) => key);
    expect(keys).toEqual([...keys].sort());
    expect(items).toContainEqual(row);
    const known = ["owner", "steward", "licenses", "sources", "contributors", "homepage", "created", "classification"];
    for (const key of [...known, "deprecated"]) expect(keys).toContain(key);
    expect((await world.refused("property/definition_create", { key: "retention" })).code).toBe("key_taken");
    const rename = { definitionRef, value: "owner" };
    expect((await world.refused("property/definition_update_key", rename)).code).toBe("key_taken");
    await world.ok("property/definition_delete", { definitionRef: "key:retention" });
    expect((await world.refused("property/definition_get", { definitionRef })).code).toBe("not_found");
  });

  test("is refused with unknown keywords or invalid values in its schema, each with its pointer", async () => {
    expectFaults(await refuseSchema({ properties: {} }), "/schema/properties");
    expectFaults(await refuseSchema({ type: "text" }), "/schema/type");
    expectFaults(await refuseSchema({ type: [] }), "/schema/type");
    expectFaults(await refuseSchema({ items: { enum: [] } }), "/schema/items/enum");
    expectFaults(await refuseSchema({ minimum: 2, maximum: 1 }), "/schema/minimum");
    expectFaults(await refuseSchema({ items: { pattern: "(?=a)" } }), "/schema/items/pattern");
    expectFaults(await refuseSchema({ toString: 1 }), "/schema/toString");
  });

  test("does not let its pattern block the service: the work on all values of a call has a limit", async () => {
    const ranges = Array.from({ length: 400 }, (_, i) => String.fromCodePoint(0x4e00 + 3 * i, 0x2d, 0x4e01 + 3 * i));
    const key = newKey();
    await define(key, { schema: { pattern: `(?:[${ranges.join("")}a-z]?){495}!` } });
    const { ref } = await aModel(world);
    const long = await world.refused("model/model_update_property", set(ref, key, "a".repeat(15_000)));
    expect([long.code, long.message]).toEqual(["too_large", expect.stringContaining("patternWork")]);
    // Each of these values is within the limit, all together are not.
    const properties = { [key]: "a".repeat(1_000) };
    const held = Array.from({ length: 20 }, (_, i) => ({ key: `e${i}`, properties, attributes: [], primaryKey: [] }));
    const document = await world.read("model/model_export", { modelRef: ref });
    const imported = await world.refused("model/import", { content: { ...document, key: newKey(), entities: held } });
    expect([imported.code, imported.message]).toEqual(["too_large", expect.stringContaining("patternWork")]);
  });

  test("has a schema of limited size and depth, and the number of definitions is limited", async () => {
    const { propertySchemaBytes, propertySchemaDepth, propertyDefinitions } = PROPERTY_LIMITS;
    const around = Buffer.byteLength('{"enum":[""]}');
    const schema = (bytes: number) => ({ enum: ["x".repeat(bytes - around)] });
    const large = newKey();
    await define(large, { schema: schema(propertySchemaBytes) });
    expectFaults(await refuseSchema(schema(propertySchemaBytes + 1)), "/schema");
    const nested = (depth: number): object => (depth === 0 ? {} : { items: nested(depth - 1) });
    const deep = newKey();
    await define(deep, { schema: nested(propertySchemaDepth) });
    const deeper = await refuseSchema(nested(propertySchemaDepth + 1));
    expectFaults(deeper, `/schema${"/items".repeat(propertySchemaDepth + 1)}`);
    const { items } = await world.read("property/definition_list");
    const stored = items.filter((one: { comesWithService: boolean }) => !one.comesWithService).length;
    const more = Array.from({ length: propertyDefinitions - stored }, () => newKey("many"));
    for (const key of more) await define(key);
    const full = await world.refused("property/definition_create", { key: newKey() });
    expectProblem(full, "too_large", String(propertyDefinitions));
    for (const key of [large, deep, ...more])
      await world.ok("property/definition_delete", { definitionRef: `key:${key}` });
  });
});

describe("a defined property", () => {
  test("is refused with a value that violates its definition, with a pointer and a remedy", async () => {
    await define("review", { kinds: ["model"], schema: { type: "array", items: { enum: ["a", null] } } });
    const { ref } = await aModel(world);
    await world.ok("model/model_update_property", set(ref, "review", ["a", null]));
    const wrong = await world.refused("model/model_update_property", set(ref, "review", ["a", "b"]));
    expectFaults(wrong, "/value/1");
    expect(wrong.message).toContain(
      '"b" is not one of "a",null; see property/definition_get for the definition of review',
    );
    expectFaults(await world.refused("model/model_update_property", set(ref, "review", 7)), "/value");
    await world.ok("model/type_create", { modelRef: ref, typeKey: "t" });
    const onType = { ...set(ref, "review", ["a"]), typeRef: "key:t" };
    const elsewhere = await world.refused("model/type_update_property", onType);
    expectFaults(elsewhere, "/value");
    expect(elsewhere.message).toContain("only defined for model");
    // What nobody defined is free.
    await world.ok("model/model_update_property", set(ref, "x:review", 7));
  });

  test("is checked in a batch, an import, a copy and a restore too", async () => {
    const { ref, key } = await aModel(world);
    await world.ok("model/model_update_property", set(ref, "later", "text"));
    const document = await world.read("model/model_export", { modelRef: ref });
    await world.ok("model/model_delete_property", { modelRef: ref, property: "later" });
    await define("later", { schema: { type: "boolean" } });

    const action = { group: "model", action: "model_update_property", payload: set(ref, "later", 1) };
    expectFaults(await world.refused("batch/batch_run", { actions: [action] }), "/actions/0/payload/value");
    const held = (key: string, properties?: object) => ({ key, properties, attributes: [], primaryKey: [] });
    const entities = [held("f"), held("e", { later: [] }), held("d")];
    const imported = await world.refused("model/import", { content: { ...document, key: newKey(), entities } });
    // Places are those of the caller's own document, however a model's lists are ordered.
    expectFaults(imported, "/properties/later", "/entities/1/properties/later");
    const restored = await world.refused("model/model_restore", { modelRef: ref, revision: 2 });
    expectFaults(restored, "/modelRef");
    expect(restored.message).toContain(`model ${key}, properties.later: expected boolean, got a string`);

    await world.ok("property/definition_update_schema", { definitionRef: "key:later" });
    await world.ok("model/model_restore", { modelRef: ref, revision: 2 });
    await world.ok("property/definition_update_schema", { definitionRef: "key:later", value: { type: "null" } });
    // A value that is there stays as it is, and can be set to what it is.
    expect((await world.ok("model/model_update_property", set(ref, "later", "text"))).body.changed).toBe(false);
    expectFaults(await world.refused("model/model_copy", { modelRef: ref, modelNewKey: newKey() }), "/modelRef");
  });

  test("is breaking in a comparison where its definition says so, also for properties of nested objects", async () => {
    await define("unit", { impact: "breaking" });
    const { ref } = await aModel(world);
    await world.ok("model/model_update_property", set(ref, "note", 1));
    const left = await world.read("model/model_export", { modelRef: ref });
    await world.ok("model/model_update_property", set(ref, "unit", "kg"));
    await world.ok("model/model_update_property", set(ref, "note", 2));
    for (const scope of ["complete", "structural"]) {
      const payload = { leftContent: left, rightModelRef: ref, scope };
      const { entries, breaking } = await world.read("model/model_compare", payload);
      expect(breaking).toBe(1);
      const reasons = ["properties.unit: the definition of the property declares its changes as breaking"];
      expect(entries[0]).toMatchObject({ impact: "breaking", reasons });
      expect(entries[0].members.includes("properties.note"), scope).toBe(scope === "complete");
    }
  });
});

describe("the built-in definitions", () => {
  test.each([
    ["owner", "Sales", 7],
    ["homepage", "https://example.com/", "example"],
    ["created", "2026-07-01T10:00:00Z", "2026-13-01"],
    ["classification", "internal", "top secret"],
    ["licenses", [{ name: "ODC-BY-1.0" }], ["ODC-BY-1.0"]],
    ["deprecated", { replacedBy: "key:client" }, "yes"],
  ])("accept valid values of %s only", async (property, right, wrong) => {
    const { ref } = await aModel(world);
    await world.ok("model/model_update_property", set(ref, property, right));
    expect((await world.refused("model/model_update_property", set(ref, property, wrong))).code).toBe("bad_parameters");
    expect(findBuiltInFault(property, right)).toBeUndefined();
    expect(findBuiltInFault(property, wrong)).toBeTypeOf("string");
  });

  test("are stored when they are changed, keep id and name, and are restored when they are deleted", async () => {
    const definitionRef = "key:classification";
    const before = await world.read("property/definition_get", { definitionRef });
    const value = { type: "string", enum: ["green", "red"] };
    const changed = await world.ok("property/definition_update_schema", { definitionRef, value });
    expect(changed.body).toMatchObject({ id: before.id, changed: true });
    const after = await world.read("property/definition_get", { definitionRef: `id:${before.id}` });
    expect(after).toEqual({ ...before, schema: value });
    const { ref } = await aModel(world);
    await world.ok("model/model_update_property", set(ref, "classification", "red"));
    const rename = { definitionRef, value: "secrecy" };
    expect((await world.refused("property/definition_update_key", rename)).code).toBe("still_used");
    expect((await world.refused("property/definition_create", { key: "owner" })).code).toBe("key_taken");
    expect((await world.ok("property/definition_delete", { definitionRef })).body.changed).toBe(true);
    expect(await world.read("property/definition_get", { definitionRef })).toEqual(before);
    const again = await world.writesNothing(() => world.ok("property/definition_delete", { definitionRef }));
    expect(again.body.changed).toBe(false);
  });

  test("are distinct from definitions of the same batch, which have no revision yet either", async () => {
    const act = (does: string, payload: object) => ({ group: "property", action: `definition_${does}`, payload });
    const batch = (...actions: object[]) => world.ok("batch/batch_run", { actions });
    const { items } = await world.read("property/definition_list");
    const key = newKey("property");
    const definitionRef = `key:${key}`;
    const [create, remove] = [act("create", { key }), act("delete", { definitionRef })];
    await batch(create, act("update_name", { definitionRef, value: "One" }));
    expect(await world.read("property/definition_get", { definitionRef })).toMatchObject({ name: "One" });
    await batch(remove, create, act("update_name", { definitionRef, value: "Two" }), remove);
    const owner = { definitionRef: "key:owner" };
    const named = act("update_name", { ...owner, value: "Responsible" });
    await batch(named, act("delete", owner));
    expect((await world.read("property/definition_list")).items).toEqual(items);
    await batch(named, act("update_impact", { ...owner, value: "breaking" }));
    const changed = { name: "Responsible", impact: "breaking" };
    expect(await world.read("property/definition_get", owner)).toMatchObject(changed);
    const described = act("update_description", { ...owner, value: "Who decides." });
    await batch(act("delete", owner), described, act("delete", owner));
    expect((await world.read("property/definition_list")).items).toEqual(items);
  });
});
