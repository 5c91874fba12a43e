import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { type Someone, someoneOn } from "../support/someone.ts";
import type { Body } from "../support/world.ts";
import { expectFaults, expectProblem, newKey, useWorld } from "./support/checked-world.ts";
import { aGlobalTag, aModel, aTagGroup, exampleModel, type Made, revisionOf } from "./support/models.ts";

const world = useWorld();

const exported = (modelRef: string): Promise<Body> => world.read("model/model_export", { modelRef });
const apply = async (payload: object, controls = {}): Promise<Body> =>
  (await world.ok("model/model_apply", payload, controls)).body;
const plan = (payload: object): Promise<Body> => apply(payload, { dryRun: true });
const refused = (payload: object) => world.refused("model/model_apply", payload);

const saying = (members: object): Body => ({ $schema: "urn:metaction:model:2", key: "any", ...members });

const inShort = ({ steps }: Body): string[] =>
  steps.map(({ does, objectType, after, before, ref }: Body) => {
    const key = after?.key ?? before?.key ?? (ref.startsWith("key:") ? ref.slice(4) : "");
    return [does, objectType, key].filter(Boolean).join(" ");
  });

describe("model_apply", () => {
  test("sets what the document says, and leaves what it leaves out", async () => {
    const { model, customer } = await exampleModel(world, newKey("applied"));
    const before = await exported(model.ref);
    const content = saying({ entities: [{ key: "customer", description: "Whoever buys." }] });
    const answer = await apply({ modelRef: model.ref, content });
    expect(answer).toMatchObject({
      ...{ status: "ok", id: model.id, key: model.key, changed: true, stepCount: 1, warnings: [] },
      plan: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const after = await exported(model.ref);
    const entity = after.entities.find(({ key }: Made) => key === "customer");
    expect(entity).toMatchObject({ id: customer.id, description: "Whoever buys." });
    const entities = before.entities.map((one: Body) => (one.key === "customer" ? entity : one));
    expect(after).toEqual({ ...before, entities });
  });

  test("keeps types that the document omits, and resolves its refs in the model", async () => {
    const { ref: modelRef } = await aModel(world);
    const [i, j, k] = ["i", "j", "k"].map((key) => ({ key, type: "key:t" }));
    const entities = [
      { key: "e", attributes: [i, j], primaryKey: ["key:i"] },
      { key: "f", attributes: [i] },
    ];
    const first = { modelRef, content: saying({ types: [{ key: "t", name: "T" }], entities }) };
    const [before, after] = [{ primaryKey: [] }, { primaryKey: ["key:i"] }];
    const updates = (await plan(first)).steps.filter(({ does }: Body) => does === "update");
    expect(updates).toEqual([expect.objectContaining({ before, after })]);
    await apply(first);
    const added = { key: "e", attributes: [{ key: "j", description: "J." }, k], primaryKey: ["key:i", "key:k"] };
    const businessKeys = [{ key: "b", entity: "key:f", participants: ["key:i"] }];
    const content = saying({ entities: [added], businessKeys });
    const steps = inShort(await plan({ modelRef, content, prune: true })).sort();
    expect(steps.slice(0, 2)).toEqual(["create businessKey b", "create entityAttribute k"]);
    expect(steps.slice(2)).toEqual(["update entity", "update entityAttribute"]);
    await apply({ modelRef, content });
    const now = await exported(modelRef);
    expect(now).toMatchObject({ types: [{ key: "t", name: "T" }], businessKeys });
    const attributes = [i, { ...j, description: "J." }, k];
    expect(now.entities[0]).toMatchObject({ attributes, primaryKey: added.primaryKey });
  });

  test("resolves every ref in the model, and tags of groups in the service, without listing them", async () => {
    const { model, personal, draft } = await exampleModel(world, newKey("lacking"));
    const before = await exported(model.ref);
    const role = (key: string, entity: string) => ({ key, entity: `key:${entity}`, cardinality: "one" });
    const tags = ["key:draft", "key:privacy/personal"];
    const bill = {
      ...{ key: "bill", tags, primaryKey: ["key:number"] },
      attributes: [{ key: "number", type: "key:string", tags: ["key:reviewed"] }],
    };
    const pays = {
      ...{ key: "pays", tags: ["key:privacy/personal"], keyPairs: [["key:number", "key:number"]] },
      ...{ roles: [role("bill", "bill"), role("order", "order")] },
      attributes: [{ key: "since", type: "key:integer", tags: ["key:draft"] }],
    };
    const order = { key: "order", primaryKey: ["key:number", "key:date"] };
    const businessKeys = [{ key: "order_date", entity: "key:order", participants: ["key:date"] }];
    const content = saying({ tags: ["key:reviewed"], entities: [order, bill], relationships: [pays], businessKeys });
    const payload = { modelRef: model.ref, content };
    expect(await plan({ ...payload, prune: true })).toMatchObject({ warnings: [], globalTags: 0 });
    expect(await apply(payload)).toMatchObject({ warnings: [], globalTags: 0 });
    const after = await exported(model.ref);
    const find = (list: readonly Body[], key: string) => list.find((one) => one.key === key);
    expect(find(after.entities, "bill")).toMatchObject(bill);
    expect(find(after.relationships, "pays")).toMatchObject({ ...pays, keyPairs: [["key:number", "key:number"]] });
    expect(find(after.entities, "order")).toMatchObject(order);
    expect(find(after.businessKeys, "order_date")).toMatchObject(businessKeys[0] ?? {});
    expect(after.tags).toEqual(["key:reviewed"]);
    expect([after.types, after.localTags]).toEqual([before.types, before.localTags]);
    expect(after.tagGroups).toMatchObject([{ key: "privacy", tags: [{ key: "personal" }] }]);
    const refs = { modelRef: model.ref, entityRef: "key:bill" };
    const shown = (await world.read("model/entity_get", refs)).tags.map(({ id }: Made) => id);
    expect(shown).toEqual([draft.id, personal.id]);
    expect(
      (await plan({ ...payload, prune: true })).steps.filter(({ objectType }: Body) => objectType === "tag"),
    ).toEqual([]);
  });

  test("refuses tags that neither the document nor the model or a group has", async () => {
    const { model } = await exampleModel(world, newKey("untagged"));
    const refusedTags = async (tags: readonly string[], more = {}) => {
      const { code, members } = await refused({ modelRef: model.ref, content: saying({ tags, ...more }) });
      expect(code).toBe("invalid_content");
      return (members.errors ?? []).map(({ pointer, detail }) => `${pointer} ${detail}`);
    };
    const groups = ["key:privacy/nope", "key:nope/personal", "key:privacy/personal"];
    expect(await refusedTags(groups)).toEqual([
      "/tags/0 key:privacy/nope is neither in the document nor in the service",
      "/tags/1 key:nope/personal is neither in the document nor in the service",
    ]);
    expect(await refusedTags(["key:nope"])).toEqual(["/tags/0 key:nope is neither in the document nor in the model"]);
    const listed = { tagGroups: [{ key: "privacy", tags: [{ key: "secret" }] }] };
    expect(await refusedTags(["key:privacy/secret", "key:privacy/nope"], listed)).toHaveLength(1);
    expect(await refusedTags([`id:${model.id}`, "key:a/b/c"])).toEqual([
      expect.stringMatching("^/tags/0 .* is not a tag"),
      expect.stringMatching("^/tags/1 .* is not a tag"),
    ]);
    const payload = { modelKey: newKey("fresh"), create: true, content: saying({ tags: ["key:privacy/personal"] }) };
    const { id } = await apply(payload);
    expect((await exported(`id:${id}`)).tags).toEqual(["key:privacy/personal"]);
  });

  test.each([
    [
      { key: "new", type: "key:nope" },
      "The document refers to objects that do not exist",
      [{ pointer: "/entities/0/attributes/0/type", detail: expect.stringMatching("key:nope is neither in") }],
    ],
    [{ key: "new" }, "customer.new is not in the model, so it needs the member type", undefined],
  ])("refuses %j, whose type neither document nor model has", async (attribute, said, errors) => {
    const { model } = await exampleModel(world, newKey("missing"));
    const content = saying({ entities: [{ key: "customer", attributes: [attribute] }] });
    const { code, message, members } = await refused({ modelRef: model.ref, content });
    expect([code, message, members.errors]).toEqual(["invalid_content", said, errors]);
  });

  test("checks If-Match against the revision that the caller read, and runs once per idempotency key", async () => {
    const { model } = await exampleModel(world, newKey("pinned"));
    const payload = { modelRef: model.ref, content: saying({ description: "One." }) };
    const seen = { ifMatch: [{ ledgerId: model.id, revision: await revisionOf(world, model) }] };
    await apply(payload, { ...seen, idempotencyKey: "applied-once" });
    expect((await world.refused("model/model_apply", payload, seen)).code).toBe("precondition_failed");
    const other = { ...payload, content: saying({ description: "Two." }) };
    const again = await world.refused("model/model_apply", other, { idempotencyKey: "applied-once" });
    expect(again.code).toBe("idempotency_key_reused");
  });

  test("keeps the order of roles and key pairs; a replaced role loses its pairs, a primary key its attribute", async () => {
    const { ref: modelRef } = await aModel(world);
    const [i, j] = ["i", "j"].map((key) => ({ key, type: "key:t" }));
    const content = (entity: object, roleKeys: readonly string[], more = {}): Body => {
      const roles = roleKeys.map((key) => ({ key, entity: "key:e", cardinality: "one" }));
      const [entities, relationships] = [[{ key: "e", ...entity }], [{ key: "r", roles, ...more }]];
      return saying({ types: [{ key: "t" }], entities, relationships });
    };
    const [entity, pairs] = [{ attributes: [i, j], primaryKey: ["key:j", "key:i"] }, [["key:i", "key:j"]]];
    await apply({ modelRef, content: content(entity, ["a", "b"], { keyPairs: pairs }) });
    const refs = { modelRef, relationshipRef: "key:r" };
    await world.ok("model/relationship_role_update_key", { ...refs, relationshipRoleRef: "key:a", value: "z" });
    const { roles, keyPairs } = await world.read("model/relationship_get", refs);
    await apply({ modelRef, content: content({}, ["z", "b"], { name: "Edited" }) });
    expect(await world.read("model/relationship_get", refs)).toMatchObject({ name: "Edited", roles, keyPairs });
    await apply({ modelRef, content: content({ attributes: [i] }, ["c", "z"]), prune: true });
    const after = await exported(modelRef);
    expect(after.entities).toMatchObject([{ attributes: [i], primaryKey: ["key:i"] }]);
    expect(after.relationships[0]).not.toHaveProperty("keyPairs");
  });

  test("removes objects that the document lacks only with prune, and no list that the document omits", async () => {
    const { model } = await exampleModel(world, newKey("pruned"));
    const before = await exported(model.ref);
    const content = saying({ relationships: [] });
    expect(await apply({ modelRef: model.ref, content })).toMatchObject({ changed: false });
    const { steps } = await plan({ modelRef: model.ref, content, prune: true });
    expect(steps.every(({ does, objectType }: Body) => does === "delete" && objectType === "relationship")).toBe(true);
    await apply({ modelRef: model.ref, content, prune: true });
    expect(await exported(model.ref)).toEqual({ ...before, relationships: [] });
  });

  test("renames an object that names its former key, and keeps its id", async () => {
    const { model, customer } = await exampleModel(world, newKey("renamed"));
    const content = saying({ entities: [{ key: "client", renamedFrom: "customer" }] });
    const dry = await plan({ modelRef: model.ref, content });
    expect(inShort(dry)).toEqual(["rename entity client"]);
    expect(dry.steps[0]).toMatchObject({
      ...{ ref: customer.byId, entityKey: "customer", before: { key: "customer" }, after: { key: "client" } },
      impact: "breaking",
    });
    await apply({ modelRef: model.ref, content, plan: dry.plan });
    const { id } = await world.read("model/entity_get", { modelRef: model.ref, entityRef: "key:client" });
    expect(id).toBe(customer.id);
    expect(await apply({ modelRef: model.ref, content })).toMatchObject({ changed: false });
  });

  test("lets two objects change their keys", async () => {
    const model = await aModel(world);
    const made = await apply({ modelRef: model.ref, content: saying({ types: [{ key: "a" }, { key: "b" }] }) });
    expect(made.stepCount).toBe(2);
    const { types } = await exported(model.ref);
    const swapped = ["b", "a"].map((key, i) => ({ id: types[i].id, key }));
    const content = saying({ types: swapped });
    const { steps } = await plan({ modelRef: model.ref, content });
    expect(steps.map(({ does, before, after }: Body) => `${does} ${before.key} to ${after.key}`)).toEqual([
      ...["rename a to a_2", "rename b to a", "rename a_2 to b"],
    ]);
    await apply({ modelRef: model.ref, content });
    expect((await exported(model.ref)).types).toEqual(swapped.toReversed());
  });

  test("suggests likely renames, but treats none of them as a rename", async () => {
    const { model } = await exampleModel(world, newKey("likely"));
    const { entities, types, localTags } = await exported(model.ref);
    const renamed = entities.map(({ id: _, key, ...one }: Body) => ({
      ...one,
      key: key === "customer" ? "client" : key,
    }));
    const dry = await plan({ modelRef: model.ref, content: saying({ types, localTags, entities: renamed }) });
    expect(inShort(dry)).toContain("create entity client");
    const reason = expect.stringContaining("attributes");
    const rename = { objectType: "entity", from: ["customer"], to: "client", declaredBy: "renamedFrom" };
    expect(dry.likelyRenames).toEqual([{ ...rename, confidence: expect.any(Number), reason }]);
  });

  test("keeps key, version and authority of the model, and reports that it does", async () => {
    const model = await aModel(world);
    const content = saying({ key: "other", version: "2.0.0", authority: "canonical" });
    const { changed, warnings } = await apply({ modelRef: model.ref, content });
    expect(changed).toBe(false);
    expect(warnings.flatMap(({ pointers }: Body) => pointers)).toEqual(["/version", "/authority"]);
    expect(await exported(model.ref)).toMatchObject({ key: model.key, version: "0.0.1", authority: "system" });
  });

  test("moves attributes to their positions in the document, and those that it lacks behind their predecessors", async () => {
    const model = await aModel(world);
    const entity = (...keys: string[]) => {
      const attributes = keys.map((key) => ({ key, type: "key:t" }));
      return saying({ types: [{ key: "t" }], entities: [{ key: "e", attributes }] });
    };
    await apply({ modelRef: model.ref, content: entity("a", "b", "c", "d") });
    const { steps } = await plan({ modelRef: model.ref, content: entity("b", "c", "d", "a") });
    const move = { does: "move", before: {}, after: { afterRef: expect.any(String) } };
    expect(steps).toEqual([expect.objectContaining(move)]);
    const content = entity("d", "a", "e");
    expect(inShort(await plan({ modelRef: model.ref, content }))).toContain("create entityAttribute e");
    await apply({ modelRef: model.ref, content });
    const [{ attributes }] = (await exported(model.ref)).entities;
    expect(attributes.map(({ key }: Made) => key)).toEqual(["d", "a", "b", "c", "e"]);
    expect(attributes.every(({ optional }: Body) => optional === false)).toBe(true);
  });

  test("changes nothing for a document with the roles of a relationship in another order", async () => {
    const { model } = await exampleModel(world, newKey("roles"));
    const document = await exported(model.ref);
    const relationships = document.relationships.map(({ roles, keyPairs, ...rest }: Body) => {
      const swapped = keyPairs?.map((pair: Body) => pair.toReversed());
      return { ...rest, roles: roles.toReversed(), ...(swapped && { keyPairs: swapped }) };
    });
    const content = { ...document, relationships };
    expect(await apply({ modelRef: model.ref, content })).toMatchObject({ changed: false, stepCount: 0 });
  });

  test("applies a Table Schema whose own name changes", async () => {
    const field = (name: string, type: string) => ({ name, type });
    const fields = [field("code", "string"), { name: "label", title: "Label" }];
    const { id } = (await world.ok("model/import", { content: { name: newKey("schema"), fields } })).body;
    const modelRef = `id:${id}`;
    await world.ok("model/model_update_description", { modelRef, value: "Ours." });
    const content = { name: newKey("newname"), fields: [field("code", "integer"), field("since", "date")] };
    const dry = await plan({ modelRef, content, format: "frictionless" });
    const steps = [`rename entity ${content.name}`, "create entityAttribute since", expect.stringMatching("update")];
    expect(inShort(dry)).toEqual(steps);
    await apply({ modelRef, content });
    const after = await exported(modelRef);
    expect(after.description).toBe("Ours.");
    const attributes = after.entities[0].attributes.map(({ key, name, type }: Body) => `${key} ${name} ${type}`);
    expect(attributes).toEqual(["code undefined key:integer", "label Label key:string", "since undefined key:date"]);
    expect(await apply({ modelRef, content })).toMatchObject({ changed: false });
  });

  test("links global tags that exist, and creates the others", async () => {
    const model = await aModel(world);
    const group = await aTagGroup(world);
    const tag = await aGlobalTag(world, group);
    const fresh = newKey("fresh");
    const groups = [{ key: group.key, tags: [{ key: tag.key }, { key: fresh }] }];
    const tags = [`key:${group.key}/${tag.key}`, `key:${group.key}/${fresh}`];
    const content = saying({ tags, tagGroups: groups });
    expect(await apply({ modelRef: model.ref, content })).toMatchObject({ changed: true, stepCount: 1, globalTags: 1 });
    expect((await exported(model.ref)).tags).toEqual(tags.toSorted());
    expect(await apply({ modelRef: model.ref, content })).toMatchObject({ changed: false });
  });
});

const SAFE = { verdict: "safe", reasons: [] };
const SAFE_FOR_BOTH = { readers: SAFE, writers: SAFE };

describe("a plan", () => {
  test("is the same while the model is unchanged, and names the call that it permits", async () => {
    const { model } = await exampleModel(world, newKey("planned"));
    const payload = { modelRef: model.ref, content: saying({ description: "Planned." }) };
    const first = await world.writesNothing(() => plan(payload));
    expect((await plan(payload)).plan).toBe(first.plan);
    expect(first.steps).toEqual([
      {
        ...{ does: "update", objectType: "model", ref: model.byId, before: {}, after: { description: "Planned." } },
        ...{ impact: "cosmetic", reasons: [expect.stringContaining("description: ")], ...SAFE_FOR_BOTH },
      },
    ]);
    await world.ok("model/model_update_name", { modelRef: model.ref, name: "Another" });
    const problem = await world.keepsEveryByte(() => refused({ ...payload, plan: first.plan }));
    const now = await plan(payload);
    expect(problem).toMatchObject({ code: "plan_outdated", members: { plan: now.plan } });
    expect(now.plan).not.toBe(first.plan);
    expect(await apply({ ...payload, plan: now.plan })).toMatchObject({ changed: true, plan: now.plan });
    expect((await refused({ ...payload, plan: now.plan })).code).toBe("plan_outdated");
  });

  test("lists plannedSteps steps, and counts all of them", async () => {
    const model = await aModel(world);
    const types = (count: number) => saying({ types: Array.from({ length: count }, (_, i) => ({ key: `t${i}` })) });
    for (const count of [LIMITS.plannedSteps, LIMITS.plannedSteps + 1]) {
      const dry = await plan({ modelRef: model.ref, content: types(count) });
      expect([dry.stepCount, dry.steps.length]).toEqual([count, LIMITS.plannedSteps]);
      expect([dry.breaking, dry.additive, dry.cosmetic]).toEqual([0, count, 0]);
    }
  });
});

describe("a model that does not exist", () => {
  test("is created with create, and changed by later calls", async () => {
    const modelKey = newKey("made");
    const content = saying({ name: "Made", version: "1.0.0", types: [{ key: "t" }] });
    const payload = { modelKey, create: true, content };
    const dry = await world.writesNothing(() => plan(payload));
    expect(inShort(dry)).toEqual([`create model ${modelKey}`, "create type t"]);
    expect((await plan(payload)).plan).toBe(dry.plan);
    const answer = await apply({ ...payload, plan: dry.plan });
    expect(answer).toMatchObject({ key: modelKey, revision: 1, changed: true, plan: dry.plan });
    expect(await exported(`key:${modelKey}`)).toMatchObject({ id: answer.id, name: "Made", version: "1.0.0" });
    expect(await apply(payload)).toMatchObject({ id: answer.id, changed: false, revision: 1 });
  });

  test("is never merged with another one: create refuses a model that was made from another source", async () => {
    const modelKey = newKey("mine");
    const payload = { modelKey, create: true, source: "models/mine.yaml", content: saying({ name: "Mine" }) };
    const { id } = await apply(payload);
    expect(await exported(`key:${modelKey}`)).toMatchObject({ origin: "models/mine.yaml" });
    expect(await apply({ ...payload, content: saying({ name: "Still mine" }) })).toMatchObject({ revision: 2 });
    const foreign = { ...payload, source: "other/mine.yaml", content: saying({ name: "Theirs" }) };
    const reason = "was not made from other/mine.yaml, but from models/mine.yaml. Omit create";
    expectProblem(await refused(foreign), "key_taken", reason);
    expect(await apply({ ...foreign, content: saying({ id, name: "By id" }) })).toMatchObject({ revision: 3 });
    const byOrigin = saying({ origin: "models/mine.yaml", name: "By origin" });
    expect(await apply({ ...foreign, content: byOrigin })).toMatchObject({ revision: 4 });
    expect((await refused({ ...payload, modelKey: (await aModel(world)).key })).code).toBe("key_taken");
  });

  test("is not found without create, and no other parameter replaces it", async () => {
    const content = saying({});
    expect((await refused({ modelRef: "key:nobody", content })).code).toBe("not_found");
    expectFaults(await refused({ modelKey: "nobody", content }), "/modelKey", "/create");
    expectFaults(await refused({ modelRef: "key:nobody", create: true, content }), "/create");
    expectFaults(await refused({ content }), "/modelRef", "/modelKey");
    expectFaults(await refused({ modelRef: "key:nobody" }), "/from", "/content");
  });
});

test("the permissions to apply are those to write the model, and also those to import for a new model", async () => {
  const [own, other] = [await aModel(world, newKey("mine")), await aModel(world)];
  const writer = await someoneOn(world, newKey("writer"), { role: "manager", models: "mine-*" });
  const content = saying({ description: "Theirs." });
  const applyAs = (caller: Someone, payload: object) => world.okAs(caller.token, "model/model_apply", payload);
  const refuseTo = (caller: Someone, payload: object) => world.problem("model/model_apply", payload, caller.token);
  expect((await applyAs(writer, { modelRef: own.ref, content })).body.changed).toBe(true);
  expect((await refuseTo(writer, { modelRef: other.ref, content })).code).toBe("not_found");
  await world.ok("auth/role_create", { key: "only_writes", name: "Writes" });
  await world.ok("auth/role_add_permission", { roleRef: "key:only_writes", permissionKey: "model_write" });
  const plain = await someoneOn(world, newKey("plain"), { role: "only_writes", models: "*" });
  const making = { modelKey: newKey("mine"), create: true, content };
  expect((await applyAs(plain, { modelRef: own.ref, content })).body.changed).toBe(false);
  const problem = await refuseTo(plain, making);
  expect(problem).toMatchObject({ code: "not_allowed", message: expect.stringContaining("model_import") });
  expect((await applyAs(writer, making)).body.revision).toBe(1);
  expect((await refuseTo(writer, { ...making, modelKey: newKey("foreign") })).code).toBe("not_allowed");
});

describe("a document that does not fit the model", () => {
  test("is refused where a key is taken", async () => {
    const model = await aModel(world);
    await apply({ modelRef: model.ref, content: saying({ types: [{ key: "a" }, { key: "b" }] }) });
    const { types } = await exported(model.ref);
    const content = saying({ types: [{ id: types[0].id, key: "b" }] });
    const problem = await world.keepsEveryByte(() => refused({ modelRef: model.ref, content }));
    expectProblem(problem, "key_taken", '"b"', 'renames "a"');
    expect(await apply({ modelRef: model.ref, content, prune: true })).toMatchObject({ changed: true });
    expect((await exported(model.ref)).types).toEqual([{ id: types[0].id, key: "b" }]);
  });

  test("is refused where an object that remains uses one that is removed", async () => {
    const { model } = await exampleModel(world, newKey("used"));
    const problem = await refused({ modelRef: model.ref, content: saying({ types: [] }), prune: true });
    expect(problem).toMatchObject({ code: "still_used" });
  });

  test("is refused where a relationship would have more than relationshipRoles roles", async () => {
    const { ref: modelRef } = await aModel(world);
    const content = (name: string, count: number): Body => {
      const role = (_: unknown, i: number) => ({ key: `${name}${i}`, entity: "key:e", cardinality: "one" });
      const roles = Array.from({ length: count }, role);
      return saying({ entities: [{ key: "e" }], relationships: [{ key: "r", roles }] });
    };
    await apply({ modelRef, content: content("a", LIMITS.relationshipRoles - 2) });
    expect((await refused({ modelRef, content: content("b", 3) })).code).toBe("too_large");
    expect((await apply({ modelRef, content: content("b", 2) })).stepCount).toBe(2);
  });

  test("is refused where it is not a document, with all its faults", async () => {
    const model = await aModel(world);
    const content = saying({ types: [{ key: "it's" }], entities: [{ key: "e", primaryKey: ["none"] }] });
    const problem = await world.keepsEveryByte(() => refused({ modelRef: model.ref, content }));
    expect(problem).toMatchObject({ code: "invalid_content" });
    expect(problem.members.errors?.map(({ pointer }) => pointer)).toEqual(["/entities/0/primaryKey/0"]);
  });

  test("is refused where properties violate their definitions", async () => {
    const model = await aModel(world);
    const content = saying({ properties: { licenses: "mine" } });
    expectFaults(await refused({ modelRef: model.ref, content }), "/content");
  });

  test("is refused where its format is not the stated one", async () => {
    const payload = { modelRef: (await aModel(world)).ref, content: { name: "a", fields: [{ name: "b" }] } };
    expect((await refused({ ...payload, format: "metaction" })).code).toBe("source_not_recognised");
    expect(await apply({ ...payload, format: "frictionless" })).toMatchObject({ changed: true });
  });
});
