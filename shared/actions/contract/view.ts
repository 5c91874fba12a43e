import type { KindName } from "../../domain/kinds.ts";
import type { ModelContent } from "../../domain/model/content.ts";
import type { AnyObject, Model, ObjectByKind } from "../../domain/model/objects.ts";
import type { Ref } from "../../domain/refs.ts";

/** Range of rows to read: those after a key, with a limit. */
export interface Page {
  readonly after?: string;
  readonly limit?: number;
  /** For decisions that depend on an absence: also waits for commits that may not be visible yet. */
  readonly lookBack?: boolean;
}

/** Rows of a list sorted by key; `next` is the key before the next page, absent on the last page. */
export interface Rows<T> {
  readonly items: readonly T[];
  readonly next?: string;
}

/** One model or other ledger at one revision. Records its reads for `Store.confirm`. */
export interface ReadView {
  readonly ledgerId: string;
  readonly modelKey: string;
  readonly revision: number;
  /** True for a deleted model, of which only the past is readable. */
  readonly deleted?: true;
  readModel(): Promise<Model>;
  find<N extends KindName>(kind: N, ref: Ref, owner?: string): Promise<ObjectByKind[N] | undefined>;
  /** Lists the objects of a kind in the model or in one owner, sorted by key. */
  list<N extends KindName>(kind: N, owner?: string, page?: Page): Promise<Rows<ObjectByKind[N]>>;
  /** Finds an object of a deleted owner with this key, which counts as free. */
  findOrphan<N extends KindName>(kind: N, key: string): Promise<ObjectByKind[N] | undefined>;
  /** Reads the whole content of the model; `lookBack` as in `Page`. */
  readContent(lookBack?: boolean): Promise<ModelContent>;
  readObjects(): Promise<Iterable<AnyObject>>;
  /** Reads everything at once, so that later reads are answered from memory. */
  preload(): Promise<void>;
  takeNextOrder(): number;
}

/** `ledgerId` of the ledger of users, actors and roles. */
export const IDENTITY_LEDGER = "identity";

/** `ledgerId` of the ledger of tag groups and global tags. */
export const TAGS_LEDGER = "tags";
