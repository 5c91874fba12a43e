import { beforeAll, describe, expect, test } from "vitest";
import { createListOutput } from "../../shared/actions/building/reads.ts";
import { createKindRows } from "../../shared/actions/building/rows.ts";
import { expandReading } from "../../shared/actions/pipeline/expand-reading.ts";
import { defineAttributeRefs, defineRefField } from "../../shared/domain/fields/field.ts";
import { entityFields } from "../../shared/domain/fields/model-fields.ts";
import { ACTIONS } from "../support/actions.ts";
import { person, someoneOn } from "../support/someone.ts";
import { type Body, createWorld, type World } from "../support/world.ts";
import { useWorld } from "./support/checked-world.ts";
import { aModel, anAttribute, anEntity, aType, type Example, entryOf, exampleModel } from "./support/models.ts";

const calls: string[] = [];
const world = useWorld((operation) => calls.push(operation));
let example: Example;

const crm = { modelRef: "key:crm" };
const keys = { expand: "keys" };
const customer = { ...crm, entityRef: "key:customer" };
const changes = (model = "key:crm") => ["model/history_version_changes", { modelRef: model, ...keys }] as const;

beforeAll(async () => {
  example = await exampleModel(world);
  await world.ok("model/entity_primary_key_update", { ...customer, attributeRef: ["key:code"] });
});

describe("the key of a ref beside its id", () => {
  test("is added for a type, for attributes in order, and for the entities of roles", async () => {
    const code = { ...customer, attributeRef: "key:code", ...keys };
    const attribute = await world.read("model/entity_attribute_get", code);
    expect(attribute).toMatchObject({ type: example.string.byId, typeByKey: "key:string" });
    const members = ["id", "key", "properties", "type", "typeByKey", "optional", "tags", "logicalType"];
    expect(Object.keys(attribute)).toEqual(members);
    expect(attribute.logicalType).toEqual({ type: "string" });
    await anAttribute(world, { model: example.model, entity: example.customer, type: example.string }, "number");
    const attributeRef = ["key:number", "key:code"];
    await world.ok("model/entity_primary_key_update", { ...customer, attributeRef });
    const { primaryKeyByKey } = await world.read("model/entity_get", { ...customer, ...keys });
    expect(primaryKeyByKey).toEqual(attributeRef);
    const { roles } = await world.read("model/relationship_get", { ...crm, relationshipRef: "key:places", ...keys });
    expect(roles.map((role: Body) => role.entityByKey)).toEqual(["key:person", "key:order", "key:person"]);
  });

  test("is added for the attributes in key pairs, each of the entity in its role", async () => {
    const replaces = { ...crm, relationshipRef: "key:replaces" };
    const keyPairs = [["key:number", "key:number"]];
    await world.ok("model/relationship_update_key_pairs", { ...replaces, value: keyPairs });
    const shown = await world.read("model/relationship_get", { ...replaces, ...keys });
    expect(shown.keyPairsByKey).toEqual(keyPairs);
    expect(Object.keys(shown)).toEqual(["id", "key", "roles", "keyPairs", "keyPairsByKey", "tags"]);
    const { items } = await world.read(...changes());
    expect(items.at(-1).afterByKey).toEqual({ keyPairs });
    expect(items.at(-1).beforeByKey).toBeUndefined();
  });

  test("is the key that earlier entries of a batch left", async () => {
    const { results } = await world.read("batch/batch_run", {
      actions: [
        entryOf("type_update_key", { ...crm, typeRef: "key:unused", value: "spare" }),
        entryOf("entity_attribute_create", { ...customer, attributeKey: "note", type: "key:spare", optional: true }),
        entryOf("entity_attribute_get", { ...customer, attributeRef: "key:note", ...keys }),
        entryOf("history_versions", { ...crm, ...keys }),
      ],
    });
    expect(results[2]).toMatchObject({ typeByKey: "key:spare" });
    expect(results[3].items[0]).toMatchObject({ actorName: "The admin" });
    const refs = { expand: "refs" };
    const chain = [
      entryOf("entity_get", { ...customer, ...refs }),
      entryOf("entity_attribute_get", { ...crm, entityRef: "$1.id", attributeRef: "$1.primaryKey.0", ...refs }),
      entryOf("type_get", { ...crm, typeRef: "$2.type" }),
    ];
    const { results: chained } = await world.read("batch/batch_run", { actions: chain });
    const string = example.string.byId;
    expect(chained).toMatchObject([{ id: example.customer.byId }, { type: string }, { key: "string" }]);
  });

  test("is added for a field that only its declaration names", async () => {
    const fields = {
      ...entityFields,
      parent: defineRefField("entity", "What it is a part of."),
      shown: defineAttributeRefs({ of: "entity", text: "", count: { least: 0, most: 9, noun: "", nouns: "" } }),
    };
    const { customer: entity, person, code, string } = example;
    const row = {
      ...{ id: person.id, key: "person", primaryKey: [], tags: [] },
      ...{ parent: entity.byId, entity: entity.byId, shown: [code.byId] },
    };
    const ports = world.service.ports(Number.MAX_SAFE_INTEGER);
    const view = await ports.store.open({ scheme: "key", value: "crm" });
    const [action] = ACTIONS;
    if (!action) throw new Error("no action");
    const probe = { ...action, output: createListOutput("", createKindRows("Probe", fields).schema) };
    const { store } = ports;
    const call = { principal: undefined } as Parameters<typeof expandReading>[3]["call"];
    const sources = { view, tags: store.openTags, accounts: store.openIdentity, open: store.open, call };
    const { body } = await expandReading(probe, { body: { items: [row] } }, new Set(["keys"]), sources);
    expect(body).toEqual({
      items: [{ ...row, primaryKeyByKey: [], parentByKey: "key:customer", shownByKey: ["key:code"] }],
    });
    expect(string.key).toBe("string");
  });
});

describe("the history", () => {
  test("has the name of the actor, and the keys of the refs in its images", async () => {
    const { items } = await world.read(...changes());
    expect(items.every((row: Body) => row.actorName === "The admin")).toBe(true);
    const made = (key: string): Body => items.find((row: Body) => row.change === "create" && row.key === key);
    expect(made("code").afterByKey).toEqual({ owner: "key:customer", tags: ["key:draft"], type: "key:string" });
    expect(made("customer_code").afterByKey).toEqual({ entity: "key:customer", participants: [] });
    expect(made("places").afterByKey.roles[0]).toEqual({ key: "buyer", cardinality: "one", entity: "key:person" });
    expect(made("string")).not.toHaveProperty("afterByKey");
    const keyed = items.find((row: Body) => row.after?.primaryKey?.length > 0);
    expect(keyed).toMatchObject({ beforeByKey: { primaryKey: [] }, afterByKey: { primaryKey: ["key:code"] } });
  });

  test("has the keys of participants whose entity is not in the image, and of global tags", async () => {
    const businessKeyRef = "key:customer_code";
    await world.ok("model/business_key_update_participants", { ...crm, businessKeyRef, value: ["key:code"] });
    await world.ok("model/entity_add_tag", { ...customer, tagRef: example.personal.ref });
    const { items } = await world.read(...changes());
    expect(items.at(-2)).toMatchObject({ kind: "business_key", afterByKey: { participants: ["key:code"] } });
    expect(items.at(-1)).toMatchObject({ afterByKey: { globalTags: ["key:privacy/personal"] } });
  });

  test("has no keys of deleted objects", async () => {
    const model = await aModel(world);
    const [type, other] = [await aType(world, model, "old"), await aType(world, model, "new")];
    const [entity, doomed] = [await anEntity(world, model, "kept"), await anEntity(world, model, "doomed")];
    const attribute = await anAttribute(world, { model, entity, type }, "a");
    const at = { modelRef: model.ref, entityRef: doomed.ref };
    const inDoomed = await anAttribute(world, { model, entity: doomed, type: other }, "b");
    await world.ok("model/entity_primary_key_update", { ...at, attributeRef: ["key:b"] });
    await world.ok("model/entity_delete", at);
    const place = { modelRef: model.ref, entityRef: entity.ref, attributeRef: "key:a" };
    await world.ok("model/entity_attribute_update_type", { ...place, value: "key:new" });
    await world.ok("model/type_delete", { modelRef: model.ref, typeRef: "key:old" });
    const { items } = await world.read(...changes(model.ref));
    const of = (id: string, change: string): Body =>
      items.find((row: Body) => row.id === id && row.change === change && (row.before ?? row.after));
    expect(of(attribute.id, "create").after.type).toBe(type.id);
    expect(of(attribute.id, "create").afterByKey).toEqual({ owner: "key:kept" });
    expect(of(attribute.id, "update").beforeByKey).toBeUndefined();
    expect(of(attribute.id, "update").afterByKey).toEqual({ type: "key:new" });
    // The attribute of a deleted entity is still stored, until it is swept.
    expect(of(inDoomed.id, "create").afterByKey).toEqual({ type: "key:new" });
    expect(of(doomed.id, "update")).toMatchObject({ after: { primaryKey: [inDoomed.id] } });
    expect(of(doomed.id, "update")).not.toHaveProperty("afterByKey");
    await world.ok("model/model_delete", { modelRef: model.ref });
    const { items: after } = await world.read(...changes(model.byId));
    expect(after.filter((row: Body) => row.afterByKey || row.beforeByKey)).toEqual([]);
    expect(after[0]).toMatchObject({ actorName: "The admin" });
  });
});

test("a search answers the path of each hit as keys, also without `expand`", async () => {
  const { items } = await world.read("model/search", { filters: { operator: "and", items: [] } });
  const paths = items.map((row: Body) => `${row.location.objectType} ${row.path}`);
  for (const place of [
    ...["model crm", "type crm/string", "entity crm/customer", "entityAttribute crm/customer.code"],
    ...["relationship crm/places", "relationshipRole crm/places.buyer", "relationshipAttribute crm/places.channel"],
    ...["businessKey crm/customer.customer_code", "tag crm/draft"],
  ]) {
    expect(paths).toContain(place);
  }
});

describe("accounts", () => {
  test("have names in assignments, API tokens and the audit log", async () => {
    const { graceActor: grace, nightly, model } = example;
    await world.ok("auth/actor_add_role", { actorId: grace.ref, roleRef: "key:auditor", models: "c*" });
    await world.ok("auth/actor_add_role", { actorId: grace.ref, roleRef: "key:manager", models: model.byId });
    const actor = await world.read("auth/actor_get", { actorId: grace.ref, ...keys });
    expect(actor.rolesByKey).toEqual(["key:reader"]);
    expect(actor.scopedRoles).toMatchObject([
      { roleByKey: "key:auditor", models: "c*" },
      { roleByKey: "key:manager", models: model.byId, modelsByKey: "key:crm" },
    ]);
    expect(actor.scopedRoles[0]).not.toHaveProperty("modelsByKey");
    const { items: tokens } = await world.read("auth/token_list", { all: true, ...keys });
    expect(tokens).toMatchObject([{ id: nightly.id, actorName: "Grace Hopper" }]);
    const { items: entries } = await world.read("auth/audit_list", { act: "auth/actor_add_role", limit: 1, ...keys });
    expect(entries[0].actor).toMatchObject({ name: "The admin", subject: "admin" });
    expect(entries[0].changes[0].afterByKey).toEqual({
      scopedRoles: [
        { models: "c*", role: "key:auditor" },
        { models: "key:crm", role: "key:manager" },
      ],
    });
  });

  test("keep patterns of keys with refs, even one that looks like an id", async () => {
    const { grace, graceActor, auditor, model } = example;
    const models = model.id;
    await world.ok("auth/actor_add_role", { actorId: graceActor.ref, roleRef: auditor.ref, models });
    const both = { expand: "keys,refs" };
    const { scopedRoles } = await world.read("auth/actor_get", { actorId: graceActor.ref, ...both });
    expect(scopedRoles.at(-1)).toEqual({ role: auditor.byId, roleByKey: "key:auditor", models });
    const { items } = await world.read("auth/audit_list", { act: "auth/actor_add_role", limit: 1, ...both });
    expect(items[0].changes[0].after.scopedRoles.at(-1)).toEqual({ role: auditor.byId, models });
    expect(items[0].changes[0].afterByKey.scopedRoles.at(-1)).toEqual({ role: "key:auditor", models });
    await world.ok("auth/actor_delete_role", { actorId: graceActor.ref, roleRef: auditor.ref, models });
    const { items: users } = await world.read("auth/user_list", both);
    expect(users).toContainEqual(expect.objectContaining({ id: grace.byId, actorId: graceActor.byId }));
  });

  test("have names for administrators only, and for themselves", async () => {
    const reader = await person(world, "manager");
    await world.okAs(reader.token, "model/entity_create", { ...crm, entityKey: "mine" });
    const { body } = await world.okAs(reader.token, ...changes());
    const names = new Map<string, string | undefined>(body.items.map((row: Body) => [row.actor, row.actorName]));
    expect(names.size).toBe(2);
    const fullname = `The ${reader.username}`;
    expect(names.get(reader.id)).toBe(fullname);
    expect([...names.values()].filter((name) => name !== undefined)).toEqual([fullname]);
  });

  test("get the keys of those models that they may read", async () => {
    const { model } = example;
    const models = model.byId;
    await world.ok("auth/role_create", { key: "tagger", name: "Tagger" });
    await world.ok("auth/role_add_permission", { roleRef: "key:tagger", permissionKey: "tag_local_manage" });
    const sees = await someoneOn(world, "sees", { role: "reader", models });
    const tags = await someoneOn(world, "tags", { role: "tagger", models });
    const scopes = async (token: string) => (await world.okAs(token, "auth/whoami", keys)).body.scopes;
    expect(await scopes(sees.token)).toMatchObject([{ models, modelsByKey: "key:crm" }]);
    const [scope] = await scopes(tags.token);
    expect(scope).toMatchObject({ models });
    expect(scope).not.toHaveProperty("modelsByKey");
  });

  test("have no name once they are deleted", async () => {
    const gone = await person(world, "admin");
    const model = (await world.okAs(gone.token, "model/model_create", { key: "orphaned", name: "Orphaned" })).body;
    const versions = async () =>
      (await world.read("model/history_versions", { modelRef: `id:${model.id}`, ...keys })).items;
    expect(await versions()).toMatchObject([{ actor: gone.id, actorName: `The ${gone.username}` }]);
    await world.ok("auth/user_delete", { username: gone.username });
    const [row] = await versions();
    expect(row.actor).toBe(gone.id);
    expect(row).not.toHaveProperty("actorName");
  });
});

describe("the requests to the table, without a cache", () => {
  let cold: World;
  beforeAll(async () => {
    cold = await createWorld({ beside: world, cachedObjects: 0 });
  });

  /** How many calls of the table a read takes more with keys than without. */
  async function more(action: string, payload: object): Promise<number> {
    const counted = [];
    for (const expand of [undefined, "keys"]) {
      calls.length = 0;
      await cold.run(action, { ...payload, ...(expand && { expand }) });
      counted.push(calls.length);
    }
    return (counted[1] ?? 0) - (counted[0] ?? 0);
  }

  /** A model of so many entities, each with an attribute of a type of its own, which is its primary key. */
  async function many(count: number) {
    const model = await aModel(world);
    const { ref: modelRef } = model;
    const actions = Array.from({ length: count }, (_, i) => {
      const on = { modelRef, entityRef: `key:e${i}` };
      return [
        entryOf("type_create", { modelRef, typeKey: `t${i}` }),
        entryOf("entity_create", { modelRef, entityKey: `e${i}` }),
        entryOf("entity_attribute_create", { ...on, attributeKey: `a${i}`, type: `key:t${i}`, optional: false }),
        entryOf("entity_primary_key_update", { ...on, attributeRef: [`key:a${i}`] }),
        entryOf("business_key_create", { ...on, key: `b${i}`, participants: [`key:a${i}`] }),
      ];
    });
    await world.ok("batch/batch_run", { actions: actions.flat() });
    return model;
  }

  test("are few, for any number of rows, and none where no row has an id", async () => {
    const { ref: modelRef } = await many(12);
    const place = { modelRef, entityRef: "key:e3", attributeRef: "key:a3" };
    expect(await more("model/type_list", { modelRef })).toBe(0);
    // Its type and the model, which has the dialect of types.
    expect(await more("model/entity_attribute_get", place)).toBe(2);
    // Its attributes are a list, which is confirmed with two calls.
    expect(await more("model/entity_get", { modelRef, entityRef: "key:e3" })).toBe(3);
    expect(await more("model/entity_list", { modelRef })).toBe(1);
    // A list of entities and one of attributes.
    expect(await more("model/business_key_list", { modelRef })).toBe(2);
    // Lists of types, entities and relationships, the actor, and the model for participants whose entity is not told.
    expect(await more("model/history_version_changes", { modelRef })).toBe(6);
  });

  test("are those of a page, in a model with a long list", async () => {
    const { ref: modelRef } = await many(40);
    // The short list has 20 of 40 types, and what it lacks are two calls each: by the id, and at the key that leads to.
    expect(await more("model/business_key_list", { modelRef, limit: 5 })).toBeLessThanOrEqual(1 + 2 * 5 + 1);
    const { items } = await world.read("model/business_key_list", { modelRef, limit: 5, ...keys });
    expect(items.map((row: Body) => [row.entityByKey, ...row.participantsByKey])).toEqual(
      items.map(({ key }: Body) => [`key:e${key.slice(1)}`, `key:a${key.slice(1)}`]),
    );
  });
});
