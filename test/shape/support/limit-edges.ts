import { expect } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import { parseControls } from "../../../shared/http/read-call.ts";
import { mintToken } from "../../../shared/identity/tokens/mint-token.ts";
import { countItemBytes } from "../../../shared/store/table/dynamo-rules.ts";
import { checkObjectSize } from "../../../shared/store/table/items.ts";
import { Contention, FORMAT, type Item, type Table } from "../../../shared/store/table/table.ts";
import { type CheckedWorld, expectFaults, expectProblem, NO_ID, newKey } from "../../actions/support/checked-world.ts";
import { firstStart } from "../../actions/support/first-start.ts";
import { aModel, anEntity, aRelationship, aType, inBatch } from "../../actions/support/models.ts";
import { ISSUER } from "../../support/issuer.ts";
import { runtimeAt } from "../../support/runtime.ts";
import { freshTable } from "../../support/table.ts";
import { codeOf, createWorld, type World } from "../../support/world.ts";
import { CONSTRAINT_EDGES, type Edge, PROPERTY_EDGES } from "./field-edges.ts";

const START = "2030-01-01T00:00:00Z";

/** Creates two calls: one at a limit, and one above it that is refused with the pointer. */
const ofCall =
  (action: string, makePayload: (size: number) => object, limit: number, pointer: string): Edge =>
  async (world) => {
    await world.ok(action, makePayload(limit));
    expectFaults(await world.refused(action, makePayload(limit + 1)), pointer);
  };

const ofModel = (parameter: string, makeText: (size: number) => string, limit: number): Edge => {
  const create = (size: number) => ({ key: newKey(), name: "M", [parameter]: makeText(size) });
  return ofCall("model/model_create", create, limit, `/${parameter}`);
};

const ASKED = { actions: ["auth/whoami"], models: ["key:crm"] };

const ADA = { username: "ada", fullname: "Ada", password: "Correct horse 1", secret: "twenty characters it" };

/** The bootstrap with one parameter at a limit, and with a length that is refused. */
const ofBootstrap =
  (parameter: string, makeText: (size: number) => string, limit: number, refused = limit + 1): Edge =>
  async () => {
    const service = await firstStart(ADA.secret);
    const over = await service.problem("auth/admin_bootstrap", { ...ADA, [parameter]: makeText(refused) });
    expect(over).toMatchObject({ code: "bad_parameters" });
    const at = await service.run("auth/admin_bootstrap", { ...ADA, [parameter]: makeText(limit) });
    expect(at).toHaveProperty("access_token");
  };

const ofCan = (list: keyof typeof ASKED, limit: number): Edge =>
  ofCall("auth/can", (size) => ({ ...ASKED, [list]: Array(size).fill(ASKED[list][0]) }), limit, `/${list}`);

const urlOf = (characters: number) => "https://e.com/".padEnd(characters, "x");

/** A token of the world's administrator with other facts; its clock is `runtime`. */
async function tokenFor(world: World, runtime = world.service.runtime, changed: object = {}): Promise<string> {
  const bearer = { username: "admin", fullname: "The admin", tokenEpoch: 1, ...changed };
  const terms = { keys: world.keys, issuer: ISSUER, audience: "metaction", runtime };
  return (await mintToken(bearer, terms)).access_token;
}

const keyPatternCharacters: Edge = async (world) => {
  const { items } = await world.read("auth/actor_list");
  const give = { actorId: items[0].id, roleRef: "key:reader" };
  await world.ok("auth/actor_add_role", { ...give, models: "m".repeat(LIMITS.keyPatternCharacters) });
  const over = { ...give, models: "m".repeat(LIMITS.keyPatternCharacters + 1) };
  expectFaults(await world.refused("auth/actor_add_role", over), "/models");
};

/** A batch of as many entries as may be; none of them runs, because the action they name does not exist. */
const batchEntries: Edge = async (world) => {
  const batch = (entries: number) => ({ actions: Array(entries).fill({ group: "model", action: "none" }) });
  const { code } = await world.refused("batch/batch_run", batch(LIMITS.batchEntries));
  expect(code).toBe("unknown_action");
  const problem = await world.refused("batch/batch_run", batch(LIMITS.batchEntries + 1));
  expectFaults(problem, "/actions");
  expect(problem.members.errors?.[0]?.detail).toContain(String(LIMITS.batchEntries));
};

const batchPastReads: Edge = async (world) => {
  const model = await aModel(world);
  const history = { group: "model", action: "history_versions", payload: { modelRef: model.ref } };
  const batch = (entries: number) => ({ actions: Array(entries).fill(history) });
  await world.ok("batch/batch_run", batch(LIMITS.batchPastReads));
  const { code, members } = await world.refused("batch/batch_run", batch(LIMITS.batchPastReads + 1));
  expect([code, members.entry]).toEqual(["result_too_large", LIMITS.batchPastReads + 1]);
};

/** Creates a model with an entity, and returns the refs of so many attributes of the entity too. */
async function createAttributes(world: CheckedWorld, count: number) {
  const model = await aModel(world);
  const [entity, type] = [await anEntity(world, model), await aType(world, model)];
  const payload = { modelRef: model.ref, entityRef: entity.ref, type: type.ref, optional: true };
  const keys = Array.from({ length: count }, () => newKey("attribute"));
  const made = await inBatch(
    world,
    keys.map((attributeKey) => ["model/entity_attribute_create", { ...payload, attributeKey }]),
  );
  return { model, entity, refs: made.map(({ ref }) => ref) };
}

const primaryKeyAttributes: Edge = async (world) => {
  const { model, entity, refs } = await createAttributes(world, LIMITS.primaryKeyAttributes + 1);
  const payload = { modelRef: model.ref, entityRef: entity.ref };
  const problem = await world.refused("model/entity_primary_key_update", { ...payload, attributeRef: refs });
  expectFaults(problem, "/attributeRef");
  await world.ok("model/entity_primary_key_update", { ...payload, attributeRef: refs.slice(1) });
};

const ofSearch = (type: string, condition: string, makeValue: (size: number) => unknown, limit: number): Edge => {
  const search = (size: number) => ({ filters: { items: [{ type, condition, value: makeValue(size) }] } });
  return ofCall("model/search", search, limit, "/filters/items/0/value");
};

const relationshipRoles: Edge = async (world) => {
  const model = await aModel(world);
  const entity = await anEntity(world, model);
  const relationship = await aRelationship(world, { model, a: entity, b: entity });
  const payload = { modelRef: model.ref, relationshipRef: relationship.ref, roleEntityRef: entity.ref };
  const role = (i: number) => ({ ...payload, roleKey: `role ${i}`, roleCardinality: "many" });
  // Two of them are there from the beginning.
  const most = Array.from({ length: LIMITS.relationshipRoles - 2 }, (_, i) => i + 3);
  await inBatch(
    world,
    most.map((i) => ["model/relationship_role_create", role(i)]),
  );
  const problem = await world.refused("model/relationship_role_create", role(LIMITS.relationshipRoles + 1));
  expectProblem(problem, "too_large", String(LIMITS.relationshipRoles));
};

const businessKeyParticipants: Edge = async (world) => {
  const { model, entity, refs } = await createAttributes(world, LIMITS.businessKeyParticipants + 1);
  const payload = { modelRef: model.ref, entityRef: entity.ref, key: newKey() };
  const problem = await world.refused("model/business_key_create", { ...payload, participants: refs });
  expectFaults(problem, "/participants");
  await world.ok("model/business_key_create", { ...payload, participants: refs.slice(1) });
  const update = { modelRef: model.ref, businessKeyRef: `key:${payload.key}` };
  expectFaults(await world.refused("model/business_key_update_participants", { ...update, value: refs }), "/value");
  await world.ok("model/business_key_update_participants", { ...update, value: refs.slice(0, -1) });
};

const keyPairs: Edge = async (world) => {
  const { model, entity, refs } = await createAttributes(world, LIMITS.keyPairs + 1);
  const relationship = await aRelationship(world, { model, a: entity, b: entity });
  const pairs = refs.map((ref) => [ref, ref]);
  const update = { modelRef: model.ref, relationshipRef: relationship.ref };
  expectFaults(await world.refused("model/relationship_update_key_pairs", { ...update, value: pairs }), "/value");
  await world.ok("model/relationship_update_key_pairs", { ...update, value: pairs.slice(1) });
};

const listedFaults: Edge = async (world) => {
  const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`unknown${i}`, 1]));
  const whole = { key: newKey(), name: "M" };
  for (const count of [LIMITS.listedFaults - 1, LIMITS.listedFaults, LIMITS.listedFaults + 1]) {
    const problem = await world.refused("model/model_create", { ...whole, ...unknown(count) });
    expect(problem.members.errors).toHaveLength(Math.min(count, LIMITS.listedFaults));
  }
};

const tokenBytes: Edge = async (world) => {
  const lengths = async (padding: number) => {
    const token = await tokenFor(world, world.service.runtime, { fullname: "x".repeat(padding) });
    return { token, length: token.length };
  };
  // Three characters of a name are four of a token.
  const base = (await lengths(0)).length;
  const padding = Math.floor(((LIMITS.tokenBytes - base) * 3) / 4) - 2;
  let last = await lengths(padding);
  for (let more = 1; more < 8; more++) {
    const next = await lengths(padding + more);
    if (next.length > LIMITS.tokenBytes) {
      expect(last.length).toBeGreaterThan(LIMITS.tokenBytes - 3);
      expect(await codeOf(world.answer("auth/whoami", {}, last.token))).toBe("none");
      expect(await codeOf(world.answer("auth/whoami", {}, next.token))).toBe("not_signed_in");
      return;
    }
    last = next;
  }
  throw new Error("no token came over the limit");
};

const tokenSeconds: Edge = async () => {
  const runtime = runtimeAt(START);
  const world = await createWorld({ runtime });
  runtime.advance((LIMITS.tokenSeconds - 1) * 1_000);
  expect(await codeOf(world.answer("auth/whoami"))).toBe("none");
  runtime.advance(2_000);
  expect(await codeOf(world.answer("auth/whoami"))).toBe("not_signed_in");
};

const tokenSkewSeconds: Edge = async () => {
  const world = await createWorld({ runtime: runtimeAt(START) });
  const ahead = (seconds: number) => {
    const clock = runtimeAt(START);
    clock.advance(seconds * 1_000);
    return tokenFor(world, clock);
  };
  const { tokenSkewSeconds: skew } = LIMITS;
  expect(await codeOf(world.answer("auth/whoami", {}, await ahead(skew)))).toBe("none");
  expect(await codeOf(world.answer("auth/whoami", {}, await ahead(skew + 1)))).toBe("not_signed_in");
};

const subjectCharacters: Edge = async (world) => {
  const { identity } = world.service.ports(world.service.runtime.now() + 10_000);
  const verified = async (characters: number) =>
    identity.verify(await tokenFor(world, world.service.runtime, { username: "s".repeat(characters) }));
  expect(await verified(LIMITS.subjectCharacters)).toHaveProperty("subject");
  await expect(verified(LIMITS.subjectCharacters + 1)).rejects.toMatchObject({ code: "not_signed_in" });
};

const idempotencyHours: Edge = async () => {
  const runtime = runtimeAt(START);
  const world = await createWorld({ runtime });
  const call = async (key: string) => {
    const control = { idempotencyKey: "the-same" };
    return world.answer("model/model_create", { key, name: "M" }, await tokenFor(world), control);
  };
  await call("first");
  runtime.advance(LIMITS.idempotencyHours * 3_600_000 - 1_000);
  expect(await call("first")).toMatchObject({ replayed: true });
  expect(await codeOf(call("second"))).toBe("idempotency_key_reused");
  runtime.advance(2_000);
  expect(await call("second")).toMatchObject({ body: { key: "second", changed: true } });
};

const contentionMs: Edge = async () => {
  const clock = runtimeAt(START);
  const opened = await freshTable();
  let busy = false;
  const table: Table = {
    ...opened,
    transactWrite: (writes) => (busy ? Promise.reject(new Contention(false)) : opened.transactWrite(writes)),
  };
  const world = await createWorld({ table, runtime: { ...clock, sleep: async (ms) => clock.advance(ms) } });
  await world.run("model/model_create", { key: "m", name: "M" });
  busy = true;
  const before = clock.now();
  expect(await codeOf(world.answer("model/type_create", { modelRef: "key:m", typeKey: "t" }))).toBe("contention");
  const waited = clock.now() - before;
  expect(waited).toBeGreaterThanOrEqual(LIMITS.contentionMs);
  expect(waited).toBeLessThan(LIMITS.contentionMs + 2_000);
};

const jsonDepth: Edge = async (world) => {
  const nested = (depth: number): object => JSON.parse(`${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`);
  const content = (depth: number) => ({ fields: [{ name: "f" }], custom: nested(depth) });
  // The body and the content in it are one level each.
  await world.ok("model/import", { content: content(LIMITS.jsonDepth - 2), modelKey: newKey() });
  const problem = await world.refused("model/import", { content: content(LIMITS.jsonDepth - 1), modelKey: newKey() });
  expect(problem).toBeInstanceOf(Problem);
  expect(problem.message).toContain(String(LIMITS.jsonDepth));
};

const idempotencyKeyCharacters: Edge = async () => {
  const read = (characters: number) =>
    parseControls({ "idempotency-key": "k".repeat(characters) }, { asRows: false, takesGzip: false });
  expect(read(LIMITS.idempotencyKeyCharacters).idempotencyKey).toHaveLength(LIMITS.idempotencyKeyCharacters);
  expect(() => read(LIMITS.idempotencyKeyCharacters + 1)).toThrow(Problem);
};

/** Every text at its own limit leaves an object below this one, so only the guard itself can be tried. */
const objectBytes: Edge = async () => {
  const item = (text: string): Item => ({ pk: "model", sk: "model", v: FORMAT, text });
  const room = LIMITS.objectBytes - countItemBytes(item(""));
  expect(() => checkObjectSize(item("x".repeat(room)))).not.toThrow();
  expect(() => checkObjectSize(item("x".repeat(room + 1)))).toThrow(Problem);
};

/** The limits that a call of `dispatch` can run into, and two guards that are functions of their own. */
export const EDGES: Readonly<Record<string, Edge>> = {
  ...PROPERTY_EDGES,
  keyPatternCharacters,
  askedActions: ofCan("actions", LIMITS.askedActions),
  askedModels: ofCan("models", LIMITS.askedModels),
  keyCharacters: ofCall("model/model_create", (n) => ({ key: "k".repeat(n), name: "M" }), LIMITS.keyCharacters, "/key"),
  nameCharacters: ofModel("name", (n) => "n".repeat(n), LIMITS.nameCharacters),
  descriptionBytes: ofModel("description", (n) => "é".repeat(n / 2) + "d".repeat(n % 2), LIMITS.descriptionBytes),
  versionCharacters: ofModel("version", (n) => "1.0.0-".padEnd(n, "v"), LIMITS.versionCharacters),
  ...CONSTRAINT_EDGES,
  urlCharacters: async (world) => {
    const { ref: modelRef } = await aModel(world);
    await world.ok("model/model_update_documentation_link", { modelRef, value: urlOf(LIMITS.urlCharacters) });
    const value = urlOf(LIMITS.urlCharacters + 1);
    expectFaults(await world.refused("model/model_update_documentation_link", { modelRef, value }), "/value");
  },
  batchEntries,
  batchPastReads,
  primaryKeyAttributes,
  businessKeyParticipants,
  relationshipRoles,
  keyPairs,
  searchFilters: ofCall(
    "model/search",
    (n) => ({ filters: { items: Array(n).fill({ type: "tags", condition: "empty" }) } }),
    LIMITS.searchFilters,
    "/filters/items",
  ),
  searchTags: ofSearch("tags", "noneOf", (n) => Array(n).fill(`id:${NO_ID}`), LIMITS.searchTags),
  searchCharacters: ofSearch("text", "contains", (n) => "x".repeat(n), LIMITS.searchCharacters),
  pageRows: ofCall("model/model_list", (limit) => ({ limit }), LIMITS.pageRows, "/limit"),
  listedFaults,
  jsonDepth,
  usernameCharacters: ofBootstrap("username", (n) => "a".repeat(n), LIMITS.usernameCharacters),
  loginNameCharacters: async () => {
    const service = await firstStart();
    const login = (characters: number) =>
      service.problem("auth/login", { username: "a".repeat(characters), password: "Correct horse 1" });
    expect((await login(LIMITS.loginNameCharacters)).code).toBe("not_signed_in");
    expectFaults(await login(LIMITS.loginNameCharacters + 1), "/username");
  },
  fullnameCharacters: ofBootstrap("fullname", (n) => "a".repeat(n), LIMITS.fullnameCharacters),
  passwordCharacters: ofBootstrap("password", (n) => "Correct horse1".slice(0, n), 14, 13),
  passwordBytes: ofBootstrap("password", (n) => "Aa1-".padEnd(n, "x"), LIMITS.passwordBytes),
  bootstrapSecretCharacters: async () => {
    const short = "s".repeat(LIMITS.bootstrapSecretCharacters - 1);
    const refused = await (await firstStart(short)).problem("auth/admin_bootstrap", { ...ADA, secret: short });
    expect(refused.code).toBe("not_allowed");
    const service = await firstStart(`${short}s`);
    expect(await service.run("auth/admin_bootstrap", { ...ADA, secret: `${short}s` })).toHaveProperty("access_token");
  },
  tokenBytes,
  tokenSeconds,
  tokenSkewSeconds,
  subjectCharacters,
  idempotencyHours,
  contentionMs,
  idempotencyKeyCharacters,
  objectBytes,
};
