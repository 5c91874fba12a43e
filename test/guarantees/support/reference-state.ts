import type { ExpectedAnswer } from "./reference-action.ts";

export interface RefType {
  readonly id: string;
  key: string;
  name?: string | undefined;
  description?: string | undefined;
}

export interface RefAttribute {
  readonly id: string;
  key: string;
  name?: string | undefined;
  description?: string | undefined;
  /** Id of its type. */
  type: string;
  optional: boolean;
}

export interface RefEntity {
  readonly id: string;
  key: string;
  name?: string | undefined;
  description?: string | undefined;
  documentationHome?: string | undefined;
  readonly origin?: string | undefined;
  /** In the order in which they were made. */
  attributes: RefAttribute[];
  /** Ids of its attributes. */
  primaryKey: string[];
}

/** A model with all it holds. */
export interface RefModel {
  readonly id: string;
  key: string;
  revision: number;
  name: string;
  description?: string | undefined;
  readonly version: string;
  authority: string;
  documentationHome?: string | undefined;
  readonly origin?: string | undefined;
  types: RefType[];
  entities: RefEntity[];
}

/** What an idempotency key left. */
export interface RefRecord {
  readonly fingerprint: string;
  readonly answer: ExpectedAnswer;
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
}

/** Everything a service that keeps the contract has to remember. */
export interface RefState {
  readonly models: Map<string, RefModel>;
  /** By caller, action and idempotency key. */
  readonly records: Map<string, RefRecord>;
  /** What a cursor that was given out stands for: the key of the last row before it. */
  readonly cursors: Map<string, string>;
}

export function emptyState(): RefState {
  return { models: new Map(), records: new Map(), cursors: new Map() };
}

/** Orders by key, code unit by code unit. */
export function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

/** The objects that `id:…` or `key:…` can name, looked through in order. */
export function named<T extends { readonly id: string; readonly key: string }>(
  objects: Iterable<T>,
  ref: string,
): T | undefined {
  const colon = ref.indexOf(":");
  const value = ref.slice(colon + 1);
  const wanted = ref.slice(0, colon) === "id" ? value.toLowerCase() : value;
  for (const one of objects) if ((ref.startsWith("id:") ? one.id : one.key) === wanted) return one;
  return undefined;
}
