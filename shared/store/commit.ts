import type { Call } from "../actions/call.ts";
import type { AnswerRecord } from "../actions/idempotency.ts";
import type { Commit, CommitOutcome, Part, Requirement } from "../actions/store.ts";
import { given } from "../domain/content.ts";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import { itemBytes } from "./dynamo-rules/item-bytes.ts";
import { objectKey } from "./items.ts";
import { IDENTITY, logKey, TAGS } from "./keys.ts";
import { type LedgerFacts, type LogEntry, logChange, logEntry, logItem, newestEntries } from "./log.ts";
import { oncePerItem } from "./once-per-item.ts";
import { type Split, writePieces } from "./pieces.ts";
import { recordOf, splitRecord } from "./records.ts";
import type { RetryingTable } from "./retry.ts";
import { Busy, type Item, Lost, Refused, type Seam } from "./seam.ts";
import { isSnapshotDue, withSnapshotNamed } from "./snapshot-due.ts";
import { changesBytes, isTooLargeForEntry, spill } from "./spill.ts";
import { Spoilt } from "./spoilt.ts";
import type { Ground } from "./store-ground.ts";
import type { ModelView } from "./view.ts";
import { type GuardedWrite, type KeptPart, writesOf } from "./writes.ts";

/**
 * Writes a commit in one transaction, whose first item is the log entry at the next revision: the lock. Undefined, with
 * nothing written, where it does not fit one.
 */
export async function commitInOneTransaction(
  ground: Ground,
  view: ModelView,
  asked: Commit,
  call: Call,
): Promise<CommitOutcome | undefined> {
  const commit = withSnapshotNamed(ground, view, asked);
  const writes = transactionWrites(view, commit, call);
  if (!writes) return undefined;
  try {
    const { log, taken } = await logWrites(ground, view, commit, call, commit.requires);
    const beside = [
      ...(await accountWrites(ground.seam, view, commit, call)),
      ...(await writesBeside(ground, commit, call)),
    ];
    const all = [...taken, ...writes, ...beside];
    return await sendCommit(ground.seam, view.modelId, log, all, call, commit.record);
  } catch (error) {
    // Nothing names the blob of its changes, and the next attempt writes another.
    if (error instanceof Spoilt) return "moved";
    throw error;
  }
}

/** What follows from a change of accounts. Few calls make one, so the code is loaded when it is needed. */
async function accountWrites(
  seam: Seam,
  view: ModelView,
  commit: Commit,
  call: Call,
): Promise<readonly GuardedWrite[]> {
  if (view.modelId !== IDENTITY) return [];
  return (await import("./account-writes.ts")).accountWrites(seam, commit, view.revision + 1, call);
}

/** What a log entry may hold beside its changes. */
const ENTRY_BYTES = 19_000;

/** What a commit writes beside its log entry if one transaction is enough for it; undefined if it has to be published. */
export function transactionWrites(
  view: ModelView,
  commit: Commit & KeptPart,
  call: Pick<Call, "operationId" | "time">,
): readonly GuardedWrite[] | undefined {
  const { alongside = [], requires = [], pinned = [] } = commit;
  // A job ends with the transaction that publishes what it was for.
  if (commit.publish || commit.job) return undefined;
  // A generation is one model's; the other ledgers have none.
  const isModel = view.modelId !== TAGS.model && view.modelId !== IDENTITY;
  const isAlone = alongside.length === 0 && isModel;
  if (isAlone && commit.changes.length >= LIMITS.transactionItems) return undefined;
  const writes = writesOf(view.place, commit, view.revision + 1, call);
  if (!isAlone) return writes;
  const changes = commit.changes.map(logChange);
  const inEntry = isTooLargeForEntry(changes) ? 0 : changesBytes(changes);
  const more = [inEntry === 0, commit.record, commit.keptAs, isSnapshotDue(view.modelId, view.revision + 1)];
  const items = oncePerItem(writes).length + 1 + requires.length + pinned.length + more.filter(Boolean).length;
  const bytes = bytesOf(writes) + inEntry + ENTRY_BYTES + (commit.record ? LIMITS.objectBytes : 0);
  return items <= LIMITS.transactionItems && bytes <= LIMITS.transactionBytes ? writes : undefined;
}

/** The log item of a commit, and what goes with it where its changes are too large for it. */
async function logWrites(
  ground: Ground,
  view: ModelView,
  part: KeptPart,
  call: Call,
  requires: readonly Requirement[] = [],
): Promise<{ readonly log: Item; readonly taken: readonly GuardedWrite[] }> {
  const tags = await tagsRevision(ground.seam, view, part.tagsSeen, requires);
  const changes = part.changes.map(logChange);
  const entry: LogEntry = {
    ...logEntry(view.revision + 1, factsAfter(view, part), call, changes, tags, part.actions),
    ...given("release", part.release),
    ...given("snapshot", part.keptAs),
  };
  const taken = await snapshotsTaken(ground, view, part, call);
  if (!isTooLargeForEntry(changes)) return { log: logItem(view.modelId, entry), taken };
  const spilled = await spill(ground, view.modelId, entry);
  return { log: logItem(view.modelId, spilled.entry), taken: [...taken, spilled.taken] };
}

/** What a commit writes for snapshots. Few commits take one, so the code is loaded when it is needed. */
async function snapshotsTaken(
  ground: Ground,
  view: ModelView,
  part: KeptPart,
  call: Call,
): Promise<readonly GuardedWrite[]> {
  if (part.keptAs === undefined && !isSnapshotDue(view.modelId, view.revision + 1)) return [];
  return (await import("./snapshot-writes.ts")).snapshotWrites(ground, view, part, call);
}

/** What a commit writes to other ledgers, each with its own lock, and what has to be there still. */
export async function writesBeside(
  ground: Ground,
  { alongside = [], requires = [], pinned = [] }: Commit,
  call: Call,
): Promise<readonly GuardedWrite[]> {
  const written: GuardedWrite[] = [];
  for (const { view, ...part } of alongside) {
    // Views that come back to this store are those it handed out.
    const mine = view as ModelView;
    const { log, taken } = await logWrites(ground, mine, part, call, requires);
    written.push(
      { write: { put: log, expect: { absent: true } }, lock: true },
      ...taken,
      ...writesOf(mine.place, part, mine.revision + 1, call),
    );
  }
  const checks = requires.map(({ view, object }): GuardedWrite => {
    const { place } = view as ModelView;
    return { write: { check: objectKey(place, object), expect: { equal: { id: object.id } } } };
  });
  // No log entry after the one that was named.
  const unmoved = pinned.map(({ modelId, revision }): GuardedWrite => {
    return { write: { check: logKey(modelId, revision + 1), expect: { absent: true } }, lock: true };
  });
  return [...written, ...checks, ...unmoved];
}

/**
 * The revision of the global tags as the commit sees it. A model that never had any tells 0 and asks nothing; from the
 * first one on each of its commits asks, so that a past state can show the tags as they were.
 */
export async function tagsRevision(
  seam: Seam,
  view: ModelView,
  seen: number | undefined,
  requires: readonly Requirement[] = [],
): Promise<number> {
  const before = view.head?.entry.tags ?? 0;
  if (seen === undefined && before > 0) {
    const [newest] = await newestEntries(seam, TAGS.model, 1);
    return Math.max(before, newest?.revision ?? 0);
  }
  // A tag may show before the commit that made it does.
  const required = requires.filter((one) => one.view.modelId === TAGS.model).map(({ object }) => object.revision);
  return Math.max(before, seen ?? 0, ...required);
}

/** Sends a log item, its writes and the record to keep, and tells from the answer what became of them. */
export async function sendCommit(
  seam: RetryingTable,
  ledger: string,
  log: Item,
  writes: readonly GuardedWrite[],
  call: Call,
  record?: AnswerRecord,
): Promise<CommitOutcome> {
  const now = Math.floor(Date.parse(call.time) / 1000);
  const kept = record && splitRecord(record);
  const all: readonly GuardedWrite[] = [
    { write: { put: log, expect: { absent: true } } },
    ...oncePerItem(writes),
    // The last one, where `refusal` looks for it.
    ...(kept ? [{ write: kept.write(now) }] : []),
  ];
  checkTransactionSize(all);
  const revision = Number(log.sk);
  try {
    if (kept) await piecesWritten(seam, kept.split);
    await seam.commit(all.map((w) => w.write));
    return { revision };
  } catch (error) {
    if (error instanceof Busy) return "moved";
    if (error instanceof Refused) return refusal(seam, error, all, revision, call, record);
    if (!(error instanceof Lost)) throw error;
    return outcomeInLog(seam, ledger, revision, call);
  }
}

/** Nothing of the commit has been sent yet, so that what goes wrong here leaves nothing to look for. */
async function piecesWritten(seam: Seam, split: Split): Promise<void> {
  try {
    await writePieces(seam, split);
  } catch (error) {
    throw error instanceof Lost ? new Busy(false) : error;
  }
}

/** Refuses a commit of several ledgers that one transaction cannot hold, before it is sent. */
export function checkItemCount(view: ModelView, commit: Commit, call: Pick<Call, "operationId" | "time">): void {
  const { alongside = [], requires = [], pinned = [] } = commit;
  if (alongside.length === 0) return;
  const parts = [{ ...commit, view }, ...alongside];
  const writes = parts.flatMap((part) => {
    // Views that come back to this store are those it handed out.
    const mine = part.view as ModelView;
    return writesOf(mine.place, part, mine.revision + 1, call);
  });
  const items = oncePerItem(writes).length + parts.length + requires.length + pinned.length;
  if (items <= LIMITS.transactionItems) return;
  throw new Problem("too_large", `${TRANSACTION_HOLDS}; this one needs ${items} items. ${ONE_MODEL}`);
}

/** The model's facts as the new entry states them. */
export function factsAfter(view: ModelView, part: Part): LedgerFacts {
  let key = view.modelKey;
  let state: LedgerFacts["state"] = "live";
  for (const change of part.changes) {
    if (change.does === "delete" && change.before.kind === "model") state = "deleted";
    if (change.does !== "delete" && change.after.kind === "model") key = change.after.key;
  }
  return { key, generation: view.place.generation, state };
}

async function refusal(
  seam: Seam,
  error: Refused,
  all: readonly GuardedWrite[],
  revision: number,
  call: Call,
  record: AnswerRecord | undefined,
): Promise<CommitOutcome> {
  // Our own operation in the log: an earlier attempt, whose answer was lost, did succeed.
  if (error.failed[0] && error.found[0]?.operation === call.operationId) return { revision };
  // Then the record, before anything else: a twin has answered already.
  const last = all.length - 1;
  const twin = record && error.failed[last] ? await recordOf(seam, error.found[last], record.id, 0) : undefined;
  if (twin) return { twin };
  if (error.failed[0] || all.some((w, i) => w.lock && error.failed[i])) return "moved";
  const refused = all.find((w, i) => error.failed[i] && w.otherwise);
  if (refused?.otherwise) throw refused.otherwise;
  return "moved";
}

/** After a lost answer: what the log says, once the commit there shows to every reader. */
async function outcomeInLog(seam: Seam, ledger: string, revision: number, call: Call): Promise<CommitOutcome> {
  try {
    const [item] = await seam.transactGet([logKey(ledger, revision)]);
    if (!item) return "unknown";
    return item.operation === call.operationId ? { revision } : "moved";
  } catch (error) {
    // A log that cannot be read tells nothing of what became of the commit.
    if (error instanceof Problem) return "unknown";
    throw error;
  }
}

function bytesOf(writes: readonly GuardedWrite[]): number {
  return writes.reduce((sum, { write }) => sum + ("put" in write ? itemBytes(write.put) : 0), 0);
}

function checkTransactionSize(all: readonly GuardedWrite[]): void {
  const bytes = bytesOf(all);
  if (all.length <= LIMITS.transactionItems && bytes <= LIMITS.transactionBytes) return;
  const way = all.some((w) => w.lock) ? `. ${ONE_MODEL}` : "";
  throw new Problem("too_large", `${TRANSACTION_HOLDS}; this one needs ${all.length} items and ${bytes} bytes${way}`);
}

const TRANSACTION_HOLDS = `one call may write ${LIMITS.transactionItems} items and ${LIMITS.transactionBytes} bytes`;
const ONE_MODEL = "A batch this large may write to one model: make a batch of each";
