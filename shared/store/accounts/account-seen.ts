import { LIMITS } from "../../domain/limits.ts";
import { seenKey } from "../table/keys.ts";
import { ConditionFailed, FORMAT, type Table } from "../table/table.ts";
import { TABLE } from "../table/table-schema.ts";

const KEPT = LIMITS.seenDays * 86_400;
const APART = LIMITS.seenMinutes * 60;
/** Keys that one request reads. */
const BATCH = 100;

/**
 * See `AccountStore.noteSeen`. Written without reading first and not repeated: a lost write is made up for an hour
 * later.
 */
export async function noteSeen(plainTable: Table, actorId: string, now: number): Promise<void> {
  const seen = Math.floor(now / 1000);
  // The item expires a fixed time after it was written, so its time to live gives the time of the call.
  const put = { ...seenKey(actorId), v: FORMAT, [TABLE.timeToLive]: seen + KEPT };
  try {
    await plainTable.write({ put, expect: { absentOrExpired: seen + KEPT - APART + 1 } });
  } catch (error) {
    // Another process noted it within the hour.
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

/** See `AccountStore.lastSeen`. */
export async function lastSeen(table: Table, actorIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const batches = Array.from({ length: Math.ceil(actorIds.length / BATCH) }, (_, i) =>
    table.batchGet(actorIds.slice(i * BATCH, (i + 1) * BATCH).map(seenKey)),
  );
  const items = (await Promise.all(batches)).flat();
  const prefix = seenKey("").sk;
  return new Map(
    items.map((item) => [
      item.sk.slice(prefix.length),
      new Date((Number(item[TABLE.timeToLive]) - KEPT) * 1000).toISOString(),
    ]),
  );
}
