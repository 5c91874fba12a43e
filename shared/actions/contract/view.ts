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

/** Returns a page of the rows that a test accepts, as full as a page of all rows would be. */
export async function selectRows<T>(
  list: (page: Page) => Promise<Rows<T>>,
  page: Page,
  accepts: (row: T) => boolean,
  toPosition: (row: T) => string,
): Promise<Rows<T>> {
  const { limit = Number.POSITIVE_INFINITY } = page;
  const items: T[] = [];
  let after = page.after;
  do {
    const rows = await list({ ...page, ...(after !== undefined && { after }) });
    items.push(...rows.items.filter(accepts));
    after = rows.next;
    // One more than the limit shows that there is a next page.
  } while (after !== undefined && items.length <= limit);
  const last = items[limit - 1];
  return items.length > limit && last ? { items: items.slice(0, limit), next: toPosition(last) } : { items };
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
