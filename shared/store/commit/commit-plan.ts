import type { Call } from "../../actions/contract/call.ts";
import type { Commit, Part, Requirement } from "../../actions/contract/store.ts";
import { LIMITS } from "../../domain/limits.ts";
import { optionalMember } from "../../domain/model/content.ts";
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
import { toObjectKey } from "../table/items.ts";
import { IDENTITY, logKey, TAGS } from "../table/keys.ts";
import type { Item, Table } from "../table/table.ts";
import { createAccountWrites } from "./account-writes.ts";
import { planBlobs, spillChanges } from "./snapshot-writes.ts";
import { type CommitPlan, checkFits, createTransaction, fits, joinPlans } from "./transaction.ts";
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
