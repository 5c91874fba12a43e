import { createHash } from "node:crypto";
import type { KindName } from "../domain/objects.ts";

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
/** All model summaries, sorted by model key. */
export const SUMMARIES = "models";
/** Records of generations that are being written. */
export const STAGINGS = "stagings";
/** Notes of what is to be swept, sorted by when it is due. */
export const SWEEPS = "sweeps";
/** Jobs, sorted by id and so by the time they were accepted. */
export const JOBS = "jobs";
/** Users, actors, roles and the bootstrap. */
export const IDENTITY = "identity";

export const summaryKey = (modelKey: string): ItemKey => ({ pk: SUMMARIES, sk: modelKey });
export const logPartition = (ledger: string): string => `log#${ledger}`;
export const logKey = (ledger: string, revision: number): ItemKey => ({
  pk: logPartition(ledger),
  sk: String(revision).padStart(LOG_DIGITS, "0"),
});
export const objectsPartition = (model: string, generation: string): string => `model#${model}#${generation}`;
export const idsPartition = (model: string, generation: string): string => `ids#${model}#${generation}`;
export const releaseKey = (model: string, version: string): ItemKey => ({ pk: `release#${model}`, sk: version });
export const jobKey = (id: string): ItemKey => ({ pk: JOBS, sk: id });
export const stagingKey = (generation: string): ItemKey => ({ pk: STAGINGS, sk: generation });
/** Due times are ISO 8601 in UTC, so their order as text is their order in time. */
export const sweepKey = (due: string, id: string): ItemKey => ({ pk: SWEEPS, sk: `${due}#${id}` });
export const blobPartition = (name: string): string => `blob#${name}`;
export const blobKey = (name: string, chunk: number): ItemKey => ({
  pk: blobPartition(name),
  sk: String(chunk).padStart(6, "0"),
});

/** Sort-key prefixes of the two sorts of account. */
export const ACCOUNTS = { user: "user#", actor: "actor#" } as const;
export const userKey = (username: string): ItemKey => ({ pk: IDENTITY, sk: ACCOUNTS.user + username });
/** Issuer and subject both come from outside and may hold anything, so their digest stands for the pair. */
export const actorKey = (issuer: string, subject: string): ItemKey => ({
  pk: IDENTITY,
  sk: `${ACCOUNTS.actor}${createHash("sha256")
    .update(JSON.stringify([issuer, subject]))
    .digest("base64url")}`,
});
export const ROLES: ItemKey = { pk: IDENTITY, sk: "roles" };
/** The mark that the one-time bootstrap was used. */
export const BOOTSTRAP: ItemKey = { pk: IDENTITY, sk: "bootstrap" };

/** Names a generation of a model in one word, for maps. */
export const generationName = (model: string, generation: string): string => `${model}#${generation}`;

/** What stands in the sort key of everything an object owns. */
export const ownedBy = (owner: string): string => `#${owner}#`;

/** Sort-key prefix of all objects of a kind, in the model or of one owner. */
export function kindPrefix(kind: KindName, owner?: string): string {
  return owner === undefined ? `${kind}#` : `${kind}#${owner}#`;
}

/** Sort key of an object inside its model: its kind and key, which makes the key unique. The model itself is alone. */
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
