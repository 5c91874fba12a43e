import { Problem } from "../domain/problems.ts";
import { logKey } from "./keys.ts";
import { HEAD_ENTRIES, type LogEntry, logEntryOf, newestEntries } from "./log.ts";
import { Busy, type Seam } from "./seam.ts";
import type { Waiting } from "./waiting.ts";

/** The newest state of a ledger: its newest entry, and those before it that are laid over what is read. */
export interface Head {
  readonly entry: LogEntry;
  /** Oldest first, the newest included. */
  readonly recent: readonly LogEntry[];
}

/** The head of a ledger; undefined when it never began. */
export async function readHead(seam: Seam, ledger: string): Promise<Head | undefined> {
  const newestFirst = await newestEntries(seam, ledger, HEAD_ENTRIES);
  const entry = newestFirst[0];
  return entry && { entry, recent: newestFirst.toReversed() };
}

/**
 * The entry of a revision, or undefined while nobody has it. Asked serializably: a commit under way at that revision
 * makes the question wait, so an absence means that no commit with it was finished before.
 */
export async function entryAt(
  seam: Seam,
  ledger: string,
  revision: number,
  waiting: Waiting,
): Promise<LogEntry | undefined> {
  const [item] = await patiently(waiting, () => seam.transactGet([logKey(ledger, revision)]));
  return item && logEntryOf(item);
}

/** Asks again after a growing random pause while a transaction holds the item; `unavailable` when that goes on too long. */
export async function patiently<T>(waiting: Waiting, ask: () => Promise<T>): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Busy)) throw error;
      if (repeats >= MOST_REPEATS) {
        throw error.throttled
          ? new Problem("throttled", "the store is throttled; try again", { retryAfter: 1 })
          : new Problem("unavailable", "the store is busy; try again", { retryAfter: 1 });
      }
      await waiting.pause(repeats);
    }
  }
}

const MOST_REPEATS = 8;
