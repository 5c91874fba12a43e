import {
  checkBatchDelete,
  checkBatchGet,
  checkBatchPut,
  checkKey,
  checkRange,
  checkTransactGet,
  checkTransactGetBytes,
  checkTransactWrite,
  checkWrite,
  countAnsweredKeys,
  countWriteUnits,
  meetsExpectation,
  TRANSACTION_FACTOR,
  takePage,
} from "../../../shared/store/table/dynamo-rules.ts";
import type { ItemKey } from "../../../shared/store/table/keys.ts";
import {
  ConditionFailed,
  Contention,
  type Item,
  type ItemPage,
  type Range,
  Unread,
  type Write,
} from "../../../shared/store/table/table.ts";
import { type Capacity, createMeter } from "./capacity.ts";
import { copyOf, inRange, type Partition, type Row, showNow, shownAt, type Version, versionOf } from "./partitions.ts";

/** Table in memory. Transactions and single requests are serializable, queries and batches of reads read committed. */
export interface SimulatedTable {
  get(key: ItemKey): Item | undefined;
  batchGet(keys: readonly ItemKey[]): readonly Item[];
  query(range: Range): ItemPage;
  transactGet(keys: readonly ItemKey[]): readonly (Item | undefined)[];
  /** Applies all or nothing; the row of each write shows to queries, and is let go, that many milliseconds later. */
  transactWrite(writes: readonly Write[], delays?: readonly number[]): void;
  /** Shows queries what a transaction wrote to these keys, if it does not show yet. */
  show(keys: readonly ItemKey[]): void;
  write(write: Write): void;
  batchPut(items: readonly Item[]): readonly Item[];
  batchDelete(keys: readonly ItemKey[]): readonly ItemKey[];
  items(): Iterable<Item>;
  /** Another table with the same items, at rest. */
  copy(options: TableOptions): SimulatedTable;
}

export interface TableOptions {
  readonly now: () => number;
  /** Rows after which a page ends, as with large items after 1 MB. */
  readonly pageRows?: number;
  /** Units a partition takes in a second; everything unless given. */
  readonly capacity?: Capacity;
  /** Called with the capacity units of every call that tells them. */
  readonly onCapacity?: (operation: string, units: number) => void;
}

export function createSimulatedTable(options: TableOptions): SimulatedTable {
  return tableOf(new Map(), options);
}

function tableOf(partitions: Map<string, Partition>, options: TableOptions): SimulatedTable {
  const { now, pageRows, capacity } = options;
  const meter = createMeter(capacity, now);
  const count = options.onCapacity ?? (() => undefined);

  const rowAt = ({ pk, sk }: ItemKey): Row | undefined => partitions.get(pk)?.rows.get(sk);
  const newest = (key: ItemKey): Version | undefined => rowAt(key)?.versions.at(-1);
  const isHeld = (key: ItemKey) => (rowAt(key)?.heldUntil ?? 0) > now();

  const set = ({ pk, sk }: ItemKey, item: Item | undefined, bytes: number, shownFrom: number) => {
    const partition: Partition = partitions.get(pk) ?? { rows: new Map(), sorted: [] };
    partitions.set(pk, partition);
    versionOf(partition, sk, { item, bytes, shownFrom }, now());
  };

  const apply = (write: Write, bytes: number, shownFrom: number) => {
    if ("put" in write) set(write.put, frozen(write.put) as Item, bytes, shownFrom);
    else if ("delete" in write) {
      if (rowAt(write.delete)) set(write.delete, undefined, 0, shownFrom);
    } else {
      const row = rowAt(write.check);
      if (row) row.heldUntil = Math.max(row.heldUntil, shownFrom);
    }
  };

  /** Takes the rows of a batch in order, and returns those left; refuses a batch of which it takes none. */
  const inBatch = <T extends ItemKey>(rows: readonly T[], take: (row: T, i: number) => number): readonly T[] => {
    const left: T[] = [];
    let units = 0;
    let throttled = false;
    for (const [i, row] of rows.entries()) {
      try {
        if (isHeld(row)) throw new Contention(false);
        units += take(row, i);
      } catch (error) {
        if (!(error instanceof Contention)) throw error;
        throttled ||= error.throttled;
        left.push(row);
      }
    }
    if (left.length > 0 && left.length === rows.length) throw new Contention(throttled);
    count("batchWrite", units);
    return left;
  };

  return {
    get: (key) => {
      checkKey(key);
      const version = newest(key);
      count("get", meter.read(key.pk, version?.bytes ?? 0));
      return version?.item;
    },
    batchGet: (keys) => {
      checkBatchGet(keys);
      const versions = keys.map((key) => {
        const row = rowAt(key);
        return row && shownAt(row, now());
      });
      const most = countAnsweredKeys(versions.map((version) => version?.bytes ?? 0));
      const items: Item[] = [];
      let units = 0;
      const left = keys.filter((key, i) => {
        const taken = i < most ? meter.readOfBatch(key.pk, versions[i]?.bytes ?? 0) : 0;
        if (taken === 0) return true;
        units += taken;
        const item = versions[i]?.item;
        if (item) items.push(item);
        return false;
      });
      count("batchGet", units);
      if (left.length > 0) throw new Unread(items, left);
      return items;
    },
    query: (range) => {
      checkRange(range);
      const rows = inRange(partitions.get(range.pk), range, now());
      const limit = Math.min(range.limit ?? Number.POSITIVE_INFINITY, pageRows ?? Number.POSITIVE_INFINITY);
      const page = takePage(rows, ({ bytes }) => bytes, limit);
      count("query", meter.read(range.pk, page.bytes));
      const items = page.rows.map(({ item }) => item as Item);
      const last = items.at(-1);
      return { items, ...(page.more && last && { more: last.sk }) };
    },
    transactGet: (keys) => {
      checkTransactGet(keys);
      if (keys.some(isHeld)) throw new Contention(false);
      const found = keys.map(newest);
      checkTransactGetBytes(sum(found.map((version) => version?.bytes ?? 0)));
      const units = keys.map(({ pk }, i) => meter.read(pk, found[i]?.bytes ?? 0, TRANSACTION_FACTOR));
      count("transactGet", sum(units));
      return found.map((version) => version?.item);
    },
    transactWrite: (writes, delays = []) => {
      const sizes = checkTransactWrite(writes);
      if (writes.some((write) => isHeld(keyOf(write)))) throw new Contention(false);
      const found = writes.map((write) => newest(keyOf(write)));
      const failed = writes.map((write, i) => !meetsExpectation(write.expect, found[i]?.item));
      const items = found.map((version, i) => (failed[i] ? version?.item : undefined));
      if (failed.some(Boolean)) throw new ConditionFailed(failed, items);
      const unitsOf = (i: number) => TRANSACTION_FACTOR * countWriteUnits(found[i]?.bytes ?? 0, sizes[i] ?? 0);
      const units = meter.transact(writes.map((write, i) => [keyOf(write).pk, unitsOf(i)] as const));
      for (const [i, write] of writes.entries()) apply(write, sizes[i] ?? 0, now() + (delays[i] ?? 0));
      count("transactWrite", units);
    },
    show: (keys) => {
      for (const key of keys) {
        const row = rowAt(key);
        if (row) showNow(row, now());
      }
    },
    write: (write) => {
      const bytes = checkWrite(write);
      const key = keyOf(write);
      if (isHeld(key)) throw new Contention(false);
      const found = newest(key);
      const units = meter.write(key.pk, countWriteUnits(found?.bytes ?? 0, bytes));
      if (!meetsExpectation(write.expect, found?.item)) throw new ConditionFailed([true], [undefined]);
      apply(write, bytes, now());
      count("write", units);
    },
    batchPut: (items) => {
      const sizes = checkBatchPut(items);
      return inBatch(items, (put, i) => {
        const units = meter.write(put.pk, countWriteUnits(newest(put)?.bytes ?? 0, sizes[i] ?? 0));
        apply({ put, expect: ANYTHING }, sizes[i] ?? 0, now());
        return units;
      });
    },
    batchDelete: (keys) => {
      checkBatchDelete(keys);
      return inBatch(keys, (key) => {
        const units = meter.write(key.pk, countWriteUnits(newest(key)?.bytes ?? 0, 0));
        apply({ delete: key, expect: ANYTHING }, 0, now());
        return units;
      });
    },
    *items() {
      for (const { rows } of partitions.values()) {
        for (const { versions } of rows.values()) {
          const item = versions.at(-1)?.item;
          if (item) yield item;
        }
      }
    },
    copy: (other) => tableOf(new Map([...partitions].map(([pk, partition]) => [pk, copyOf(partition)])), other),
  };
}

const ANYTHING = { anything: true } as const;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

/** The key a write concerns. */
export function keyOf(write: Write): ItemKey {
  return "put" in write ? write.put : "delete" in write ? write.delete : write.check;
}

/** A copy as DynamoDB keeps it, without a value that is not there and without -0; whoever tried to change it would meet an error. */
function frozen(value: unknown): unknown {
  if (value === 0) return 0;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (Array.isArray(value)) return Object.freeze(value.filter((one) => one !== undefined).map(frozen));
  const copy: Record<string, unknown> = {};
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) copy[name] = frozen(member);
  }
  return Object.freeze(copy);
}
