import { keyOfActor } from "../../domain/accounts/actors.ts";
import type { KindName } from "../../domain/kinds.ts";

/** The primary key of one item. */
export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

/*
 * The table design: every partition and sort key of the service is made here and nowhere else.
 *
 * No part needs escaping: in each key at most one part comes from outside, it is the last one and stands verbatim;
 * every part before it is a fixed word or a UUID, neither of which holds "#". So no two tuples give the same string,
 * no prefix that ends in "#" runs into another, and DynamoDB's order of sort keys is the order of the callers' keys.
 */

const LOG_DIGITS = 12;

/** The record of one idempotency key; `id` is a digest. */
export const recordKey = (id: string): ItemKey => ({ pk: `idempotency#${id}`, sk: "record" });
/** A piece of an answer that is too large for its record; `name` is a digest of the whole. */
export const recordPartKey = (id: string, name: string, part: number): ItemKey => ({
  pk: recordKey(id).pk,
  sk: `part#${name}#${String(part).padStart(3, "0")}`,
});
/** A piece of a job's result that is too large for its item; `name` is a digest of the whole. */
export const jobPartKey = (id: string, name: string, part: number): ItemKey => ({
  pk: `job#${id}`,
  sk: recordPartKey(id, name, part).sk,
});
/** All model summaries, sorted by model key. */
export const SUMMARIES = "models";
/** Records of generations that are being written. */
export const STAGINGS = "stagings";
/** Notes of items that are to be swept, sorted by the time they are due. */
export const SWEEPS = "sweeps";
/** Jobs, sorted by id and so by the time they were accepted. */
export const JOBS = "jobs";
/** The ledger of tag groups and global tags; its objects lie in a partition like a model's. */
export const TAGS = { model: "tags", generation: "0" } as const;
/** Users, actors, roles, what belongs to them, and the bootstrap. */
export const IDENTITY = "identity";
/** The ledger of users, actors and roles; its objects lie among all that is about identity. */
export const ACCOUNTS_LEDGER = { model: IDENTITY, generation: "0" } as const;

export const summaryKey = (modelKey: string): ItemKey => ({ pk: SUMMARIES, sk: modelKey });
export const logPartition = (ledger: string): string => `log#${ledger}`;
export const logKey = (ledger: string, revision: number): ItemKey => ({
  pk: logPartition(ledger),
  sk: String(revision).padStart(LOG_DIGITS, "0"),
});
export const objectsPartition = (model: string, generation: string): string =>
  model === IDENTITY ? IDENTITY : `model#${model}#${generation}`;
export const idsPartition = (model: string, generation: string): string => `ids#${model}#${generation}`;
export const releaseKey = (model: string, version: string): ItemKey => ({ pk: `release#${model}`, sk: version });
/** Snapshots that the sweeper makes of a ledger, by revision. */
export const snapshotKey = (ledger: string, revision: number): ItemKey => ({
  pk: `snapshot#${ledger}`,
  sk: logKey(ledger, revision).sk,
});
export const jobKey = (id: string): ItemKey => ({ pk: JOBS, sk: id });
export const stagingKey = (generation: string): ItemKey => ({ pk: STAGINGS, sk: generation });
/** Due times are ISO 8601 in UTC, so their order as text is their order in time. */
export const sweepKey = (due: string, id: string): ItemKey => ({ pk: SWEEPS, sk: `${due}#${id}` });
export const blobPartition = (name: string): string => `blob#${name}`;
export const blobKey = (name: string, chunk: number): ItemKey => ({
  pk: blobPartition(name),
  sk: String(chunk).padStart(6, "0"),
});

/** Sort-key prefixes of the sorts of account. */
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
  sk: ACCOUNTS.actor + keyOfActor(issuer, subject),
});
/** The item of an API token; `actor` and `id` are ids. */
export const apiTokenKey = (actor: string, id: string): ItemKey => ({
  pk: IDENTITY,
  sk: `${ACCOUNTS.token}${actor}#${id}`,
});
/** The item with the time of an actor's last call, by the actor's id. */
export const seenKey = (actor: string): ItemKey => ({ pk: IDENTITY, sk: `seen#${actor}` });
/** The item with the hash of a user's password. */
export const passwordKey = (username: string): ItemKey => ({ pk: IDENTITY, sk: ACCOUNTS.password + username });
/** The item that counts wrong passwords lately; `of` is a digest of the typed username, with or without a network. */
export const attemptsKey = (of: string): ItemKey => ({ pk: `attempts#${of}`, sk: "login" });
/** The mark that somebody signed in lately with the name and from the network of a digest. */
export const knownNetworkKey = (of: string): ItemKey => ({ pk: attemptsKey(of).pk, sk: "known" });
/** All roles as callers are judged by them: one item, so that every call reads them at once. */
export const ROLES: ItemKey = { pk: IDENTITY, sk: "roles" };
/** The public half of the signing key with this id. */
export const publicKeyKey = (keyId: string): ItemKey => ({ pk: IDENTITY, sk: `public_key#${keyId}` });
/** The mark that the one-time bootstrap was used. */
export const BOOTSTRAP: ItemKey = { pk: IDENTITY, sk: "bootstrap" };

/** The audit entries of one month, such as `2026-11`. */
export const auditPartition = (month: string): string => `audit#${month}`;
/** Times are ISO 8601 in UTC, so that an entry's sort key begins with it and their order is that of the acts. */
export const auditKey = (time: string, id: string): ItemKey => ({
  pk: auditPartition(time.slice(0, 7)),
  sk: `${time}#${id}`,
});
/** Refused acts of one name in the hour that begins at `hour`; without a name in one of several lanes. */
export const refusalsKey = (hour: string, act: string, username: string | undefined, lane: number): ItemKey =>
  auditKey(hour, username === undefined ? `${act}##${lane}` : `${act}#${username}`);

/** The name of a model's generation in one word, as a key of maps. */
export const generationName = (model: string, generation: string): string => `${model}#${generation}`;

/** The part that the sort keys of all objects of an owner contain. */
export const ownedBy = (owner: string): string => `#${owner}#`;

/** Sort-key prefix of all objects of a kind, in the model or of one owner. */
export function kindPrefix(kind: KindName, owner?: string): string {
  return owner === undefined ? `${kind}#` : `${kind}#${owner}#`;
}

/**
 * Sort key of an object inside its model: its kind, its owner where its key is unique only there, and its key, which makes
 * the key unique. The model itself is alone.
 */
export function objectSortKey(object: {
  readonly kind: KindName;
  readonly key: string;
  readonly owner?: string;
}): string {
  return object.kind === "model" ? "model" : kindPrefix(object.kind, object.owner) + object.key;
}

/** True for kinds whose id is looked up through an item of its own; attributes are found among those of their owner. */
export function hasIdItem(kind: KindName): boolean {
  return kind !== "model" && kind !== "attribute";
}
