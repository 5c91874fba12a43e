import { afterAll, expect, test } from "vitest";
import { readBlob, toBlobItems } from "../../shared/store/log/blobs.ts";
import * as keys from "../../shared/store/table/keys.ts";
import { parseRolesItem, toRolesItem } from "../../shared/store/table/roles-item.ts";
import { FORMAT, type Item } from "../../shared/store/table/table.ts";
import { getItem, partition, putItems } from "../store/support/check-model.ts";
import { sceneDocument } from "../store/support/scene.ts";
import { formatItem } from "../store/support/stored-items.ts";
import { readAllItems } from "../support/table.ts";
import type { Body } from "../support/world.ts";
import { omitLater } from "./support/acknowledged.ts";
import { deployTwoReleases, other, RELEASES, type Release } from "./support/two-releases.ts";

const { logKey, jobKey, stagingKey, ROLES, IDENTITY, ACCOUNTS } = keys;
const two = await deployTwoReleases("present");
afterAll(() => two.stop());

const { run, call, table } = two;
const readTable = async () => (await readAllItems(two.connection)).map(formatItem).sort();

const importScene = async (key: string): Promise<string> =>
  (await run("present", "model/import", { content: sceneDocument(key) })).id;

type Calls = readonly (readonly [action: string, payload?: object])[];

async function runAll(calls: Calls, common: object = {}) {
  for (const [action, payload] of calls) await run("earlier", action, { ...common, ...payload });
}

const READS: Calls = [
  ["model/model_get"],
  ["model/model_export"],
  ["model/history_version_changes"],
  ["model/history_versions"],
  ["model/model_export", { revision: 1 }],
  ["model/model_export", { version: "0.0.1" }],
  ["model/entity_attribute_list", { entityRef: "key:customer" }],
  ["model/relationship_list"],
  ["model/business_key_list"],
];

/** Expects both releases to answer the same to every read of a model, in each process. */
async function expectSameAnswers(modelRef: string): Promise<Body[]> {
  const answers: Body[] = [];
  for (const [action, payload] of READS) {
    const read = async (release: Release) => {
      const body = await run(release, action, { modelRef, ...payload });
      return body.items?.map(omitLater) ?? body;
    };
    const [first, ...others] = await Promise.all([...RELEASES, ...RELEASES].map(read));
    for (const answer of others) expect(answer).toEqual(first);
    answers.push(first);
  }
  return answers;
}

test("the earlier release reads an undeleted model like any other, with its ids and history, and does not damage it", async () => {
  const id = await importScene("crm");
  const modelRef = `id:${id}`;
  const [, before] = await expectSameAnswers(modelRef);
  await run("present", "model/model_delete", { modelRef });
  for (const ref of [modelRef, "key:crm"])
    expect(await call("earlier", "model/model_get", { modelRef: ref })).toMatchObject({ status: 404 });
  const past = await run("earlier", "model/history_version_changes", { modelRef });
  expect(past.items.at(-1)).toMatchObject({ change: "delete", kind: "model" });
  await run("present", "model/model_undelete", { modelRef, key: "crm2" });
  const [, after, history] = await expectSameAnswers(modelRef);
  expect(after).toEqual({ ...before, key: "crm2" });
  // The earlier release shows an undelete like a model that begins with its contents.
  const undelete = { change: "create", kind: "model", id, actions: ["model/model_undelete"] };
  expect(history.at(-1)).toMatchObject(undelete);
  expect(await call("earlier", "model/model_get", { modelRef: "key:crm" })).toMatchObject({ status: 404 });
  expect(await run("earlier", "model/model_list")).toEqual(await run("present", "model/model_list"));
  const filters = { items: [{ type: "text", condition: "contains", value: "crm2" }] };
  expect((await run("earlier", "model/search", { filters })).items).toMatchObject([{ location: { modelKey: "crm2" } }]);

  // Its check reports the entry after the deletion, and repairs nothing.
  const stored = await readTable();
  for (const mend of [false, true]) {
    const check = await run("earlier", "model/maintenance_rebuild_caches", { modelRef, mend });
    expect(check.findings).toMatchObject([{ code: "log-after-tombstone", mended: false }]);
  }
  expect(await readTable()).toEqual(stored);

  const content = { ...sceneDocument("crm"), types: [{ key: "integer" }, { key: "string" }, { key: "new" }] };
  const writes: Calls = [
    ["model/entity_update_name", { entityRef: "key:customer", value: "A" }],
    ["model/entity_update_key", { entityRef: "key:order", value: "purchase" }],
    ["model/entity_delete", { entityRef: "key:empty" }],
    ["model/model_update_key", { value: "crm" }],
    ["model/model_restore", { revision: 1 }],
    ["model/model_release", { value: "1.0.0" }],
  ];
  await runAll(writes, { modelRef });
  await runAll([["model/import", { into: modelRef, source: "crm.json", content }]]);
  await expectSameAnswers(modelRef);
  const { revision } = await run("earlier", "model/model_get", { modelRef });
  await run("present", "model/model_undo", { modelRef, revisions: [revision] });
  await expectSameAnswers(modelRef);

  // A model that it deletes is missing in the list of deleted models until a repair.
  await run("earlier", "model/model_delete", { modelRef });
  expect((await run("present", "model/deleted_list")).items).toEqual([]);
  await run("present", "model/maintenance_rebuild_caches", { modelRef, repair: true });
  expect((await run("present", "model/deleted_list")).items).toMatchObject([{ id, key: "crm" }]);
  await run("present", "model/model_undelete", { modelRef });
  await expectSameAnswers(modelRef);
  expect(await two.check(0)).toEqual([]);
});

test("an idempotency key is one key for both releases; in quotes it is another key for the earlier one", async () => {
  const modelRef = `id:${await importScene("keys")}`;
  const create = async (release: Release, typeKey: string, key: string) => {
    const reply = await call(release, "model/type_create", { modelRef, typeKey }, { "idempotency-key": key });
    return [reply.status, reply.headers["idempotency-replayed"]];
  };
  for (const release of RELEASES) {
    expect(await create(release, release, release)).toEqual([200, undefined]);
    expect(await create(other(release), release, release)).toEqual([200, "true"]);
    expect(await create(other(release), "z", release)).toEqual([422, undefined]);
  }
  expect(await create("earlier", "quoted", '"q"')).toEqual([200, undefined]);
  expect(await create("present", "quoted", '"q"')).toEqual([409, undefined]);
});

test("a job of an action that the earlier release does not have fails in its worker", async () => {
  const id = "01890a5d-ac96-774b-bcce-b302099a8057";
  const [{ id: actorId = "", ...actor }] = (await run("present", "auth/actor_list")).items;
  const order = { payload: { path: [], input: {} }, channel: "http", requestId: "r", principal: { actorId, ...actor } };
  const job = {
    action: "model/model_undelete",
    actor: actorId,
    state: "accepted",
    accepted: actor.createdAt,
    epoch: 0,
  };
  const item = { ...jobKey(id), v: FORMAT, ...job, leaseUntil: 0, progress: { done: 0, total: 1 } };
  await putItems(table, [item, ...toBlobItems(id, order)]);
  expect(await two.start("earlier", "worker").invoke({ job: id })).toBe("failed");
  const problem = { code: "unknown_action" };
  expect(await run("present", "batch/job_get", { jobRef: `id:${id}` })).toMatchObject({ state: "failed", problem });
});

/** An optional member and a permission of a later version. */
const LATER = { later: { since: ["2027"] } };
const LATER_PERMISSION = "later_permission";

/** Adds them to objects and to the log entries that made the objects. */
async function addLater(ledger: string, objects: readonly Item[]) {
  const extend = (object: Body): Body => ({
    ...{ ...object, ...LATER },
    ...(object.roles?.[0]?.key && { roles: object.roles.map(extend) }),
    // A role that was made without permissions.
    ...(object.permissions?.length === 0 && { permissions: [LATER_PERMISSION] }),
  });
  await putItems(table, objects.map(extend));
  for (const { changes, snapshot, ...entry } of (await partition(table, keys.logPartition(ledger))) as Body[]) {
    const extended = changes?.map((change: Body) => ({ ...change, after: extend(change.after) }));
    if (extended) await putItems(table, [{ ...entry, changes: extended }]);
    else await putItems(table, toBlobItems(snapshot, ((await readBlob(table, snapshot)) as Body[]).map(extend)));
  }
}

test("optional members of a later version survive the writes of the earlier one, in objects of every kind, their parts and the log", async () => {
  const id = await importScene("later");
  await run("present", "tag/tag_group_create", { key: "g" });
  await run("present", "tag/tag_global_create", { groupRef: "key:g", key: "t" });
  await run("present", "property/definition_create", { key: "p" });
  const user = { username: "grace", fullname: "Grace", password: "violet harbor 1 lantern" };
  const { actorId } = await run("present", "auth/user_create", user);
  const { id: roleId } = await run("present", "auth/role_create", { key: "r", name: "R" });
  await run("present", "auth/service_account_create", { key: "s", name: "S" });
  const readObjects = async (ledger: string) => {
    const [head] = (await partition(table, keys.logPartition(ledger))).slice(-1);
    const items = await partition(table, keys.objectsPartition(ledger, String(head?.generation)));
    const prefixes = [ACCOUNTS.user, ACCOUNTS.actor, ACCOUNTS.role];
    return items.filter(({ pk, sk }) => pk !== IDENTITY || prefixes.some((prefix) => sk.startsWith(prefix)));
  };
  const ledgers = [id, keys.TAGS.model, IDENTITY];
  for (const ledger of ledgers) await addLater(ledger, await readObjects(ledger));
  const rolesItem = await getItem(table, ROLES);
  const roles = parseRolesItem(rolesItem).map((one) =>
    one.id === roleId ? { ...one, permissions: [LATER_PERMISSION] } : one,
  );
  await putItems(table, [toRolesItem(roles, Number(rolesItem.revision))]);

  const attribute = { entityRef: "key:customer", attributeRef: "key:code" };
  const places = { relationshipRef: "key:places" };
  const writes: Calls = [
    ["model/model_update_name", { name: "New" }],
    ["model/type_update_name", { typeRef: "key:string", value: "New" }],
    ["model/type_update_key", { typeRef: "key:unused", value: "used" }],
    ["model/entity_update_name", { entityRef: "key:customer", value: "New" }],
    ["model/entity_update_key", { entityRef: "key:order", value: "purchase" }],
    ["model/entity_attribute_update_name", { ...attribute, value: "New" }],
    ["model/entity_attribute_update_key", { ...attribute, value: "number" }],
    ["model/relationship_update_name", { ...places, value: "New" }],
    ["model/relationship_role_update_name", { ...places, relationshipRoleRef: "key:buyer", value: "New" }],
    ["model/business_key_update_name", { businessKeyRef: "key:customer_code", value: "New" }],
    ["tag/tag_local_update_key", { tagRef: "key:draft", value: "u" }],
    // A publication, which writes every object again.
    ["model/model_restore", { revision: 1 }],
    ["model/model_update_key", { value: "later2" }],
  ];
  await runAll(writes, { modelRef: `id:${id}` });
  const others: Calls = [
    ["tag/tag_group_update_name", { tagGroupRef: "key:g", value: "New" }],
    ["tag/tag_global_update_name", { tagRef: "key:g/t", value: "New" }],
    ["property/definition_update_name", { definitionRef: "key:p", value: "New" }],
    ["auth/user_change_fullname", { username: "grace", fullname: "New" }],
    ["auth/user_disable", { username: "grace" }],
    ["auth/actor_add_role", { actorId, roleRef: "key:reader" }],
    ["auth/role_update_name", { roleRef: "key:r", value: "New" }],
    ["auth/role_add_permission", { roleRef: "key:r", permissionKey: "model_read" }],
    ["auth/service_account_update", { serviceAccountRef: "key:s", name: "New" }],
  ];
  await runAll(others);
  for (const object of (await Promise.all(ledgers.map(readObjects))).flat() as Body[])
    for (const part of [object, ...(object.sk.startsWith("relationship#") ? object.roles : [])])
      expect(part).toMatchObject(LATER);
  const role = parseRolesItem(await getItem(table, ROLES)).find((one) => one.id === roleId);
  expect(role).toMatchObject({ permissions: [LATER_PERMISSION, "model_read"] });
  expect(await two.check(0)).toEqual([]);
});

/** Does some work while an item is of a later version, which must change nothing. */
async function withNewer(item: Item, work: () => Promise<void>) {
  const before = await table.get(item);
  await putItems(table, [{ ...item, v: FORMAT + 1 }]);
  const stored = await readTable();
  await work();
  expect(await readTable()).toEqual(stored);
  await table.write({ ...(before ? { put: before } : { delete: item }), expect: { anything: true } });
}

test("every function of the present release refuses items of a later version and writes nothing; the earlier one has no such gate", async () => {
  const id = await importScene("newer");
  const modelRef = `id:${id}`;
  const refused = { status: 503, headers: { "retry-after": "5" }, body: { code: "newer_format", retryable: true } };
  const ended = "the function ended with newer_format";
  const head = await getItem(table, logKey(id, 1));
  await withNewer({ ...head, ...logKey(id, 2), operation: "later", request: "later" }, async () => {
    expect(await call("present", "model/type_list", { modelRef })).toMatchObject(refused);
    for (const headers of [{}, { "idempotency-key": "k" }, { "dry-run": "true" }])
      expect(await call("present", "model/type_create", { modelRef, typeKey: "new" }, headers)).toMatchObject(refused);
    // It must be gone before anything writes a later format.
    expect(await call("earlier", "model/type_list", { modelRef })).toMatchObject({ status: 200 });
  });
  await withNewer(await getItem(table, ROLES), async () => {
    for (const action of ["auth/whoami", "model/model_list", "batch/job_list"])
      expect(await call("present", action)).toMatchObject(refused);
  });
  await withNewer({ ...jobKey("j"), v: FORMAT, state: "accepted", epoch: 0, leaseUntil: 0 }, async () => {
    await expect(two.start("present", "worker").invoke({ job: "j" })).rejects.toThrow(ended);
    await expect(two.start("present", "sweeper").invoke({})).rejects.toThrow(ended);
    expect(two.invoked).toEqual([]);
  });
  await withNewer({ ...stagingKey("g"), v: FORMAT, model: id, state: "open", since: head.time }, async () => {
    await expect(two.start("present", "sweeper").invoke({})).rejects.toThrow(ended);
  });
  expect(await two.check(0)).toEqual([]);
});
