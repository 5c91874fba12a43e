import { LIMITS } from "../../domain/limits.ts";
import type { PublicKeyStore } from "../../identity/kms-keys.ts";
import type { PublicJwk } from "../../identity/signing-keys.ts";
import { publicKeyKey, seenKey } from "../table/keys.ts";
import type { RetryingTable } from "../table/retry.ts";
import { FORMAT, type Table, tryWrite } from "../table/table.ts";
import { TABLE } from "../table/table-schema.ts";

const KEPT_SECONDS = LIMITS.seenDays * 86_400;
const INTERVAL_SECONDS = LIMITS.seenMinutes * 60;

/** See `AccountStore.noteSeen`. Written without reading first and not repeated: a lost write is made up for an hour later. */
export async function noteSeen(plainTable: Table, actorId: string, now: number): Promise<void> {
  const seen = Math.floor(now / 1000);
  // The item expires a fixed time after it was written, so its time to live gives the time of the call.
  const put = { ...seenKey(actorId), v: FORMAT, [TABLE.timeToLive]: seen + KEPT_SECONDS };
  // Refused, another process noted the call within the hour.
  await tryWrite(() =>
    plainTable.write({ put, expect: { absentOrExpired: seen + KEPT_SECONDS - INTERVAL_SECONDS + 1 } }),
  );
}

/** See `AccountStore.lastSeen`. */
export async function readLastSeen(
  table: RetryingTable,
  actorIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const items = await table.batchGet(actorIds.map(seenKey));
  const prefix = seenKey("").sk;
  return new Map(
    items.map((item) => [
      item.sk.slice(prefix.length),
      new Date((Number(item[TABLE.timeToLive]) - KEPT_SECONDS) * 1000).toISOString(),
    ]),
  );
}

/** The public halves of signing keys as the table keeps them: one item for each key, which never changes. */
export function createPublicKeyStore(connect: () => Table): PublicKeyStore {
  return {
    get: async (keyId) => (await connect().get(publicKeyKey(keyId)))?.jwk as PublicJwk | undefined,
    put: async (keyId, jwk) => {
      const put = { ...publicKeyKey(keyId), v: FORMAT, jwk };
      await tryWrite(() => connect().write({ put, expect: { absent: true } }));
    },
  };
}
