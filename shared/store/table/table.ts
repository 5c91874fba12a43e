import type { Problem } from "../../domain/problems.ts";
import type { ItemKey } from "./keys.ts";

/** One stored item: its key, its format version and other members. */
export interface Item extends ItemKey {
  readonly v: number;
  readonly [name: string]: unknown;
}

export const FORMAT = 1;

/** Condition of a write on the stored item. */
export type Expectation =
  | { readonly anything: true }
  | { readonly absent: true }
  | { readonly equal: Readonly<Record<string, string | number>> }
  | { readonly absentOrEqual: Readonly<Record<string, string | number>> }
  /** The item is absent, or expired before this time in seconds since the epoch. */
  | { readonly absentOrExpired: number };

/** Write of one item, or a check of one. */
export type Write = ({ readonly put: Item } | { readonly delete: ItemKey } | { readonly check: ItemKey }) & {
  readonly expect: Expectation;
  /** Creates the problem of the caller if the expectation fails. Without one the call decides again. */
  readonly createProblem?: () => Problem;
  /** True for another ledger's log entry: a failed expectation means a commit there. */
  readonly lock?: true;
};

/** Returns the key of the item that a write concerns. */
export function getWriteKey(write: Write): ItemKey {
  if ("put" in write) return write.put;
  return "delete" in write ? write.delete : write.check;
}

/** Part of a partition that a query reads, in the order of sort keys. */
export interface Range {
  readonly pk: string;
  readonly prefix?: string;
  /** First sort key; the range ends with `to`, and both are included. */
  readonly from?: string;
  readonly to?: string;
  readonly after?: string;
  readonly limit?: number;
  readonly descending?: boolean;
}

export interface ItemPage {
  readonly items: readonly Item[];
  readonly more?: string;
}

/** Calls to DynamoDB, sent once, reads strongly consistent. Throw `ConditionFailed`, `Contention`, `OutcomeUnknown`. */
export interface Table {
  get(key: ItemKey): Promise<Item | undefined>;
  /** Reads at most 100 keys. Returns the items found, in no order. Throws `Unread` if some keys were not read. */
  batchGet(keys: readonly ItemKey[]): Promise<readonly Item[]>;
  query(range: Range): Promise<ItemPage>;
  /** Reads serializably. Throws `Contention` while a transaction on the items is under way. */
  transactGet(keys: readonly ItemKey[]): Promise<readonly (Item | undefined)[]>;
  /** Writes all or nothing. Throws `ConditionFailed` with the failed expectations. */
  transactWrite(writes: readonly Write[]): Promise<void>;
  write(write: Write): Promise<void>;
  /** Writes at most 25 items without conditions and without repeats. Returns the items that were not written. */
  batchPut(items: readonly Item[]): Promise<readonly Item[]>;
  /** Deletes at most 25 keys. Returns those that were not deleted. */
  batchDelete(keys: readonly ItemKey[]): Promise<readonly ItemKey[]>;
}

/** Expectations failed and nothing was written. `items` holds existing items. */
export class ConditionFailed extends Error {
  readonly faults: readonly boolean[];
  readonly items: readonly (Item | undefined)[];

  constructor(faults: readonly boolean[], items: readonly (Item | undefined)[]) {
    super("a condition was refused");
    this.faults = faults;
    this.items = items;
  }
}

/** Runs a write. Returns false if its expectation failed. */
export async function tryWrite(write: () => Promise<void>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** Certainly not done: throttled, or in conflict with a transaction under way. */
export class Contention extends Error {
  readonly throttled: boolean;

  constructor(isThrottled: boolean) {
    super(isThrottled ? "throttled" : "in conflict with another transaction");
    this.throttled = isThrottled;
  }
}

/** A batch of reads that was answered in part. */
export class Unread extends Contention {
  readonly items: readonly Item[];
  readonly left: readonly ItemKey[];

  constructor(items: readonly Item[], left: readonly ItemKey[]) {
    super(true);
    this.items = items;
    this.left = left;
  }
}

/** No answer: the write may have happened or may still happen. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super("no answer from the store", { cause });
  }
}

/** Reads the pages of a range lazily. */
export async function* readPages(table: Table, range: Range): AsyncGenerator<readonly Item[]> {
  let after = range.after;
  do {
    const page = await table.query({ ...range, ...(after !== undefined && { after }) });
    yield page.items;
    after = page.more;
  } while (after !== undefined);
}

/** Reads the items of a range lazily, page by page. */
export async function* readItems(table: Table, range: Range): AsyncGenerator<Item> {
  for await (const items of readPages(table, range)) yield* items;
}
