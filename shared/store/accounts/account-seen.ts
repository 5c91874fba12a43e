import { LIMITS } from "../../domain/limits.ts";
import { seenKey } from "../table/keys.ts";
import type { RetryingTable } from "../table/retry.ts";
import { FORMAT, isWritten, type Table } from "../table/table.ts";
import { TABLE } from "../table/table-schema.ts";

const KEPT = LIMITS.seenDays * 86_400;
const APART = LIMITS.seenMinutes * 60;

/** See `AccountStore.noteSeen`. Written without reading first and not repeated: a lost write is made up for an hour later. */
export async function noteSeen(plainTable: Table, actorId: string, now: number): Promise<void> {
  const seen = Math.floor(now / 1000);
  // The item expires a fixed time after it was written, so its time to live gives the time of the call.
  const put = { ...seenKey(actorId), v: FORMAT, [TABLE.timeToLive]: seen + KEPT };
  // Refused, another process noted the call within the hour.
  await isWritten(() => plainTable.write({ put, expect: { absentOrExpired: seen + KEPT - APART + 1 } }));
}

/** See `AccountStore.lastSeen`. */
export async function lastSeen(
  table: RetryingTable,
  actorIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const items = await table.batchGet(actorIds.map(seenKey));
  const prefix = seenKey("").sk;
  return new Map(
    items.map((item) => [
      item.sk.slice(prefix.length),
      new Date((Number(item[TABLE.timeToLive]) - KEPT) * 1000).toISOString(),
    ]),
  );
}
