import { afterAll, describe, expect, test } from "vitest";
import { toBlobItems } from "../../shared/store/log/blobs.ts";
import {
  ACCOUNTS,
  DELETED_MODELS,
  IDENTITY,
  jobKey,
  logKey,
  logPartition,
  objectsPartition,
  ROLES,
  stagingKey,
  TAGS,
} from "../../shared/store/table/keys.ts";
import { parseRolesItem, toRolesItem } from "../../shared/store/table/roles-item.ts";
import { FORMAT, type Item } from "../../shared/store/table/table.ts";
import { getItem, partition, putItems } from "../store/support/check-model.ts";
import { formatItem } from "../store/support/stored-items.ts";
import { readAllItems } from "../support/table.ts";
import type { Body } from "../support/world.ts";
import { deployTwoReleases, other, RELEASES, type Release } from "./support/two-releases.ts";

const two = await deployTwoReleases("present");
afterAll(() => two.stop());

const { run, call, table } = two;
const readTable = async () => (await readAllItems(two.connection)).map(formatItem).sort();

/** Makes a model with contents by the present release; returns its id. */
async function makeModel(key: string): Promise<string> {
  const { id } = await run("present", "model/model_create", { key, name: "Model" });
  const modelRef = `id:${id}`;
  for (const name of ["a", "b"]) {
    await run("present", "model/type_create", { modelRef, typeKey: name });
    await run("present", "model/entity_create", { modelRef, entityKey: name });
    const attribute = { entityRef: `key:${name}`, attributeKey: "x", type: `key:${name}`, optional: false };
    await run("present", "model/entity_attribute_create", { modelRef, ...attribute });
  }
  const roles = { roleAKey: "a", roleAEntityRef: "key:a", roleACardinality: "one", roleBKey: "b" };
  const relationship = { relationshipKey: "r", ...roles, roleBEntityRef: "key:b", roleBCardinality: "many" };
  await run("present", "model/relationship_create", { modelRef, ...relationship });
  const businessKey = { key: "k", entityRef: "key:a", participants: ["key:x"] };
  await run("present", "model/business_key_create", { modelRef, ...businessKey });
  await run("present", "tag/tag_local_create", { modelRef, key: "t" });
  return id;
}

const READS: readonly (readonly [action: string, payload?: object])[] = [
  ["model/model_get"],
  ["model/model_export"],
  ["model/model_export", { revision: 4 }],
  ["model/model_export", { version: "0.0.1" }],
  ["model/entity_list"],
  ["model/entity_attribute_list", { entityRef: "key:a" }],
  ["model/relationship_list"],
  ["model/business_key_list"],
  ["model/history_versions"],
  ["model/history_version_changes"],
];

/** Omits the source of a commit, which the earlier release does not show. */
const omitSource = (body: Body): Body =>
  body.items ? { ...body, items: body.items.map(({ source: _, ...row }: Body) => row) } : body;

/** Expects both releases to answer the same to every read of a model, in each process. */
async function expectSameAnswers(modelRef: string): Promise<Body[]> {
  const answers: Body[] = [];
  for (const [action, payload] of READS) {
    const read = async (release: Release) => omitSource(await run(release, action, { modelRef, ...payload }));
    const [first, ...others] = await Promise.all([...RELEASES, ...RELEASES].map(read));
    for (const answer of others) expect(answer).toEqual(first);
    answers.push(first);
  }
  return answers;
}

describe("a model that the present release undeleted", () => {
  test("is read by the earlier one like any other, with its ids and history, and is not damaged by its writes", async () => {
    const id = await makeModel("crm");
    const modelRef = `id:${id}`;
    const [, before] = await expectSameAnswers(modelRef);
    await run("present", "model/model_delete", { modelRef });
    for (const ref of [modelRef, "key:crm"])
      expect(await call("earlier", "model/model_get", { modelRef: ref })).toMatchObject({ status: 404 });
    expect((await run("earlier", "model/history_version_changes", { modelRef })).items.at(-1)).toMatchObject({
      change: "delete",
    });
    await run("present", "model/model_undelete", { modelRef, key: "crm2" });
    const [, after, , , , , , , , history] = await expectSameAnswers(modelRef);
    expect(after).toEqual({ ...before, key: "crm2" });
    // The earlier release shows an undelete like a model that begins with its contents.
    expect(history.items.at(-1)).toMatchObject({
      change: "create",
      kind: "model",
      id,
      actions: ["model/model_undelete"],
    });
    expect(await call("earlier", "model/model_get", { modelRef: "key:crm" })).toMatchObject({ status: 404 });
    expect(await run("earlier", "model/model_list")).toEqual(await run("present", "model/model_list"));
    const found = { filters: { items: [{ type: "text", condition: "contains", value: "crm2" }] } };
    const { items } = await run("present", "model/search", found);
    // The earlier release has no member `path`.
    expect(await run("earlier", "model/search", found)).toEqual({
      items: items.map(({ path: _, ...row }: Body) => row),
    });

    // Its check reports the entry after the deletion, and repairs nothing.
    const stored = await readTable();
    for (const mend of [false, true]) {
      const check = await run("earlier", "model/maintenance_rebuild_caches", { modelRef, mend });
      expect(check.findings).toMatchObject([{ code: "log-after-tombstone", mended: false }]);
    }
    expect(await readTable()).toEqual(stored);

    const writes: readonly (readonly [action: string, payload: object])[] = [
      ["model/entity_update_name", { entityRef: "key:a", value: "A" }],
      ["model/entity_update_key", { entityRef: "key:b", value: "c" }],
      ["model/entity_attribute_delete", { entityRef: "key:a", attributeRef: "key:x" }],
      ["model/model_update_key", { value: "crm" }],
      ["model/model_restore", { revision: 4 }],
      ["model/model_release", { value: "1.0.0" }],
      [
        "model/import",
        {
          into: modelRef,
          source: "crm.json",
          content: { $schema: after.$schema, key: "crm", types: [{ key: "new" }] },
        },
      ],
    ];
    for (const [action, payload] of writes)
      await run("earlier", action, { ...(!("into" in payload) && { modelRef }), ...payload });
    await expectSameAnswers(modelRef);
    await run("present", "model/model_undo", {
      modelRef,
      revisions: [(await run("earlier", "model/model_get", { modelRef })).revision],
    });
    await expectSameAnswers(modelRef);
    expect(await two.check(0)).toEqual([]);
  });

  test("and that the earlier one deletes again is undeleted once more; a repair adds the row of the list", async () => {
    const id = await makeModel("again");
    const modelRef = `id:${id}`;
    await run("present", "model/model_delete", { modelRef });
    await run("present", "model/model_undelete", { modelRef });
    await run("earlier", "model/model_delete", { modelRef });
    expect((await run("present", "model/deleted_list")).items).toEqual([]);
    expect(await two.check(0)).toMatchObject([{ code: "deleted-missing", key: { pk: DELETED_MODELS, sk: id } }]);
    await run("present", "model/maintenance_rebuild_caches", { modelRef, repair: true });
    expect((await run("present", "model/deleted_list")).items).toMatchObject([{ id, key: "again" }]);
    await run("present", "model/model_undelete", { modelRef });
    await expectSameAnswers(modelRef);
    expect(await two.check(0)).toEqual([]);
  });
});

test("an idempotency key is one key for both releases; in quotes it is another key for the earlier one", async () => {
  const modelRef = `id:${await makeModel("keys")}`;
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

/** An optional member of a later version, which may be a part of an object too. */
const LATER = { later: { since: ["2027"] } };
const LATER_PERMISSION = "later_permission";

describe("optional members that the earlier release does not know", () => {
  /** Adds the member to every object of a ledger, and to the log entries that created them. */
  async function addLater(ledger: string, objects: readonly Item[]) {
    const put = (item: Item) => table.write({ put: item, expect: { anything: true } });
    const extend = (object: Body): Body => ({
      ...object,
      ...LATER,
      ...(object.roles?.[0]?.key && { roles: object.roles.map(extend) }),
      // A role that the present release made has no permission.
      ...(object.permissions?.length === 0 && { permissions: [LATER_PERMISSION] }),
    });
    for (const item of objects) await put(extend(item));
    for (const entry of await partition(table, logPartition(ledger))) {
      const changes = (entry.changes as Body[]).map((change) => ({ ...change, after: extend(change.after) }));
      await put({ ...entry, changes });
    }
  }

  const readObjects = async (ledger: string) => {
    const [{ generation }] = (await partition(table, logPartition(ledger))).slice(-1) as Body[];
    return partition(table, objectsPartition(ledger, generation));
  };

  test("survive its updates, renames, grants and restores, in objects of every kind, their parts and the log", async () => {
    const id = await makeModel("later");
    const modelRef = `id:${id}`;
    await run("present", "tag/tag_group_create", { key: "g" });
    await run("present", "tag/tag_global_create", { groupRef: "key:g", key: "t" });
    await run("present", "property/definition_create", { key: "p" });
    const password = "violet harbor 1 lantern";
    const { actorId } = await run("present", "auth/user_create", { username: "grace", fullname: "Grace", password });
    const { id: roleId } = await run("present", "auth/role_create", { key: "r", name: "R" });
    await run("present", "auth/service_account_create", { key: "s", name: "S" });
    const readAccounts = async () =>
      (await partition(table, IDENTITY)).filter(({ sk }) =>
        [ACCOUNTS.user, ACCOUNTS.actor, ACCOUNTS.role].some((prefix) => sk.startsWith(prefix)),
      );
    const ledgers = [
      [id, () => readObjects(id)],
      [TAGS.model, () => readObjects(TAGS.model)],
      [IDENTITY, readAccounts],
    ] as const;
    for (const [ledger, read] of ledgers) await addLater(ledger, await read());
    const { revision } = await getItem(table, ROLES);
    const roles = parseRolesItem(await getItem(table, ROLES)).map((one) =>
      one.id === roleId ? { ...one, permissions: [LATER_PERMISSION] } : one,
    );
    await table.write({ put: toRolesItem(roles, Number(revision)), expect: { anything: true } });

    const relationship = { relationshipRef: "key:r" };
    const role = { ...relationship, relationshipRoleRef: "key:a" };
    const attribute = { entityRef: "key:a", attributeRef: "key:x" };
    const writes: readonly (readonly [action: string, payload: object])[] = [
      ["model/model_update_name", { name: "New" }],
      ["model/type_update_name", { typeRef: "key:a", value: "New" }],
      ["model/type_update_key", { typeRef: "key:b", value: "c" }],
      ["model/entity_update_name", { entityRef: "key:a", value: "New" }],
      ["model/entity_update_key", { entityRef: "key:b", value: "c" }],
      ["model/entity_primary_key_update", { entityRef: "key:a", attributeRef: ["key:x"] }],
      ["model/entity_attribute_update_name", { ...attribute, value: "New" }],
      ["model/entity_attribute_update_key", { ...attribute, value: "y" }],
      ["model/relationship_update_name", { ...relationship, value: "New" }],
      ["model/relationship_role_update_name", { ...role, value: "New" }],
      ["model/business_key_update_name", { businessKeyRef: "key:k", value: "New" }],
      ["tag/tag_local_update_key", { tagRef: "key:t", value: "u" }],
      ["model/model_update_key", { value: "later2" }],
      // A publication, which writes every object again.
      ["model/model_restore", { revision: 10 }],
    ];
    for (const [action, payload] of writes) await run("earlier", action, { modelRef, ...payload });
    const others: readonly (readonly [action: string, payload: object])[] = [
      ["tag/tag_group_update_name", { tagGroupRef: "key:g", value: "New" }],
      ["tag/tag_global_update_name", { tagRef: "key:g/t", value: "New" }],
      ["property/definition_update_name", { definitionRef: "key:p", value: "New" }],
      ["auth/user_change_fullname", { username: "grace", fullname: "New" }],
      ["auth/user_disable", { username: "grace" }],
      ["auth/user_enable", { username: "grace" }],
      ["auth/actor_add_role", { actorId, roleRef: "key:reader" }],
      ["auth/role_update_name", { roleRef: "key:r", value: "New" }],
      ["auth/role_add_permission", { roleRef: "key:r", permissionKey: "model_read" }],
      ["auth/role_create", { key: "other", name: "Other" }],
      ["auth/service_account_update", { serviceAccountRef: "key:s", name: "New" }],
    ];
    for (const [action, payload] of others) await run("earlier", action, payload);

    for (const [, read] of ledgers) {
      for (const item of await read()) {
        if (item.key === "other") continue;
        expect(item).toMatchObject(LATER);
        if (item.sk.startsWith("relationship#"))
          for (const part of item.roles as Body[]) expect(part).toMatchObject(LATER);
      }
    }
    expect(parseRolesItem(await table.get(ROLES)).find((one) => one.id === roleId)).toMatchObject({
      permissions: [LATER_PERMISSION, "model_read"],
    });
    expect(await two.check(0)).toEqual([]);
  });
});

describe("items of a later version", () => {
  /** Does some work while an item is of a later version, which must change nothing. */
  async function withNewer(item: Item, work: () => Promise<void>) {
    const before = await table.get(item);
    await table.write({ put: { ...item, v: FORMAT + 1 }, expect: { anything: true } });
    const stored = await readTable();
    await work();
    expect(await readTable()).toEqual(stored);
    await table.write({ ...(before ? { put: before } : { delete: item }), expect: { anything: true } });
  }

  const EXPECTED = { status: 503, headers: { "retry-after": "5" }, body: { code: "newer_format", retryable: true } };
  const ENDED = "the function ended with newer_format";

  test("are refused by every function of the present release, which writes nothing; the earlier one has no such gate", async () => {
    const id = await makeModel("newer");
    const modelRef = `id:${id}`;
    const head = await getItem(table, logKey(id, 10));
    await withNewer({ ...head, ...logKey(id, 11), operation: "later", request: "later" }, async () => {
      expect(await call("present", "model/type_list", { modelRef })).toMatchObject(EXPECTED);
      const create = { modelRef, typeKey: "new" };
      for (const headers of [{}, { "idempotency-key": "k" }, { "dry-run": "true" }])
        expect(await call("present", "model/type_create", create, headers)).toMatchObject(EXPECTED);
      // It must be gone before anything writes a later format.
      expect(await call("earlier", "model/type_list", { modelRef })).toMatchObject({ status: 200 });
    });
    await withNewer(await getItem(table, ROLES), async () => {
      for (const action of ["auth/whoami", "model/model_list", "batch/job_list"])
        expect(await call("present", action)).toMatchObject(EXPECTED);
    });
    await withNewer({ ...jobKey("j"), v: FORMAT, state: "accepted", epoch: 0, leaseUntil: 0 }, async () => {
      await expect(two.start("present", "worker").invoke({ job: "j" })).rejects.toThrow(ENDED);
      await expect(two.start("present", "sweeper").invoke({})).rejects.toThrow(ENDED);
      expect(two.invoked).toEqual([]);
    });
    const staging = { ...stagingKey("g"), v: FORMAT, model: id, state: "open", epoch: 1, since: head.time };
    await withNewer(staging, async () => {
      await expect(two.start("present", "sweeper", 3_600_000).invoke({})).rejects.toThrow(ENDED);
    });
    expect(await two.check(0)).toEqual([]);
  });
});
