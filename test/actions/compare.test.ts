import { describe, expect, test } from "vitest";
import type { Body } from "../support/world.ts";
import { expectFaults, expectProblem, newKey, useWorld } from "./support/checked-world.ts";
import { aModel, anAttribute, anEntity, aType, exampleModel } from "./support/models.ts";

const world = useWorld();

const compare = (payload: object): Promise<Body> => world.read("model/model_compare", payload);
const refused = (payload: object) => world.refused("model/model_compare", payload);
const inShort = ({ entries }: Body) =>
  entries.map(({ status, objectType, impact, members }: Body) => [status, objectType, impact, members ?? []]);

describe("model_compare", () => {
  test("finds no differences between a model and itself", async () => {
    const { model, revision } = await exampleModel(world, newKey("same"));
    const body = await compare({ leftModelRef: model.ref, rightModelRef: model.byId });
    const side = { modelId: model.id, modelKey: model.key, modelVersion: "0.0.1", modelAuthority: "system", revision };
    const counts = { breaking: 0, behavioural: 0, additive: 0, operational: 0, cosmetic: 0 };
    const none = { breaks: 0, risk: 0, safe: 0 };
    const verdicts = { readers: none, writers: none };
    expect(body).toEqual({
      scopeApplied: "complete",
      left: side,
      right: side,
      ...counts,
      verdicts,
      likelyRenames: [],
      entries: [],
    });
  });

  test("answers the differences of two releases with their impact", async () => {
    const model = await aModel(world);
    const at = { modelRef: model.ref };
    const text = await aType(world, model, "text");
    await aType(world, model, "number");
    const entity = await anEntity(world, model, "customer");
    await anAttribute(world, { model, entity, type: text }, "code");
    await anAttribute(world, { model, entity, type: text }, "age");
    await world.ok("model/model_release", { ...at, value: "1.0.0" });
    const customer = { ...at, entityRef: entity.ref };
    await world.ok("model/entity_attribute_update_type", { ...customer, attributeRef: "key:age", value: "key:number" });
    await world.ok("model/entity_attribute_update_optional", { ...customer, attributeRef: "key:code", value: true });
    await world.ok("model/entity_update_description", { ...customer, value: "Who buys." });
    await world.ok("model/entity_primary_key_update", { ...customer, attributeRef: ["key:code"] });
    await anEntity(world, model, "order");
    await world.ok("model/model_release", { ...at, value: "2.0.0" });
    const body = await compare({
      ...{ leftModelRef: model.ref, leftModelVersion: "1.0.0" },
      ...{ rightModelRef: model.ref, rightModelVersion: "2.0.0" },
    });
    expect(inShort(body)).toEqual([
      ["MODIFIED", "entity", "breaking", ["description", "primaryKey"]],
      ["ADDED", "entity", "additive", []],
      ["MODIFIED", "entityAttribute", "breaking", ["type"]],
      ["MODIFIED", "entityAttribute", "breaking", ["optional"]],
      ["MODIFIED", "model", "cosmetic", ["version"]],
    ]);
    expect([body.breaking, body.additive, body.cosmetic]).toEqual([3, 1, 1]);
    expect([body.left.modelVersion, body.right.modelVersion]).toEqual(["1.0.0", "2.0.0"]);
    expect(body.entries[2]).toMatchObject({
      ...{ entityKey: "customer", attributeKey: "age" },
      ...{ left: { key: "age", type: "key:text" }, right: { key: "age", type: "key:number" } },
      reasons: ["type: decimal instead of string: values of another kind"],
    });
  });

  test("finds no differences between a model and its copy or its export", async () => {
    const { model } = await exampleModel(world, newKey("origin"));
    const copy = await world.ok("model/model_copy", { modelRef: model.ref, modelNewKey: newKey("copy") });
    expect((await compare({ leftModelRef: model.ref, rightModelRef: `id:${copy.body.id}` })).entries).toEqual([]);
    const rightContent = await world.read("model/model_export", { modelRef: model.ref });
    const body = await compare({ leftModelRef: model.ref, rightContent });
    expect(body.entries).toEqual([]);
    const side = { modelKey: model.key, modelVersion: "0.0.1", modelAuthority: "system" };
    const format = { format: "metaction", name: "a model document" };
    const recognised = { ...format, sure: "certain", because: "its $schema names that format", others: [] };
    expect(body.right).toEqual({ ...side, recognised });
  });

  test("judges a later earliest date as breaking although constraints cannot hold it", async () => {
    const since = (minimum: string) => ({
      name: "a",
      fields: [{ name: "day", type: "date", constraints: { minimum } }],
    });
    expect((await compare({ leftContent: since("2020-01-01"), rightContent: since("2024-01-01") })).entries).toEqual([
      expect.objectContaining({ impact: "breaking", members: ["properties.frictionless:constraints"] }),
    ]);
  });

  test("reads content as import does, on either side or both", async () => {
    const fields = (...names: readonly string[]) => ({
      name: "people",
      fields: names.map((name) => ({ name, type: "string" })),
    });
    const body = await compare({ leftContent: fields("a", "b"), rightContent: fields("a", "c") });
    expect(body.entries.map((entry: Body) => [entry.status, entry.objectType, entry.attributeKey])).toEqual([
      ["DELETED", "entityAttribute", "b"],
      ["ADDED", "entityAttribute", "c"],
    ]);
    const unknown = await refused({ leftContent: { no: "model" }, rightContent: fields() });
    expect(unknown.code).toBe("source_not_recognised");
    const invalid = { name: "x", fields: [{ name: "a", type: "nonsense" }] };
    expect((await refused({ leftContent: fields("a"), rightContent: invalid })).code).toBe("invalid_content");
  });

  test("compares two OpenAPI documents with their operations, and one with a model without them", async () => {
    const Pet = { properties: { name: { type: "string" } } };
    const document = (paths: object) => ({
      openapi: "3.1.0",
      info: { title: "Pets" },
      paths,
      components: { schemas: { Pet } },
    });
    const [one, none] = [document({ "/pets": { get: { responses: { 200: {} } } } }), document({})];
    const sides = { leftContent: one, rightContent: none };
    const { entries } = await compare(sides);
    const rows = entries.map(({ status, entityKey, impact }: Body) => [status, entityKey, impact]);
    const names = ["GET /pets 200", "GET /pets"];
    expect(rows).toEqual(names.map((name) => ["DELETED", name, "breaking"]));
    const written = (format: string) => world.read("model/model_compare_as", { ...sides, format });
    expect((await written("markdown")).content).toContain("GET /pets 200");
    expect((await written("postgresql")).content).not.toContain("GET /pets");
    const modelKey = newKey("pets");
    await world.ok("model/import", { content: one, modelKey });
    const withModel = await compare({ leftModelRef: `key:${modelKey}`, rightContent: one });
    expect(withModel.entries.filter(({ objectType }: Body) => objectType === "entity")).toEqual([]);
  });

  test("shows the global tags of a past state as they were then", async () => {
    const { model, customer, revision } = await exampleModel(world, newKey("tagged"));
    const at = { modelRef: model.ref, entityRef: customer.ref, tagRef: "key:privacy/personal" };
    await world.ok("model/entity_add_tag", at);
    const body = await compare({ leftModelRef: model.ref, leftRevision: revision, rightModelRef: model.ref });
    expect(inShort(body)).toEqual([["MODIFIED", "entity", "cosmetic", ["tags"]]]);
    expect(body.entries[0].right.tags).toEqual(["key:draft", "key:privacy/personal"]);
  });

  const SIDES = { leftModelRef: "key:m", rightModelRef: "key:m" };
  const LEFT = ["/leftModelRef", "/leftContent"];
  const RIGHT = ["/rightModelRef", "/rightContent"];
  const LEFT_MOMENT = ["/leftModelVersion", "/leftRevision"];
  const RIGHT_MOMENT = ["/rightModelVersion", "/rightRevision"];

  test.each<[string, object, readonly string[]]>([
    ["no left side", { rightModelRef: "key:m" }, LEFT],
    ["no right side", { leftModelRef: "key:m" }, RIGHT],
    ["two left sides", { ...SIDES, leftContent: {} }, LEFT],
    ["a version and a revision", { ...SIDES, rightModelVersion: "1.0.0", rightRevision: 2 }, RIGHT_MOMENT],
    ["a revision of content", { leftContent: { fields: [] }, leftRevision: 2, rightModelRef: "key:m" }, LEFT_MOMENT],
    ["both sides at once", { leftContent: {}, leftRevision: 2 }, [...LEFT_MOMENT, ...RIGHT]],
    ["another scope", { ...SIDES, scope: "partial" }, ["/scope"]],
  ])("refuses %s", async (_, payload, pointers) => expectFaults(await refused(payload), ...pointers));

  test("names objects that do not exist", async () => {
    const model = await aModel(world);
    const at = { leftModelRef: model.ref, rightModelRef: model.ref };
    for (const [payload, named] of [
      [{ ...at, rightModelRef: "key:none" }, "key:none"],
      [{ ...at, rightModelVersion: "4.0.0" }, "4.0.0"],
      [{ ...at, leftRevision: 44 }, "44"],
    ] as const) {
      expectProblem(await refused(payload), "not_found", named);
    }
  });
});
