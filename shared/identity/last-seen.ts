import type { Ambient } from "../actions/contract/call.ts";
import { LIMITS } from "../domain/limits.ts";
import type { AccountStore } from "./accounts.ts";

/** Notes that an actor called. It never fails, and takes `LIMITS.seenMs` at most. */
export type NoteSeen = (actorId: string, accounts: AccountStore) => Promise<void>;

/** Actors that are remembered; then all are forgotten, and noted once more. */
const REMEMBERED = 10_000;
const APART_MS = LIMITS.seenMinutes * 60_000;

/** The memory of a process: an actor is noted once in `LIMITS.seenMinutes`, whatever becomes of the note. */
export function createNoteSeen({ now, sleep }: Ambient): NoteSeen {
  const noted = new Map<string, number>();
  return async (actorId, accounts) => {
    const moment = now();
    if (moment - (noted.get(actorId) ?? Number.NEGATIVE_INFINITY) < APART_MS) return;
    if (noted.size >= REMEMBERED) noted.clear();
    // Before it is written, so that of many calls at once one writes it.
    noted.set(actorId, moment);
    const ended = new AbortController();
    const noting = accounts.noteSeen(actorId, moment).catch(() => undefined);
    await Promise.race([noting.finally(() => ended.abort()), sleep(LIMITS.seenMs, ended.signal)]);
  };
}
