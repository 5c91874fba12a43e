import { hashActorKey } from "../../domain/accounts/actors.ts";
import type { KindName } from "../../domain/kinds.ts";
import { TABLE } from "./table-schema.ts";

/** The primary key of one item. */
export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

/*
 * The table design. Every partition and sort key of the service is built in this file only. A function is named by the
 * key that it returns.
 *
 * No part needs escaping. At most one part of a key comes from outside; it is the last one and is not encoded. Every
 * part before it is a fixed word or a UUID, and neither contains "#". Therefore two tuples never give the same string,
 * a prefix that ends in "#" never runs into another, and DynamoDB's order of sort keys is the order of the callers'
 * keys.
 */

const LOG_DIGITS = 12;

/** Key of an idempotency record; `id` is a digest. */
export const recordKey = (id: string): ItemKey => ({ pk: `idempotency#${id}`, sk: "record" });
/** Key of a piece of a large answer; `name` is a digest of the whole. */
export const recordPartKey = (id: string, name: string, part: number): ItemKey => ({
  pk: recordKey(id).pk,
  sk: `part#${name}#${String(part).padStart(3, "0")}`,
});
/** Key of a piece of a job's large result; `name` is a digest of the whole. */
export const jobPartKey = (id: string, name: string, part: number): ItemKey => ({
  pk: `job#${id}`,
  sk: recordPartKey(id, name, part).sk,
});
/** All model summaries, sorted by model key. */
export const SUMMARIES = "models";
/** One row per deleted model, sorted by id. */
export const DELETED_MODELS = "deleted_models";
export const STAGINGS = "stagings";
/** Sweep notes, sorted by due time. */
export const SWEEPS = "sweeps";
/** Jobs, sorted by id and therefore by acceptance time. */
export const JOBS = "jobs";
/** Runs, sorted by id and therefore by the time they began. */
export const RUNS = "runs";
/** Ledger of tag groups and global tags, stored like a model. */
export const TAGS = { model: "tags", generation: "0" } as const;
export const IDENTITY = "identity";
/** Ledger of users, actors and roles. Its objects are stored in the partition of accounts. */
export const ACCOUNTS_LEDGER = { model: IDENTITY, generation: "0" } as const;

export const summaryKey = (modelKey: string): ItemKey => ({ pk: SUMMARIES, sk: modelKey });
export const deletedModelKey = (id: string): ItemKey => ({ pk: DELETED_MODELS, sk: id });
export const logPartition = (ledger: string): string => `log#${ledger}`;
export const logKey = (ledger: string, revision: number): ItemKey => ({
  pk: logPartition(ledger),
  sk: String(revision).padStart(LOG_DIGITS, "0"),
});
export const objectsPartition = (model: string, generation: string): string =>
  model === IDENTITY ? IDENTITY : `model#${model}#${generation}`;
export const idsPartition = (model: string, generation: string): string => `ids#${model}#${generation}`;
export const releaseKey = (model: string, version: string): ItemKey => ({ pk: `release#${model}`, sk: version });
/** Key of a snapshot that the sweeper made of a ledger. */
export const snapshotKey = (ledger: string, revision: number): ItemKey => ({
  pk: `snapshot#${ledger}`,
  sk: logKey(ledger, revision).sk,
});
export const runKey = (id: string): ItemKey => ({ pk: RUNS, sk: id });
export const runPartition = (run: string): string => `run#${run}`;
/** Key of the item that lists a commit under its run. */
/** Prefix of the sort keys of the commits of a run in one ledger. */
export const runLedgerPrefix = (ledger: string): string => `${ledger}#`;
export const runCommitKey = (run: string, ledger: string, revision: number): ItemKey => ({
  pk: runPartition(run),
  sk: `${runLedgerPrefix(ledger)}${logKey(ledger, revision).sk}`,
});
/** Parses the key of such an item. */
export function parseRunCommitKey({ sk }: Pick<ItemKey, "sk">): {
  readonly ledgerId: string;
  readonly revision: number;
} {
  const [ledgerId = "", revision] = sk.split("#");
  return { ledgerId, revision: Number(revision) };
}
export const jobKey = (id: string): ItemKey => ({ pk: JOBS, sk: id });
export const stagingKey = (generation: string): ItemKey => ({ pk: STAGINGS, sk: generation });
/** Due times are ISO 8601 in UTC: their text order is their order in time. */
export const sweepKey = (due: string, id: string): ItemKey => ({ pk: SWEEPS, sk: `${due}#${id}` });
export const blobPartition = (name: string): string => `blob#${name}`;
export const blobKey = (name: string, chunk: number): ItemKey => ({
  pk: blobPartition(name),
  sk: String(chunk).padStart(6, "0"),
});

export const ACCOUNTS = {
  user: "user#",
  actor: "actor#",
  role: "role#",
  token: "api_token#",
  password: "password#",
} as const;
export const userKey = (username: string): ItemKey => ({ pk: IDENTITY, sk: ACCOUNTS.user + username });
export const actorKey = (issuer: string, subject: string): ItemKey => ({
  pk: IDENTITY,
  sk: ACCOUNTS.actor + hashActorKey(issuer, subject),
});
/** Key of an API token; `actor` and `id` are ids. */
export const apiTokenKey = (actor: string, id: string): ItemKey => ({
  pk: IDENTITY,
  sk: `${ACCOUNTS.token}${actor}#${id}`,
});
/** Key of the item with the time of an actor's last call; `actor` is an id. */
export const seenKey = (actor: string): ItemKey => ({ pk: IDENTITY, sk: `seen#${actor}` });
/** Key of the item with the hash of a user's password. */
export const passwordKey = (username: string): ItemKey => ({ pk: IDENTITY, sk: ACCOUNTS.password + username });
/** Key of the recent failed logins; `nameHash` is a digest of the typed username, with or without a network. */
export const attemptsKey = (nameHash: string): ItemKey => ({ pk: `attempts#${nameHash}`, sk: "login" });
/** Key of the mark of a recent login; `nameHash` is a digest of the name and the network. */
export const knownNetworkKey = (nameHash: string): ItemKey => ({ pk: attemptsKey(nameHash).pk, sk: "known" });
/** Item with the permissions of all roles. Every call reads it. */
export const ROLES: ItemKey = { pk: IDENTITY, sk: "roles" };
/** Key of the public half of a signing key. Earlier versions kept it in `IDENTITY`. */
export const publicKeyKey = (keyId: string): ItemKey => ({ pk: TABLE.publicKeys, sk: keyId });
export const BOOTSTRAP: ItemKey = { pk: IDENTITY, sk: "bootstrap" };

/** Partition of the audit entries of a month such as `2026-11`. */
export const auditPartition = (month: string): string => `audit#${month}`;
/** Times are ISO 8601 in UTC. The sort key begins with the time, so that entries are sorted by time. */
export const auditKey = (time: string, id: string): ItemKey => ({
  pk: auditPartition(time.slice(0, 7)),
  sk: `${time}#${id}`,
});
/** Key of the refused acts of a name in an hour. Acts without a name are spread over several keys. */
export const refusalsKey = (hour: string, act: string, username: string | undefined, shard: number): ItemKey =>
  auditKey(hour, username === undefined ? `${act}##${shard}` : `${act}#${username}`);

/** Joins a model and a generation to one string, as a key of maps. */
export const generationName = (model: string, generation: string): string => `${model}#${generation}`;

/** Part that the sort keys of all objects of an owner contain. */
export const ownedBy = (owner: string): string => `#${owner}#`;

/** Sort-key prefix of all objects of a kind, in the model or of one owner. */
export function kindPrefix(kind: KindName, owner?: string): string {
  return owner === undefined ? `${kind}#` : `${kind}#${owner}#`;
}

/** Sort key of an object inside its model: kind, owner if needed, and key. */
export function objectSortKey(object: {
  readonly kind: KindName;
  readonly key: string;
  readonly owner?: string;
}): string {
  return object.kind === "model" ? "model" : kindPrefix(object.kind, object.owner) + object.key;
}

/** Returns true for kinds with an item per id. */
export function hasIdItem(kind: KindName): boolean {
  return kind !== "model" && kind !== "attribute";
}
