import type { ItemKey } from "./keys.ts";

/** One stored item: its key, its format version and whatever else it holds. */
export interface Item extends ItemKey {
  readonly v: number;
  readonly [name: string]: unknown;
}

/** The format version every item is written with. */
export const FORMAT = 1;

/** A condition on the item in the table under which a write happens. */
export type Expectation =
  /** No condition: the write happens whatever is there. */
  | { readonly anything: true }
  | { readonly absent: true }
  /** The item is there and these attributes have these values. */
  | { readonly equal: Readonly<Record<string, string | number>> }
  /** The item is absent, or these attributes have these values. */
  | { readonly absentOrEqual: Readonly<Record<string, string | number>> }
  /** The item is absent, or expired before that many seconds since the epoch. */
  | { readonly absentOrExpired: number };

export type Write =
  | { readonly put: Item; readonly expect: Expectation }
  | { readonly delete: ItemKey; readonly expect: Expectation }
  | { readonly check: ItemKey; readonly expect: Expectation };

/** The part of a partition that a query reads, in the order of its sort keys. */
export interface Range {
  readonly pk: string;
  readonly prefix?: string;
  /** Sort keys from this one on, up to `to`, both included. */
  readonly from?: string;
  readonly to?: string;
  /** Sort keys after this one. */
  readonly after?: string;
  readonly limit?: number;
  readonly descending?: boolean;
}

export interface ItemPage {
  readonly items: readonly Item[];
  /** The sort key to go on after; absent at the end. */
  readonly more?: string;
}

/**
 * Every call the service makes to DynamoDB, each sent once; all reads are strongly consistent. What goes wrong is a
 * `ConditionFailed`, a `Contended` or an `OutcomeUnknown`; `retry.ts` says what becomes of these. Tests put faults and
 * counters below it.
 */
export interface Table {
  get(key: ItemKey): Promise<Item | undefined>;
  /** At most 100 keys; absent items are left out, in no order. `Unread` where the table did not look at all of them. */
  batchGet(keys: readonly ItemKey[]): Promise<readonly Item[]>;
  query(range: Range): Promise<ItemPage>;
  /** Serializable against transactions: `Contended` while one is under way on the item. */
  transactGet(keys: readonly ItemKey[]): Promise<readonly (Item | undefined)[]>;
  /** All or nothing. `ConditionFailed` tells for each write whether its expectation failed. */
  transactWrite(writes: readonly Write[]): Promise<void>;
  write(write: Write): Promise<void>;
  /** At most 25 items, unconditionally and never repeated on its own; answers those that were not written. */
  batchPut(items: readonly Item[]): Promise<readonly Item[]>;
  /** At most 25 keys; answers those that were not deleted. */
  batchDelete(keys: readonly ItemKey[]): Promise<readonly ItemKey[]>;
}

/** Expectations failed; nothing was written. `found` holds, by position, the item in the way where there was one. */
export class ConditionFailed extends Error {
  readonly failed: readonly boolean[];
  readonly found: readonly (Item | undefined)[];

  constructor(failed: readonly boolean[], found: readonly (Item | undefined)[]) {
    super("a condition was refused");
    this.failed = failed;
    this.found = found;
  }
}

/** Runs a write; false where its expectation failed. */
export async function tryWrite(write: () => Promise<void>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** Not done, and certainly not: throttled, or in conflict with a transaction under way. */
export class Contended extends Error {
  readonly throttled: boolean;

  constructor(throttled: boolean) {
    super(throttled ? "throttled" : "in conflict with another transaction");
    this.throttled = throttled;
  }
}

/** A batch of reads of which the table looked at a part: the items it found, and the keys that are left. */
export class Unread extends Contended {
  readonly items: readonly Item[];
  readonly left: readonly ItemKey[];

  constructor(items: readonly Item[], left: readonly ItemKey[]) {
    super(true);
    this.items = items;
    this.left = left;
  }
}

/** No answer: a write may have happened, or may still happen. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super("no answer from the store", { cause });
  }
}

/** The pages of a range, read as they are asked for. */
export async function* readPages(table: Table, range: Range): AsyncGenerator<readonly Item[]> {
  let after = range.after;
  do {
    const page = await table.query({ ...range, ...(after !== undefined && { after }) });
    yield page.items;
    after = page.more;
  } while (after !== undefined);
}

/** The items of a range, read page after page as they are asked for. */
export async function* readItems(table: Table, range: Range): AsyncGenerator<Item> {
  for await (const items of readPages(table, range)) yield* items;
}
