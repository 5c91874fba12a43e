import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { hashRoleKey } from "../../../shared/domain/accounts/actors.ts";
import { VIOLATIONS, type ViolationCode } from "../../../shared/store/fsck/violation.ts";
import { toBlobItems } from "../../../shared/store/log/blobs.ts";
import { toLogEntry, toLogItem } from "../../../shared/store/log/log.ts";
import { toPointerItem } from "../../../shared/store/log/replay.ts";
import { toStagingItem, toSweepItem } from "../../../shared/store/log/stagings.ts";
import { toIdKey, toMovedItem } from "../../../shared/store/table/items.ts";
import {
  ACCOUNTS_LEDGER,
  apiTokenKey,
  auditKey,
  BOOTSTRAP,
  blobPartition,
  DELETED_MODELS,
  deletedModelKey,
  IDENTITY,
  type ItemKey,
  idsPartition,
  jobKey,
  logKey,
  objectsPartition,
  passwordKey,
  ROLES,
  recordKey,
  releaseKey,
  SUMMARIES,
  stagingKey,
  summaryKey,
  TAGS,
  userKey,
} from "../../../shared/store/table/keys.ts";
import { parseRolesItem, toRolesItem } from "../../../shared/store/table/roles-item.ts";
import { FORMAT } from "../../../shared/store/table/table.ts";
import { type Break, broken, type Scene, setScene, TAG_IDS, TAG_OBJECTS } from "../support/fsck-scene.ts";
import { sceneDocument } from "../support/scene.ts";

const DAY_MS = 24 * 3_600_000;
const NOBODY = "01900000-0000-7000-8000-000000000000";

/** Damage that a restore or a defect can leave, and that can be repaired without guessing. */
const MENDABLE: readonly Break[] = [
  broken("a deleted model is not listed as deleted", ["deleted-missing"], (s) => s.drop(deletedModelKey(s.gone))),
  broken("a deleted model is listed with another key", ["deleted-missing"], (s) =>
    s.change(deletedModelKey(s.gone), { key: "other" }),
  ),
  broken("a model is listed as deleted", ["deleted-unexpected"], (s) =>
    s.put({ ...deletedModelKey(s.model), v: FORMAT, key: "crm", revision: s.head, time: "-" }),
  ),
  broken("a model that never was is listed as deleted", ["deleted-unexpected"], (s) =>
    s.put({ ...deletedModelKey(NOBODY), v: FORMAT, key: "crm", revision: 2, time: "-" }),
  ),
  broken("a commit of a run is not listed", ["run-missing"], (s) => s.change(logKey(s.model, s.head), { run: NOBODY })),
  broken("an object is lost", ["object-missing"], (s) => s.drop({ pk: s.objects, sk: "type#integer" })),
  broken("a renamed object is lost", ["object-missing"], (s) => s.drop({ pk: s.objects, sk: "entity#vendor" })),
  broken("the model object is lost", ["object-missing"], (s) => s.drop({ pk: s.objects, sk: "model" })),
  broken("a field of an object is another", ["object-differs"], (s) =>
    s.change({ pk: s.objects, sk: "entity#customer" }, { name: "Clients" }),
  ),
  broken("a field of an object is lost", ["object-differs"], (s) =>
    s.change({ pk: s.objects, sk: "entity#vendor" }, { name: undefined }),
  ),
  broken("an object is as it was before the last commit", ["object-differs"], (s) =>
    s.change({ pk: s.objects, sk: "entity#vendor" }, { name: undefined, revision: s.head - 1 }),
  ),
  broken("an object is there without a log entry", ["object-unexpected"], async (s) =>
    s.put({ ...(await s.item({ pk: s.objects, sk: "type#integer" })), sk: "type#date", key: "date", revision: 99 }),
  ),
  broken("an object under its former key is there still", ["object-unexpected"], async (s) =>
    s.put({ ...(await s.item({ pk: s.objects, sk: "entity#vendor" })), sk: "entity#supplier", key: "supplier" }),
  ),
  broken("an attribute of nothing", ["object-orphaned"], (s) =>
    s.change({ pk: s.objects, sk: codeOf(s.id.customer) }, { sk: codeOf(NOBODY), owner: NOBODY }),
  ),
  broken("an id is lost", ["id-missing"], (s) => s.drop({ pk: s.ids, sk: s.id.vendor ?? "" })),
  broken("an id leads to the former key", ["id-differs"], (s) =>
    s.change({ pk: s.ids, sk: s.id.vendor ?? "" }, { at: "entity#supplier" }),
  ),
  broken("an id of nothing", ["id-unexpected"], (s) =>
    s.put({ pk: s.ids, sk: NOBODY, v: FORMAT, at: "type#gone", revision: 1 }),
  ),
  broken("the summary is lost", ["summary-missing"], (s) => s.drop(summaryKey("crm"))),
  broken("the row of a former key is where the model's own should be", ["summary-missing"], (s) =>
    s.put(toMovedItem("crm", s.model, 1, s.world.runtime.now())),
  ),
  broken("the row of a former key expired long ago", ["record-expired"], (s) =>
    s.put(toMovedItem("former", s.model, 1, s.world.runtime.now() - 9 * DAY_MS)),
  ),
  broken("the summary has the former name", ["summary-differs"], (s) =>
    s.change(summaryKey("crm"), { name: "Customers", revision: 1 }),
  ),
  broken("the summary under a former key is there still", ["summary-unexpected"], async (s) =>
    s.put({ ...(await s.item(summaryKey("crm"))), sk: "former" }),
  ),
  broken("a summary of a model that never was", ["summary-unexpected"], async (s) =>
    s.put({ ...(await s.item(summaryKey("crm"))), sk: "never", id: "01900000-0000-7000-8000-00000000000a" }),
  ),
  broken("the first release is lost", ["release-missing"], (s) => s.drop(releaseKey(s.model, "0.0.1"))),
  broken("a later release is lost", ["release-missing"], (s) => s.drop(releaseKey(s.model, "1.0.0"))),
  broken("a release of a revision that was lost", ["release-wrong"], (s) =>
    s.put({ ...releaseKey(s.model, "0.0.2"), v: FORMAT, revision: s.head + 1, time: "2027-01-01T00:00:00Z" }),
  ),
  broken("a snapshot of the sweeper is lost", ["snapshot-wrong"], (s) =>
    s.put(toPointerItem(s.model, { revision: s.head, generation: s.generation, blob: s.world.runtime.newId() })),
  ),
  broken("a snapshot of the sweeper has the state of another revision", ["snapshot-wrong"], (s) =>
    s.put(toPointerItem(s.model, { revision: s.head, generation: s.generation, blob: s.generation })),
  ),
  broken("a staging of the living generation is open", ["staging-alive"], (s) =>
    s.change(stagingKey(s.generation), { state: "open" }),
  ),
  broken("a sweep of a snapshot that the log names", ["sweep-alive"], (s) =>
    s.put(toSweepItem({ ...dead(s), blobs: [s.generation], round: 1 }, s.world.runtime.now() - 1, "alive")),
  ),
  broken("a staging that nobody gave up", ["staging-stale"], async (s) => {
    const since = new Date(s.world.runtime.now() - DAY_MS - 1).toISOString();
    const generation = s.world.runtime.newId();
    await s.put(toStagingItem({ generation, model: s.model, state: "open", epoch: 1, since, blobs: [generation] }));
    await s.put({ pk: objectsPartition(s.model, generation), sk: "model", v: FORMAT, revision: 1 });
  }),
  broken("a sweep that nobody did", ["sweep-stale"], (s) =>
    s.put(toSweepItem({ ...dead(s), round: 2 }, s.world.runtime.now() - DAY_MS - 1, "forgotten")),
  ),
  broken("a sweep of the living generation", ["sweep-alive"], (s) =>
    s.put(toSweepItem({ ...living(s), round: 1 }, s.world.runtime.now() - 1, "alive")),
  ),
  broken("a sweep of what a living entity owns", ["sweep-alive"], (s) =>
    s.put(toSweepItem({ ...living(s), owner: s.id.customer ?? "", round: 1 }, s.world.runtime.now() - 1, "alive")),
  ),
  broken("a generation that nobody names", ["generation-orphaned"], (s) =>
    s.put({ pk: idsPartition(s.model, s.world.runtime.newId()), sk: "x", v: FORMAT, at: "type#x", revision: 1 }),
  ),
  broken("a model whose log was never written", ["generation-orphaned"], (s) =>
    s.put({ pk: unknownObjects(s), sk: "model", v: FORMAT, revision: 1 }),
  ),
  broken("a blob that nobody names", ["blob-orphaned"], (s) => s.world.table.batchPut(toBlobItems("lost", [1, 2, 3]))),
  broken("a record that expired long ago", ["record-expired"], (s) =>
    s.put({ ...recordKey("long-ago"), v: FORMAT, fingerprint: "f", answer: "{}", expiresAt: longAgo(s) }),
  ),
  broken("a job that expired long ago", ["record-expired"], (s) =>
    s.put({ ...jobKey(s.world.runtime.newId()), v: FORMAT, state: "done", leaseUntil: 0, expiresAt: longAgo(s) }),
  ),
  broken("the mark of the bootstrap is lost", ["bootstrap-mark"], (s) => s.drop(BOOTSTRAP)),
];

const tagAt = ({ id }: Scene): ItemKey => ({ pk: TAG_OBJECTS, sk: `global_tag#${id.privacy}#personal` });
const GROUP: ItemKey = { pk: TAG_OBJECTS, sk: "tag_group#privacy" };

const MENDABLE_TAGS: readonly Break[] = [
  broken("a group of tags is lost", ["object-missing"], (s) => s.drop(GROUP)),
  broken("a global tag is lost", ["object-missing"], (s) => s.drop(tagAt(s))),
  broken("a global tag has another name", ["object-differs"], (s) => s.change(tagAt(s), { name: "Other" })),
  broken("a group of tags is under its former key still", ["object-unexpected"], (s) =>
    s.change(GROUP, { sk: "tag_group#private", key: "private" }),
  ),
  broken("a global tag of no group", ["object-orphaned"], (s) =>
    s.change(tagAt(s), { sk: `global_tag#${NOBODY}#personal`, owner: NOBODY, id: NOBODY }),
  ),
  broken("the id of a global tag is lost", ["id-missing"], (s) => s.drop({ pk: TAG_IDS, sk: s.id.personal ?? "" })),
  broken("the id of a group leads elsewhere", ["id-differs"], (s) =>
    s.change({ pk: TAG_IDS, sk: s.id.privacy ?? "" }, { at: "tag_group#private" }),
  ),
  broken("an id of nothing among those of tags", ["id-unexpected"], (s) =>
    s.change({ pk: TAG_IDS, sk: s.id.privacy ?? "" }, { sk: NOBODY }),
  ),
  broken("a sweep of what a living group owns", ["sweep-alive"], (s) =>
    s.put(toSweepItem({ ...TAGS, owner: s.id.privacy ?? "", round: 1 }, s.world.runtime.now(), "alive")),
  ),
];

const codeOf = (owner: string | undefined) => `attribute#${owner}#code`;
const unknownObjects = ({ world }: Scene) => objectsPartition(world.runtime.newId(), world.runtime.newId());
const longAgo = ({ world }: Scene) => Math.floor((world.runtime.now() - 8 * DAY_MS) / 1000);
const living = ({ model, generation }: Scene) => ({ model, generation });
const dead = (s: Scene) => ({ model: s.model, generation: "01900000-0000-7000-8000-00000000000b" });

const UNMENDABLE: readonly Break[] = [
  broken("an audit entry is lost", ["audit-missing"], async (s) => {
    const { time, operation } = await s.item(logKey(IDENTITY, 1));
    await s.drop(auditKey(String(time), String(operation)));
  }),
  broken("a revision is lost from the log", ["log-gap"], (s) => s.drop(logKey(s.model, 2))),
  broken("an operation holds two revisions", ["log-operation-repeated"], async (s) =>
    s.change(logKey(s.model, 3), { operation: (await s.item(logKey(s.model, 2))).operation }),
  ),
  broken("a change in the log does not fit", ["log-misfit"], async (s) => {
    const { changes } = await s.item(logKey(s.model, s.head));
    const [first] = changes as readonly object[];
    await s.change(logKey(s.model, s.head), { changes: [{ ...first, base: 1 }] });
  }),
  broken("the log has another key than the model", ["log-facts"], (s) =>
    s.change(logKey(s.model, 2), { key: "other" }),
  ),
  broken("something follows a tombstone", ["log-facts", "log-after-tombstone"], (s) =>
    s.change(logKey(s.model, 3), { state: "deleted" }),
  ),
  broken("an undelete follows no deletion", ["log-facts"], (s) => s.change(logKey(s.model, 3), { undeletes: true })),
  broken("an undelete goes on with the generation it had", ["log-facts", "log-after-tombstone"], async (s) => {
    await s.world.run("model/model_undelete", { modelRef: `id:${s.gone}` });
    const { generation } = await s.item(logKey(s.gone, 3));
    await s.change(logKey(s.gone, 2), { generation });
  }),
  broken("large changes are lost", ["changes-broken"], async (s) => {
    await s.put(toLogItem(s.model, { ...toLogEntry(await s.item(logKey(s.model, 2))), blob: "lost" }));
  }),
  broken("a publication says that it changed something else", ["snapshot-differs"], (s) =>
    published(s, (all) => all.map((object) => (object.key === "integer" ? { ...object, name: "Other" } : object))),
  ),
  broken("a publication lost what it changed", ["changes-broken"], async (s) => {
    await published(s, (all) => all);
    await s.change(logKey(s.model, s.head + 1), { publication: "lost" });
  }),
  broken("a publication changed what was not there", ["log-misfit"], async (s) => {
    const gone = { does: "delete", kind: "type", id: "gone", at: "type#gone", base: 1, before: {} };
    await published(s, (all) => all, [gone]);
  }),
  broken("a document that was imported last is lost", ["import-broken"], async (s) => {
    const content = sceneDocument("crm");
    await s.world.run("model/import", { into: "key:crm", source: "crm", onConflict: "ours", content });
    const { keeps = [] } = toLogEntry(await s.item(logKey(s.model, s.head + 1)));
    for (const name of keeps) await s.drop({ pk: blobPartition(name), sk: "000000" });
  }),
  broken("a snapshot is lost", ["snapshot-broken"], (s) => s.drop({ pk: blobPartition(s.generation), sk: "000000" })),
  broken("a snapshot is cut off", ["snapshot-broken"], async (s) => {
    const key = { pk: blobPartition(s.generation), sk: "000000" };
    const bytes = (await s.item(key)).bytes as Uint8Array;
    await s.change(key, { bytes: bytes.subarray(0, bytes.length / 2) });
  }),
  broken("a snapshot beside changes holds something else", ["snapshot-differs"], async (s) => {
    await s.world.table.batchPut(toBlobItems("wrong", []));
    await s.change(logKey(s.model, 3), { snapshot: "wrong" });
  }),
  broken("a reference leads nowhere by the log too", ["ref-dangling", "ref-dangling"], async (s) => {
    await rewritten(s, { pk: s.objects, sk: codeOf(s.id.customer) }, { type: s.id.customer });
    await rewritten(s, { pk: s.objects, sk: "entity#order" }, { primaryKey: [s.id.code] });
  }),
  broken(
    "key pairs name an attribute of another entity, which is told, but not for one that is gone",
    ["ref-dangling", "ref-dangling"],
    async (s) => {
      const keyPairs = [
        [s.id.code, NOBODY],
        [NOBODY, s.id.code],
      ];
      await rewritten(s, { pk: s.objects, sk: "relationship#places" }, { keyPairs });
    },
  ),
  broken("a primary key names an attribute twice", ["primary-key-repeated"], (s) =>
    rewritten(s, { pk: s.objects, sk: "entity#customer" }, { primaryKey: [s.id.code, s.id.code] }),
  ),
  broken("two models have one key by their logs", ["summary-differs"], async (s) => {
    const { id } = await s.world.run("model/model_create", { key: "twin", name: "Twin" });
    const first = await s.item(logKey(id, 1));
    const change = { does: "update", kind: "model", id, at: "model", base: 1 };
    const changes = [{ ...change, before: { key: "twin" }, after: { key: "crm" } }];
    await s.put({ ...first, ...logKey(id, 2), operation: s.world.runtime.newId(), key: "crm", changes });
    await s.change({ pk: objectsPartition(id, String(first.generation)), sk: "model" }, { key: "crm", revision: 2 });
    await s.put({ ...(await s.item(summaryKey("twin"))), ...summaryKey("crm") });
    await s.drop(summaryKey("twin"));
  }),
  broken("a release has another version than its revision", ["release-wrong"], (s) =>
    s.put({ ...releaseKey(s.model, "9.0.0"), v: FORMAT, revision: 2, time: "2027-01-01T00:00:00Z" }),
  ),
  broken("a model with a history lost its whole log", ["generation-orphaned"], (s) =>
    s.put({ pk: unknownObjects(s), sk: "model", v: FORMAT, revision: 7 }),
  ),
  broken("a job that nobody works on", ["job-stale"], async (s) => {
    const id = s.world.runtime.newId();
    await s.put({ ...jobKey(id), v: FORMAT, state: "accepted", leaseUntil: s.world.runtime.now() - DAY_MS });
    await s.world.table.batchPut(toBlobItems(id, { action: "model/import" }));
  }),
  broken("a job without its order", ["job-order-missing"], (s) =>
    s.put({ ...jobKey(s.world.runtime.newId()), v: FORMAT, state: "running", leaseUntil: s.world.runtime.now() }),
  ),
  broken("a release has another blob than its log entry", ["release-wrong"], (s) =>
    s.change(releaseKey(s.model, "1.0.0"), { blob: s.model }),
  ),
  broken("a revision is lost from the log of tags", ["log-gap"], (s) => s.drop(logKey(TAGS.model, 2))),
  broken("a change in the log of tags does not fit", ["log-misfit"], async (s) => {
    const [change] = (await s.item(logKey(TAGS.model, 2))).changes as readonly object[];
    await s.change(logKey(TAGS.model, 2), { changes: [{ ...change, base: 7 }] });
  }),
  broken("the log of tags has another generation", ["log-facts", "log-facts"], (s) =>
    s.change(logKey(TAGS.model, 3), { generation: "1" }),
  ),
  broken("an item of something else", ["partition-unknown"], (s) => s.put({ pk: "else", sk: "where", v: FORMAT })),
  broken("an item of a newer format", ["format-unknown"], (s) => s.change(stagingKey(s.generation), { v: 2 })),
  broken(
    "a user under another name",
    ["account-misplaced", "account-differs", "user-without-actor", "password-unpaired", "password-unpaired"],
    (s) => s.change(userKey("ada"), { key: "eve" }),
  ),
  broken("a user is lost", ["account-differs", "actor-without-user", "account-id", "password-unpaired"], (s) =>
    s.drop(userKey("ada")),
  ),
  broken("a role is lost", ["account-differs", "role-unknown", "account-id", "roles-judged"], (s) =>
    s.drop({ pk: IDENTITY, sk: "role#admin" }),
  ),
  broken("a role gives more than it should", ["roles-judged"], async (s) => {
    const item = await s.item(ROLES);
    const reader = hashRoleKey("reader");
    const more = parseRolesItem(item).map((role) =>
      role.keyDigest === reader ? { ...role, permissions: ["admin"] } : role,
    );
    const { rows, names } = toRolesItem(more, Number(item.revision));
    await s.change(ROLES, { rows, names });
  }),
  broken("a user without a password", ["password-unpaired"], (s) => s.drop(passwordKey("ada"))),
  broken("a password without a user", ["password-unpaired"], (s) =>
    s.put({ ...passwordKey("eve"), v: FORMAT, hash: "$argon2id$" }),
  ),
  broken("a password of another epoch than its user's tokens", ["password-epoch"], (s) =>
    s.change(passwordKey("ada"), { epoch: 0 }),
  ),
  broken("an id of an account leads elsewhere", ["account-id"], async (s) => {
    const { id } = await s.item(userKey("ada"));
    await s.change(toIdKey(ACCOUNTS_LEDGER, String(id)), { at: "user#eve" });
  }),
  broken("an actor is lost", ["account-differs", "user-without-actor", "account-id"], async (s) => {
    const [actor] = (await s.world.items(IDENTITY)).filter(({ sk }) => sk.startsWith("actor#"));
    if (actor) await s.drop(actor);
  }),
  broken("an API token stands for nobody", ["token-without-actor"], async (s) => {
    const [owner, id] = [s.world.runtime.newId(), s.world.runtime.newId()];
    const at = apiTokenKey(owner, id);
    await s.put({ ...at, v: FORMAT, id, key: id, owner, revision: 1 });
    await s.put({ ...toIdKey(ACCOUNTS_LEDGER, id), v: FORMAT, at: at.sk, revision: 1 });
  }),
  broken("an API token lies with another actor", ["account-misplaced", "account-id"], async (s) => {
    const [actor] = (await s.world.items(IDENTITY)).filter(({ sk }) => sk.startsWith("actor#"));
    const [owner, id] = [String(actor?.id), s.world.runtime.newId()];
    await s.put({ ...apiTokenKey(s.world.runtime.newId(), id), v: FORMAT, id, key: id, owner, revision: 1 });
  }),
  broken("a role is there twice", ["role-repeated", "role-repeated", "account-id", "roles-judged"], async (s) => {
    await s.put({ ...(await s.item({ pk: IDENTITY, sk: "role#admin" })), sk: "role#other" });
  }),
];

/** Changes an object and the snapshot it comes from alike, as a defect in an action would have. */
async function rewritten(s: Scene, key: ItemKey, members: Readonly<Record<string, unknown>>) {
  const item = await s.item(key);
  const kind = key.sk.split("#")[0];
  const before = Object.fromEntries(Object.keys(members).map((name) => [name, item[name] ?? null]));
  const last = (await s.world.items(logKey(s.model, 1).pk)).at(-1);
  if (!last) throw new Error("the model has no log");
  const revision = Number(last.sk) + 1;
  await s.put({
    ...last,
    ...logKey(s.model, revision),
    operation: s.world.runtime.newId(),
    changes: [{ does: "update", kind, id: item.id, at: key.sk, base: item.revision, before, after: members }],
  });
  await s.change(key, { ...members, revision });
}

/** Publishes the model as it is, but for what `snapshot` makes of it, in the generation it has. */
async function published(
  s: Scene,
  snapshot: (all: readonly Record<string, unknown>[]) => readonly object[],
  changes: readonly object[] = [],
) {
  const items = await s.world.items(s.objects);
  const all = items.map(({ pk: _, sk, v: __, ...fields }) => ({ kind: sk.split("#")[0], ...fields }));
  const kept = snapshot(all);
  const [snapshotName, publication] = [s.world.runtime.newId(), s.world.runtime.newId()];
  await s.world.table.batchPut([...toBlobItems(snapshotName, kept), ...toBlobItems(publication, changes)]);
  const { changes: _, ...last } = await s.item(logKey(s.model, s.head));
  const operation = s.world.runtime.newId();
  await s.put({ ...last, ...logKey(s.model, s.head + 1), operation, snapshot: snapshotName, publication });
  for (const [i, object] of kept.entries()) {
    const was = object === all[i] ? undefined : items[i];
    const { kind: _kind, ...fields } = object as Record<string, unknown>;
    if (was) await s.change(was, fields);
  }
}

describe("a violation with one correct state", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await setScene();
    expect(await scene.world.check()).toEqual([]);
  });

  test.for([...MENDABLE, ...MENDABLE_TAGS])("is found and repaired, and then nothing is found: $what", async ({
    codes,
    act,
  }) => {
    const { world, model } = scene;
    const before = await dumpOf(scene);
    await act(scene);
    const findings = await world.check();
    expect(findings.map(({ code }) => code).sort()).toEqual([...codes].sort());
    expect(findings.every(({ repair, sentence }) => repair && sentence.length > 20)).toBe(true);
    const log = await world.items(logKey(model, 1).pk);
    expect(await world.repair()).toMatchObject({ conflicts: 0 });
    expect(await world.check()).toEqual([]);
    expect(await world.items(logKey(model, 1).pk)).toEqual(log);
    expect(await dumpOf(scene)).toEqual(before);
  });
});

describe("a violation that only a person can decide", () => {
  test.for(UNMENDABLE)("is found and not changed: $what", async ({ codes, act }) => {
    const scene = await setScene();
    const { world } = scene;
    await act(scene);
    const findings = await world.check();
    expect(findings.map(({ code }) => code).sort()).toEqual([...codes].sort());
    expect(findings.every(({ repair }) => !repair)).toBe(true);
    expect(await world.repair()).toEqual({ repairs: 0, conflicts: 0 });
    expect((await world.codes()).toSorted()).toEqual([...codes].sort());
  });
});

test("every violation code has a test that breaks its rule", () => {
  const tested = new Set([...MENDABLE, ...UNMENDABLE].flatMap(({ codes }) => codes));
  expect(Object.keys(VIOLATIONS).filter((code) => !tested.has(code as ViolationCode))).toEqual([]);
});

test("the operators' page states every rule, in the same words", async () => {
  const page = await readFile(new URL("../../../docs/fsck.md", import.meta.url), "utf8");
  const stated = [...page.matchAll(/^\| `([a-z-]+)` \| (.+) \| .+ \|$/gm)].map(([, code, rule]) => [code, rule]);
  expect(stated).toEqual(Object.entries(VIOLATIONS));
});

/** The items of the model and of the tags but their logs; of ids only the places they lead to. */
async function dumpOf({ world, objects, ids, model }: Scene): Promise<unknown> {
  const releases = releaseKey(model, "").pk;
  const whole = await Promise.all([objects, TAG_OBJECTS, SUMMARIES, DELETED_MODELS, releases].map(world.items));
  const places = [...(await world.items(ids)), ...(await world.items(TAG_IDS))].map(({ sk, at }) => ({ sk, at }));
  return [...whole, places];
}
