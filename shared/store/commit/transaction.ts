import type { AnswerRecord } from "../../actions/contract/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import { countItemBytes } from "../table/dynamo-rules.ts";
import { isMoved } from "../table/items.ts";
import type { ItemKey } from "../table/keys.ts";
import { writePieces } from "../table/pieces.ts";
import type { Item, Table, Write } from "../table/table.ts";
import { splitRecord } from "./records.ts";
import type { PlannedWrite } from "./writes.ts";

/** Writes of a transaction, and functions that write before it is sent. Their items count only if it succeeds. */
export interface CommitPlan {
  readonly writes: readonly PlannedWrite[];
  readonly before: readonly (() => Promise<void>)[];
}

/** Joins plans in their order. */
export function joinPlans(...plans: readonly CommitPlan[]): CommitPlan {
  const joined = plans.filter(({ writes, before }) => writes.length > 0 || before.length > 0);
  if (joined.length === 1 && joined[0]) return joined[0];
  return { writes: joined.flatMap(({ writes }) => writes), before: joined.flatMap(({ before }) => before) };
}

/**
 * Creates the transaction of a commit. Its log item, the lock, comes first; the idempotency record comes last. `now` is
 * in seconds since the epoch.
 */
export function createTransaction(
  table: Table,
  log: Item,
  { writes, before }: CommitPlan,
  record: AnswerRecord | undefined,
  now: number,
): CommitPlan {
  const kept = record && splitRecord(record);
  return {
    writes: [
      { write: { put: log, expect: { absent: true } } },
      ...mergeWritesPerItem(writes),
      ...(kept ? [{ write: kept.write(now) }] : []),
    ],
    before: kept ? [...before, () => writePieces(table, kept.split)] : before,
  };
}

/** Counts the items and bytes of a transaction. */
function measureTransaction(writes: readonly PlannedWrite[]): { readonly items: number; readonly bytes: number } {
  const bytes = writes.reduce((sum, { write }) => sum + ("put" in write ? countItemBytes(write.put) : 0), 0);
  return { items: writes.length, bytes };
}

/** Returns true if the writes fit into one transaction. */
export function fits({ writes }: CommitPlan): boolean {
  const { items, bytes } = measureTransaction(writes);
  return items <= LIMITS.transactionItems && bytes <= LIMITS.transactionBytes;
}

/** Throws `too_large` if the writes do not fit into one transaction. */
export function checkFits(transaction: CommitPlan): void {
  if (fits(transaction)) return;
  const { items, bytes } = measureTransaction(transaction.writes);
  const holds = `one call may write ${LIMITS.transactionItems} items and ${LIMITS.transactionBytes} bytes`;
  throw new Problem(
    "too_large",
    `${holds}; this one needs ${items} items and ${bytes} bytes${suggestSmallerCommit(transaction)}`,
  );
}

function suggestSmallerCommit({ writes }: CommitPlan): string {
  const locks = writes.filter(({ lock }) => lock);
  const named = locks.filter(({ write }) => "check" in write).length;
  if (named > 0) {
    return `. ${named} of the items are revisions of models that If-Match names and nothing is written to: name fewer`;
  }
  return locks.length > 0 ? ". A batch this large may write to one model: make a batch of each" : "";
}

/**
 * Merges writes so that each item has at most one: DynamoDB rejects two. If one object leaves a key and another
 * arrives, the new object overwrites the item that was read there.
 */
function mergeWritesPerItem(writes: readonly PlannedWrite[]): readonly PlannedWrite[] {
  const byItem = new Map<string, PlannedWrite>();
  for (const one of writes) {
    const name = toItemName(one.write);
    const other = byItem.get(name);
    byItem.set(name, other ? mergeWrites(other, one) : one);
  }
  return [...byItem.values()];
}

function mergeWrites(a: PlannedWrite, b: PlannedWrite): PlannedWrite {
  if ("check" in a.write) return b;
  if ("check" in b.write) return a;
  const [coming, leaving] = isDeparture(a.write) ? [b, a] : [a, b];
  if (!isDeparture(leaving.write)) throw new Error(`${toItemName(a.write)} is written twice`);
  if (isDeparture(coming.write)) return "anything" in coming.write.expect ? leaving : coming;
  // The item that was read must still be there, unless the arriving object expects it itself.
  const expect = "equal" in coming.write.expect ? coming.write.expect : leaving.write.expect;
  return { write: { ...coming.write, expect } };
}

/** Returns true for a write that removes an object or a model from a key. */
function isDeparture(write: Write): boolean {
  return "delete" in write || ("put" in write && isMoved(write.put));
}

function toItemName(write: Write): string {
  const { pk, sk }: ItemKey = "put" in write ? write.put : "delete" in write ? write.delete : write.check;
  return `${pk}\n${sk}`;
}
