import type { RefPast, RefRun } from "./commits.ts";
import type { ExpectedAnswer } from "./expected-answer.ts";
import type { Named, RefMarked, RefModel, RefTags } from "./objects.ts";

/** The record that an idempotency key left. */
export interface RefRecord {
  readonly fingerprint: string;
  readonly answer: ExpectedAnswer;
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
}

/** The state that a service has to remember to keep the contract. */
export interface RefState {
  readonly models: Map<string, RefModel>;
  readonly tags: RefTags;
  /** The records of idempotency keys, by caller, action and key. */
  readonly records: Map<string, RefRecord>;
  /** The commits of each model, also of deleted ones, as far as they were kept. */
  readonly past: Map<string, RefPast>;
  /** The position that a cursor stands for: the place of the last row before it. */
  readonly cursors: Map<string, string>;
  /** Runs by their ids, oldest first. */
  readonly runs: Map<string, RefRun>;
}

export function emptyState(): RefState {
  const tags = { id: "tags", revision: 0, groups: [], definitions: [] };
  return { models: new Map(), tags, records: new Map(), past: new Map(), cursors: new Map(), runs: new Map() };
}

/** A model with nothing in it, as one that was just made. */
export function emptyModel(own: Pick<RefModel, "id" | "key" | "name">): RefModel {
  const lists = { types: [], entities: [], relationships: [], businessKeys: [], localTags: [] };
  return { ...own, revision: 0, version: "0.0.1", authority: "system", tags: [], globalTags: [], ...lists };
}

/** Everything in a model that tags can mark, the model included. */
export function markedIn(model: RefModel): readonly RefMarked[] {
  const holders = [...model.entities, ...model.relationships];
  return [model, ...holders, ...holders.flatMap((holder) => holder.attributes)];
}

export function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

/** The objects that `id:…` or `key:…` can name, looked through in order. */
export function named<T extends Named>(objects: Iterable<T>, ref: string): T | undefined {
  const colon = ref.indexOf(":");
  const value = ref.slice(colon + 1);
  const wanted = ref.slice(0, colon) === "id" ? value.toLowerCase() : value;
  for (const one of objects) if ((ref.startsWith("id:") ? one.id : one.key) === wanted) return one;
  return undefined;
}
