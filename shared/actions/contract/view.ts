import type { KindName } from "../../domain/kinds.ts";
import type { ModelContent } from "../../domain/model/content.ts";
import type { AnyObject, Model, ObjectByKind } from "../../domain/model/objects.ts";
import type { Ref } from "../../domain/refs.ts";

/** The rows of a list to read: those after a key, at most so many. */
export interface Page {
  readonly after?: string;
  readonly limit?: number;
  /** For a decision that rests on an absence: looks further back for commits that may not be visible yet. */
  readonly lookBack?: boolean;
}

/** Rows of a list in the order of their keys; `next` is the key to go on after, absent on the last page. */
export interface Rows<T> {
  readonly items: readonly T[];
  readonly next?: string;
}

/**
 * One model, or another ledger, as it stands at one revision. It remembers its reads, for `Store.confirm`.
 */
export interface ReadView {
  readonly ledgerId: string;
  readonly modelKey: string;
  readonly revision: number;
  /** True for a deleted model, of which only the past is left. */
  readonly deleted?: true;
  /** The model itself. */
  readModel(): Promise<Model>;
  /** The object a ref names, in the model or in its owner; undefined when there is none. */
  find<N extends KindName>(kind: N, ref: Ref, owner?: string): Promise<ObjectByKind[N] | undefined>;
  /** Objects of a kind, in the model or of one owner, sorted by key. */
  list<N extends KindName>(kind: N, owner?: string, page?: Page): Promise<Rows<ObjectByKind[N]>>;
  /** The object that a removed owner left at a key, which counts as free; undefined where there is none or a living one. */
  findOrphan<N extends KindName>(kind: N, key: string): Promise<ObjectByKind[N] | undefined>;
  /** Everything in the model; `lookBack` as in `Page`. */
  readContent(lookBack?: boolean): Promise<ModelContent>;
  /** Every living object. */
  readObjects(): Promise<Iterable<AnyObject>>;
  /** Reads everything at once, so that every later read of the view is answered from memory. */
  preload(): Promise<void>;
  /** The place in order of the next attribute made in this call. */
  takeNextOrder(): number;
}

/** The `ledgerId` of the ledger of users, actors and roles. */
export const IDENTITY_LEDGER = "identity";

/** The `ledgerId` of the ledger of tag groups and global tags. */
export const TAGS_LEDGER = "tags";
