import { AsyncLocalStorage } from "node:async_hooks";
import type { ItemKey } from "../../../shared/store/table/keys.ts";
import { ConditionFailed, FORMAT, getWriteKey, type Item, type Table } from "../../../shared/store/table/table.ts";

/** Work during which a later version wrote the item that the `nth` read finds first. */
interface Work {
  readonly nth: number;
  reads: number;
  newer: ItemKey | undefined;
  isWrittenBack: boolean;
}

/** Returns a table in which a later version writes an item during some work. Reads that find nothing do not count. */
export function createNewerTable(inner: Table) {
  // A failed call may leave reads under way, which belong to it and not to the next call.
  const current = new AsyncLocalStorage<Work>();
  const isNewer = ({ pk, sk }: ItemKey) => {
    const newer = current.getStore()?.newer;
    return pk === newer?.pk && sk === newer.sk;
  };
  const raise = <T extends Item | undefined>(items: readonly T[]): readonly T[] => {
    const item = items.find((one) => one !== undefined);
    const work = current.getStore();
    if (!item || !work) return items;
    work.reads += 1;
    if (work.reads === work.nth) work.newer = item;
    return items.map((one) => (one && isNewer(one) ? { ...one, v: FORMAT + 1 } : one));
  };
  const write = async <T>(keys: readonly ItemKey[], send: () => Promise<T>): Promise<T> => {
    const work = current.getStore();
    if (work && keys.some(isNewer)) work.isWrittenBack = true;
    try {
      return await send();
    } catch (error) {
      throw error instanceof ConditionFailed ? new ConditionFailed(error.faults, raise(error.items)) : error;
    }
  };
  const table: Table = {
    get: async (key) => raise([await inner.get(key)])[0],
    batchGet: async (keys) => raise(await inner.batchGet(keys)),
    query: async (range) => {
      const page = await inner.query(range);
      return { ...page, items: raise(page.items) };
    },
    transactGet: async (keys) => raise(await inner.transactGet(keys)),
    write: (one) => write([getWriteKey(one)], () => inner.write(one)),
    transactWrite: (writes) => write(writes.map(getWriteKey), () => inner.transactWrite(writes)),
    batchPut: (items) => write(items, () => inner.batchPut(items)),
    batchDelete: (keys) => write(keys, () => inner.batchDelete(keys)),
  };
  /** Runs work. Returns its result, the place of the newer item, if any, and whether the work wrote there. */
  const run = async <T>(nth: number, work: () => Promise<T>) => {
    const running: Work = { nth, reads: 0, newer: undefined, isWrittenBack: false };
    const result = await current.run(running, work);
    const { newer, isWrittenBack } = running;
    return { result, place: newer && `${newer.pk} ${newer.sk}`, isWrittenBack };
  };
  return { table, run };
}
