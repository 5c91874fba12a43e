import { LIMITS } from "../../domain/limits.ts";
import type { PublicKeyStore } from "../../identity/tokens/kms-keys.ts";
import type { PublicJwk } from "../../identity/tokens/mint-token.ts";
import { publicKeyKey, seenKey } from "../table/keys.ts";
import { type RetryingTable, requireKnownFormat } from "../table/retry.ts";
import { FORMAT, type Table, tryWrite } from "../table/table.ts";
import { TABLE } from "../table/table-schema.ts";

const KEPT_SECONDS = LIMITS.seenDays * 86_400;
const INTERVAL_SECONDS = LIMITS.seenMinutes * 60;

/** See `AccountStore.noteSeen`. Written without a read and never repeated: the next one follows within an hour. */
export async function noteSeen(plainTable: Table, actorId: string, now: number): Promise<void> {
  const seconds = Math.floor(now / 1000);
  // The item expires a fixed time after the call, so its expiry gives the time of the call.
  const put = { ...seenKey(actorId), v: FORMAT, [TABLE.timeToLive]: seconds + KEPT_SECONDS };
  // A failed expectation means that another process noted a call within the hour.
  await tryWrite(() =>
    plainTable.write({ put, expect: { absentOrExpired: seconds + KEPT_SECONDS - INTERVAL_SECONDS + 1 } }),
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

/** Creates the store of public keys: one item each, which never changes. */
export function createPublicKeyStore(connect: () => Table): PublicKeyStore {
  return {
    get: async (keyId) => {
      const item = await connect().get(publicKeyKey(keyId));
      requireKnownFormat([item]);
      return item?.jwk as PublicJwk | undefined;
    },
    put: async (keyId, jwk) => {
      const put = { ...publicKeyKey(keyId), v: FORMAT, jwk };
      await tryWrite(() => connect().write({ put, expect: { absent: true } }));
    },
  };
}
