import type { AnswerRecord, Call } from "../../actions/contract/call.ts";
import type { Commit, Part, Requirement } from "../../actions/contract/store.ts";
import { LIMITS } from "../../domain/limits.ts";
import { optionalMember } from "../../domain/model/content.ts";
import { Problem } from "../../domain/problems.ts";
import {
  createLogEntry,
  isTooLargeForEntry,
  type LedgerFacts,
  readNewestEntries,
  toLogChange,
  toLogItem,
} from "../log/log.ts";
import type { StoreContext } from "../read/contexts.ts";
import type { ModelView } from "../read/view.ts";
import { countItemBytes } from "../table/dynamo-rules.ts";
import { isMoved, toObjectKey } from "../table/items.ts";
import { IDENTITY, type ItemKey, logKey, TAGS } from "../table/keys.ts";
import { writePieces } from "../table/pieces.ts";
import type { Item, Table, Write } from "../table/table.ts";
import { createAccountWrites } from "./account-writes.ts";
import { splitRecord } from "./records.ts";
import { planBlobs, spillChanges } from "./snapshot-writes.ts";
import { createLedgerWrites, type PlannedWrite, type SnapshotPart } from "./writes.ts";

/**
 * Plans the one transaction of a commit. Returns undefined if the commit has to be published as a generation. Throws
 * `too_large` if neither is possible. A dry run makes the same plan, so that it counts the same items.
 */
export async function planCommit(
  context: StoreContext,
  view: ModelView,
  commit: Commit & SnapshotPart,
  call: Call,
): Promise<CommitPlan | undefined> {
  const { alongside = [], changes } = commit;
  // A job ends with the transaction that publishes its generation.
  if (commit.publish || commit.job) return undefined;
  // A generation belongs to one model. Other ledgers have none.
  const isModel = view.ledgerId !== TAGS.model && view.ledgerId !== IDENTITY;
  const mayPublish = alongside.length === 0 && isModel;
  if (mayPublish && changes.length >= LIMITS.transactionItems) return undefined;
  const { log, planned } = await planLog(context, view, commit, call, commit.requires);
  const all = joinPlans(
    planned,
    toPlan(createLedgerWrites(view.partition, commit, view.revision + 1, call)),
    toPlan(await planAccountWrites(context.table, view, commit, call)),
    await planOtherWrites(context, commit, call),
  );
  const now = Math.floor(Date.parse(call.time) / 1000);
  const transaction = createTransaction(context.table, log, all, commit.record, now);
  if (mayPublish) return fits(transaction) ? transaction : undefined;
  checkFits(transaction);
  return transaction;
}

const toPlan = (writes: readonly PlannedWrite[]): CommitPlan => ({ writes, before: [] });

/** Plans the writes to other ledgers, each with its lock, and the checks of required objects and revisions. */
export async function planOtherWrites(
  context: StoreContext,
  { alongside = [], requires = [], expectedRevisions = [] }: Commit,
  call: Call,
): Promise<CommitPlan> {
  const parts: CommitPlan[] = [];
  for (const { view, ...part } of alongside) {
    // Callers pass only views that this store created.
    const mine = view as ModelView;
    const { log, planned } = await planLog(context, mine, part, call, requires);
    const lock: PlannedWrite = { write: { put: log, expect: { absent: true } }, lock: true };
    parts.push(toPlan([lock]), planned, toPlan(createLedgerWrites(mine.partition, part, mine.revision + 1, call)));
  }
  const checks = requires.map(({ view, object }): PlannedWrite => {
    const { partition } = view as ModelView;
    return { write: { check: toObjectKey(partition, object), expect: { equal: { id: object.id } } } };
  });
  // No log entry may follow the expected revision.
  const unmoved = expectedRevisions.map(({ ledgerId, revision }): PlannedWrite => {
    return { write: { check: logKey(ledgerId, revision + 1), expect: { absent: true } }, lock: true };
  });
  return joinPlans(...parts, toPlan(checks), toPlan(unmoved));
}

/** Plans the log item of a commit, its blob if the changes are too large for the item, and its snapshots. */
async function planLog(
  context: StoreContext,
  view: ModelView,
  part: SnapshotPart,
  call: Call,
  requires: readonly Requirement[] = [],
): Promise<{ readonly log: Item; readonly planned: CommitPlan }> {
  const tags = await readTagsRevision(context.table, view, part.tagsSeen, requires);
  const changes = part.changes.map(toLogChange);
  const entry = {
    ...createLogEntry(view.revision + 1, computeFacts(view, part), call, changes, tags, part.actions),
    ...optionalMember("release", part.release),
    ...optionalMember("snapshot", part.snapshotName),
    ...optionalMember(
      "keeps",
      part.blobs?.map(({ name }) => name),
    ),
  };
  const beside = planBlobs(context, view, part, call);
  if (!isTooLargeForEntry(changes)) return { log: toLogItem(view.ledgerId, entry), planned: beside };
  const spilled = spillChanges(context, view.ledgerId, entry);
  return { log: toLogItem(view.ledgerId, spilled.entry), planned: joinPlans(beside, spilled.planned) };
}

/**
 * Plans the additional writes of a commit to the ledger of accounts. Few calls need the code, so it is loaded lazily.
 */
async function planAccountWrites(
  table: Table,
  view: ModelView,
  commit: Commit,
  call: Call,
): Promise<readonly PlannedWrite[]> {
  if (view.ledgerId !== IDENTITY) return [];
  return createAccountWrites(table, commit, view.revision + 1, call);
}

/**
 * Returns the revision of the global tags that the commit sees. A model without global tags has 0 and costs no read.
 * After its first one every commit reads it, so that a past state can show the tags of its time.
 */
export async function readTagsRevision(
  table: Table,
  view: ModelView,
  seen: number | undefined,
  requires: readonly Requirement[] = [],
): Promise<number> {
  const before = view.head?.entry.tags ?? 0;
  if (seen === undefined && before > 0) {
    const [newest] = await readNewestEntries(table, TAGS.model, 1);
    return Math.max(before, newest?.revision ?? 0);
  }
  // A tag may become visible before the log entry of its commit.
  const required = requires.filter((one) => one.view.ledgerId === TAGS.model).map(({ object }) => object.revision);
  return Math.max(before, seen ?? 0, ...required);
}

/** Returns the model facts for the new entry. */
export function computeFacts(view: ModelView, part: Part): LedgerFacts {
  let key = view.modelKey;
  let state: LedgerFacts["state"] = "live";
  for (const change of part.changes) {
    if (change.does === "delete" && change.before.kind === "model") state = "deleted";
    if (change.does !== "delete" && change.after.kind === "model") key = change.after.key;
  }
  return { key, generation: view.partition.generation, state };
}

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
function fits({ writes }: CommitPlan): boolean {
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
