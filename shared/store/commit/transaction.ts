import type { AnswerRecord } from "../../actions/contract/answer.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import { itemBytes } from "../table/dynamo-rules/item-bytes.ts";
import { writePieces } from "../table/pieces.ts";
import type { Item, Table } from "../table/table.ts";
import { oncePerItem } from "./once-per-item.ts";
import { splitRecord } from "./records.ts";
import type { GuardedWrite } from "./writes.ts";

/** The writes of a transaction, and functions that write before it is sent; nobody sees their items unless it succeeds. */
export interface Planned {
  readonly writes: readonly GuardedWrite[];
  readonly before: readonly (() => Promise<void>)[];
}

/** Joins plans, in their order. */
export function together(...plans: readonly Planned[]): Planned {
  return { writes: plans.flatMap(({ writes }) => writes), before: plans.flatMap(({ before }) => before) };
}

/**
 * The transaction of a commit: its log item, the lock, comes first, and the record to keep, where the outcome is looked for,
 * last. `now` in seconds since the epoch.
 */
export function transactionOf(
  table: Table,
  log: Item,
  { writes, before }: Planned,
  record: AnswerRecord | undefined,
  now: number,
): Planned {
  const kept = record && splitRecord(record);
  return {
    writes: [
      { write: { put: log, expect: { absent: true } } },
      ...oncePerItem(writes),
      ...(kept ? [{ write: kept.write(now) }] : []),
    ],
    before: kept ? [...before, () => writePieces(table, kept.split)] : before,
  };
}

/** The items and bytes of a transaction, as its limits count them. */
function sizeOf(writes: readonly GuardedWrite[]): { readonly items: number; readonly bytes: number } {
  const bytes = writes.reduce((sum, { write }) => sum + ("put" in write ? itemBytes(write.put) : 0), 0);
  return { items: writes.length, bytes };
}

/** True for writes that fit one transaction. */
export function fits({ writes }: Planned): boolean {
  const { items, bytes } = sizeOf(writes);
  return items <= LIMITS.transactionItems && bytes <= LIMITS.transactionBytes;
}

/** `too_large` for writes that do not fit one transaction. */
export function checkFits(transaction: Planned): void {
  if (fits(transaction)) return;
  const { items, bytes } = sizeOf(transaction.writes);
  const holds = `one call may write ${LIMITS.transactionItems} items and ${LIMITS.transactionBytes} bytes`;
  throw new Problem("too_large", `${holds}; this one needs ${items} items and ${bytes} bytes${wayOut(transaction)}`);
}

function wayOut({ writes }: Planned): string {
  const locks = writes.filter(({ lock }) => lock);
  const named = locks.filter(({ write }) => "check" in write).length;
  if (named > 0) {
    return `. ${named} of the items are revisions of models that If-Match names and nothing is written to: name fewer`;
  }
  return locks.length > 0 ? ". A batch this large may write to one model: make a batch of each" : "";
}
