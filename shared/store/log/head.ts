import { IDENTITY, logKey, summaryKey, TAGS } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { HEAD_ENTRIES, type LogEntry, logEntryOf, newestEntries } from "./log.ts";

/** The newest state of a ledger: its newest log entry, and the recent ones that are applied to objects that were read. */
export interface Head {
  readonly entry: LogEntry;
  /** Oldest first, the newest included. */
  readonly recent: readonly LogEntry[];
}

/** The head of a ledger; undefined when it never began. */
export async function readHead(table: Table, ledger: string): Promise<Head | undefined> {
  const newestFirst = await newestEntries(table, ledger, HEAD_ENTRIES);
  const entry = newestFirst[0];
  return entry && { entry, recent: newestFirst.toReversed() };
}

/**
 * The entry of a revision, or undefined while nobody has it, by one strongly consistent read: every commit that was answered
 * is found, one that is under way may be or not.
 */
export async function entryNow(table: Table, ledger: string, revision: number): Promise<LogEntry | undefined> {
  const item = await table.get(logKey(ledger, revision));
  return item && logEntryOf(item);
}

/**
 * The entry of a revision, or undefined while nobody has it. Asked serializably: a commit under way at that revision
 * makes the question wait, so an absence means that no commit with it was finished before.
 */
export async function entryAt(table: Table, ledger: string, revision: number): Promise<LogEntry | undefined> {
  const [item] = await table.transactGet([logKey(ledger, revision)]);
  return item && logEntryOf(item);
}

/**
 * The id of the operation that has a revision, or undefined while nobody has it; asked as `entryAt` asks. No log entry
 * is applied to the row of a model in the list, so this waits until it shows as well, so that a caller that hears of
 * the commit finds the model in the list.
 */
export async function operationAt(table: Table, ledger: string, revision: number): Promise<string | undefined> {
  const [item] = await table.transactGet([logKey(ledger, revision)]);
  if (!item) return undefined;
  if (ledger !== TAGS.model && ledger !== IDENTITY) await table.transactGet([summaryKey(String(item.key))]);
  return String(item.operation);
}
