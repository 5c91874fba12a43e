import type { RecordedCall } from "../../actions/contract/call.ts";
import type { Commit, CommitOutcome } from "../../actions/contract/store.ts";
import { type Change, createKeyTakenProblem } from "../../domain/model/changes.ts";
import { includeMember } from "../../domain/model/content.ts";
import { type AnyObject, getOwnerId } from "../../domain/model/objects.ts";
import {
  checkFits,
  computeFacts,
  createTransaction,
  planOtherWrites,
  readTagsRevision,
  sendCommit,
} from "../commit/commit.ts";
import { createJobEndWrites } from "../commit/job-items.ts";
import { createRunWrites } from "../commit/runs.ts";
import { createReleaseWrite, createSummaryWrites, createUndeletionWrite } from "../commit/writes.ts";
import { createLogEntry, type LogChange, type LogEntry, toLogChange, toLogItem } from "../log/log.ts";
import { applyChanges, type Objects } from "../log/replay.ts";
import { createStaging, StagingAbandoned, toStagingItem, toSweepItem } from "../log/stagings.ts";
import type { ModelView, StoreContext, WholeModel } from "../read/view.ts";
import type { Partition } from "../table/items.ts";
import { jobKey, logKey, objectSortKey } from "../table/keys.ts";
import type { Write } from "../table/table.ts";
import { type Snapshot, type Stage, Stages, type Target } from "./stage.ts";
import { countObjectUnits, StagingTime, TooLong } from "./staging-time.ts";

/** Milliseconds reserved for the answer at the end of a call. */
const ANSWER_MS = 1_000;
/** Commits after a snapshot before another snapshot is taken. */
const MAX_COMMITS_AFTER_SNAPSHOT = 200;
/** Repeats of a transaction that conflicted with another transaction but not with a commit. */
const MAX_CONFLICTS = 3;

/** Writes models, new or existing, as new generations. */
export interface Publisher {
  /**
   * Stages a whole model invisibly and publishes it with one last transaction. If other commits came first, those that
   * do not touch what the call reads or writes are applied to the stage, and the transaction is repeated. After any
   * other commit the call decides again, and its next attempt stages only the difference.
   */
  publish(view: ModelView, commit: Commit, call: RecordedCall): Promise<CommitOutcome>;
  /** Checks size and keys of a publication. If a later commit interferes, `confirm` makes the call decide again. */
  preview(view: ModelView, commit: Commit, call: RecordedCall): Promise<void>;
  /** Closes the stage of an unanswered publication. Returns false if it was, or may be, published. */
  revoke(view: ModelView): Promise<boolean>;
  closeAll(): Promise<void>;
}

export function createPublisher(context: StoreContext): Publisher {
  const stages = new Stages(context);
  return {
    publish: (view, commit, call) => publish(context, stages, view, commit, call),
    preview: async (view, commit, call) => {
      await checkTransactionSize(context, view, commit, call);
      await checkKeys(view, commit);
    },
    revoke: async (view) => (await stages.pendingStages.get(view)?.close()) ?? false,
    closeAll: () => stages.closeAll(),
  };
}

async function checkKeys(view: ModelView, commit: Commit) {
  // The keys of a new model come from its document, which was checked.
  if (commit.keysLookedUp || view.isNew) return;
  view.reads.noteWrites(commit.changes);
  const wholeModel = await view.readWhole();
  const { duplicate, fits } = computeContent(wholeModel, commit.changes, view.revision + 1);
  if (wholeModel.next || !fits) view.reads.notePrefix("");
  else if (duplicate) throw createKeyTakenProblem(duplicate);
}

/**
 * State of the stage after an attempt to publish it, by the outcome.
 *
 * | outcome                  | cause                                            | the call                     | the stage                  |
 * |--------------------------|--------------------------------------------------|------------------------------|----------------------------|
 * | `revision`               | the transaction was applied                      | answers                      | is the generation now      |
 * | `unknown`                | the transaction had no answer                    | reads the log and continues  | may still be published     |
 * | `staging_abandoned`      | a write had no definite answer, or another       | decides again on a new stage | is found by the sweeper    |
 * |                          | writer has the record                            |                              |                            |
 * | `conflict_after_staging` | a commit changed data that the call depends on   | decides again                | is kept; only differences  |
 * |                          |                                                  |                              | are written                |
 * | `conflict`               | the same before staging, or no time is left      | decides again, or gives up   | is closed                  |
 * | `duplicate`              | a call with the same idempotency key was faster  | returns the recorded answer  | is closed                  |
 * | `tooLong`                | publishing exceeds the time of a call            | becomes a job                | is closed                  |
 * | a problem                | the call cannot succeed                          | throws the problem           | is closed                  |
 */
const STAGE_AFTER = {
  revision: "left",
  unknown: "left",
  staging_abandoned: "abandoned",
  conflict_after_staging: "kept",
  conflict: "closed",
  duplicate: "closed",
  tooLong: "closed",
  problem: "closed",
} as const;

async function publish(
  context: StoreContext,
  stages: Stages,
  view: ModelView,
  commit: Commit,
  call: RecordedCall,
): Promise<CommitOutcome> {
  let outcome: CommitOutcome | undefined;
  try {
    outcome = await toOutcome(() => publishStage(context, stages, view, commit, call));
    return outcome;
  } finally {
    const after = STAGE_AFTER[nameOutcome(outcome)];
    const stage = after === "kept" ? undefined : stages.take(view.ledgerId, call);
    if (outcome === "unknown" && stage) stages.pendingStages.set(view, stage);
    if (after === "closed") await stage?.close();
    if (after === "abandoned") await stage?.leave();
  }
}

/** Runs a publication and returns its outcome. Abandoned staging and lack of time are outcomes too. */
async function toOutcome(publishing: () => Promise<CommitOutcome>): Promise<CommitOutcome> {
  try {
    return await publishing();
  } catch (error) {
    if (error instanceof StagingAbandoned) return "staging_abandoned";
    if (error instanceof TooLong) return { tooLong: error.objects };
    throw error;
  }
}

function nameOutcome(outcome: CommitOutcome | undefined): keyof typeof STAGE_AFTER {
  if (outcome === undefined) return "problem";
  if (typeof outcome === "string") return outcome;
  if ("revision" in outcome) return "revision";
  return "duplicate" in outcome ? "duplicate" : "tooLong";
}

async function publishStage(
  context: StoreContext,
  stages: Stages,
  view: ModelView,
  commit: Commit,
  call: RecordedCall,
): Promise<CommitOutcome> {
  const { table, retryPolicy, runtime } = context;
  const { ledgerId } = view;
  const decidedAt = view.revision;
  const time = new StagingTime(runtime, commit, call);
  const conflict = () => (stages.has(ledgerId, call) ? "conflict_after_staging" : "conflict");
  // Each written object costs at least one unit, so this is known before anything is read.
  const least = commit.changes.filter(({ does }) => does !== "delete").length;
  if (!stages.has(ledgerId, call)) {
    time.check(least, least);
    // If the call may become a job, the size is checked when the job is accepted.
    await checkTransactionSize(context, view, { ...commit, orJob: false }, call);
  }
  const isOwn = createOwnTest(view, commit.changes);
  // Nobody else writes to a new model.
  if (!view.isNew) view.reads.noteWrites(commit.changes);
  let publication: string | undefined;
  for (let rebases = 0, conflicts = 0; ; rebases++) {
    const wholeModel = await view.readWhole();
    if (wholeModel.next || (view.revision !== decidedAt && !commit.rebase)) return conflict();
    const { objects, duplicate, fits } = computeContent(wholeModel, commit.changes, view.revision + 1);
    if (!fits) return conflict();
    if (duplicate) throw createKeyTakenProblem(duplicate);
    if (!stages.has(ledgerId, call)) time.check(countObjectUnits(view.partition, objects), objects.size);

    const stage = await stages.getOrBegin(ledgerId, call);
    const target = { objects, isOwn };
    const [, snapshot, blobName] = await waitForAll(
      stage.hold(target, time.trackProgress(objects.size)),
      ensureSnapshot(stage, view.revision, rebases === 0),
      // The snapshot of a new model contains all its changes.
      view.isNew ? undefined : (publication ?? stage.writeList(toLogChanges(commit.changes))),
      stage.writeBlobs(commit.blobs ?? []),
    );
    publication = blobName;
    const tags = await readTagsRevision(table, view, commit.tagsSeen, commit.requires);
    const entry = { ...createEntry(view, commit, call, stage, tags), ...toBlobFields(view, snapshot, publication) };
    const draft = commit.rebase?.(entry.revision) ?? commit;
    // Staging takes minutes, in which the caller may have lost a role.
    await draft.job?.checkRights();
    const endWrites = draft.job ? await createJobEndWrites(context, draft.job, draft.record) : [];
    const plan = { writes: [...createPublishingWrites(view, draft, call, stage, entry), ...endWrites], before: [] };
    await planOtherWrites(context, plan, draft, call);
    const record = draft.job ? undefined : draft.record;
    const now = Math.floor(Date.parse(call.time) / 1000);
    const transaction = createTransaction(table, toLogItem(ledgerId, entry), plan, record, now);
    checkFits(transaction);
    const outcome = await sendCommit(table, ledgerId, entry.revision, transaction, call, record);
    if (outcome !== "conflict" && outcome !== "contended") return outcome;

    const [next, stageItem] = await table.transactGet([logKey(ledgerId, entry.revision), stage.key]);
    if (!stage.isHeldIn(stageItem)) return "staging_abandoned";
    if (runtime.now() >= call.deadline - ANSWER_MS) return "conflict";
    if (next && !view.isNew) continue;
    // Another ledger has a new commit, or an expectation failed that only a new decision can meet.
    if (outcome === "conflict" || conflicts >= MAX_CONFLICTS) return conflict();
    conflicts += 1;
    await retryPolicy.pause(conflicts);
  }
}

/** Waits for all work even if some fails, so that nothing is under way afterwards. */
async function waitForAll<T extends readonly unknown[]>(
  ...work: T
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

interface ContentAfter {
  readonly objects: Objects;
  readonly fits: boolean;
  readonly duplicate: AnyObject | undefined;
}

function computeContent(model: WholeModel, changes: readonly Change[], revision: number): ContentAfter {
  if (model.objects.size === 0) return computeNewContent(changes, revision);
  const objects = selectLiving(model.objects);
  const misfits = applyChanges(objects, toLogChanges(changes), revision);
  const duplicate = misfits.find((misfit) => misfit.duplicate)?.duplicate;
  return { objects, fits: misfits.every((misfit) => misfit.duplicate), duplicate };
}

/** Computes the objects of a new model. There may be very many, so they are not copied. */
function computeNewContent(changes: readonly Change[], revision: number): ContentAfter {
  const objects: Objects = new Map();
  let duplicate: AnyObject | undefined;
  for (const change of changes) {
    if (change.does !== "create") return { objects, fits: false, duplicate };
    const { after } = change;
    const sk = objectSortKey(after);
    if (objects.has(sk)) duplicate ??= after;
    objects.set(sk, after.revision === revision ? after : { ...after, revision });
  }
  return { objects, fits: true, duplicate };
}

function selectLiving(all: WholeModel["objects"]): Objects {
  const ids = new Set<string>();
  for (const { id } of all.values()) ids.add(id);
  const objects: Objects = new Map();
  for (const [sk, object] of all) {
    const owner = getOwnerId(object);
    if (owner === undefined || ids.has(owner)) objects.set(sk, object);
  }
  return objects;
}

/** Converts changes lazily, because there may be very many. */
function* toLogChanges(changes: readonly Change[]): Generator<LogChange> {
  for (const change of changes) yield toLogChange(change);
}

/** Creates a test for the objects that the call itself changed; in a new model all of them. */
function createOwnTest(view: ModelView, changes: readonly Change[]): Target["isOwn"] {
  if (view.isNew) return () => true;
  const ids = new Set(changes.flatMap((change) => (change.does === "delete" ? [] : [change.after.id])));
  return ({ id }) => ids.has(id);
}

/**
 * Returns a snapshot of the stage. An earlier snapshot stays valid while later commits do not touch the call's data:
 * readers apply them. This keeps the time between reading the log and publishing short.
 */
async function ensureSnapshot(stage: Stage, at: number, decidedNow: boolean): Promise<Snapshot> {
  const { snapshot } = stage;
  if (snapshot?.exact) return stage.keepSnapshot(at);
  if (snapshot && !decidedNow && at - snapshot.at <= MAX_COMMITS_AFTER_SNAPSHOT) return snapshot;
  return stage.takeSnapshot(at);
}

function createEntry(view: ModelView, commit: Commit, call: RecordedCall, stage: Stage, tags: number): LogEntry {
  const facts = { ...computeFacts(view, commit), generation: stage.partition.generation };
  if (facts.state === "deleted") throw new Error("a deleted model cannot be published");
  const entry = createLogEntry(view.revision + 1, facts, call, undefined, tags, commit);
  return { ...entry, ...includeMember("undeletes", commit.undeletes) };
}

function toBlobFields(view: ModelView, { name, at }: Snapshot, publication: string | undefined): Partial<LogEntry> {
  return {
    ...(publication !== undefined && { publication }),
    snapshot: name,
    ...(at !== view.revision && { snapshotAt: at }),
  };
}

function createPublishingWrites(
  view: ModelView,
  commit: Commit,
  call: RecordedCall,
  stage: Stage,
  { revision, snapshot, publication, keeps = [] }: LogEntry,
): Write[] {
  const blobNames = [snapshot, publication, ...keeps].filter((name) => name !== undefined);
  return [
    // The generation of a deleted model was noted for the sweep when the model was deleted.
    ...stage.createPublishingWrites(blobNames, view.isNew ? undefined : view.partition.generation),
    ...createRowWrites(view.ledgerId, stage.partition, commit, call, revision),
  ];
}

/** Creates the writes to the lists of models, of commits of a run, of deleted models and of releases. */
function createRowWrites(
  model: string,
  partition: Partition,
  { changes, release, undeletes }: Commit,
  call: RecordedCall,
  revision: number,
): Write[] {
  return [
    ...createSummaryWrites(changes, revision, call),
    ...createRunWrites(call, model, revision),
    ...(undeletes ? [createUndeletionWrite(model)] : []),
    ...(release === undefined ? [] : [createReleaseWrite(partition, release, revision, call)]),
  ];
}

/** Throws `too_large` before staging if the other writes do not fit into the transaction. */
async function checkTransactionSize(context: StoreContext, view: ModelView, commit: Commit, call: RecordedCall) {
  const { table, runtime } = context;
  const { ledgerId: model, partition } = view;
  const { job, orJob, record } = commit;
  const revision = view.revision + 1;
  const now = runtime.now();
  const { generation } = partition;
  // These names are as long as those of the stage will be.
  const blobs = [generation, generation];
  const expect = { absent: true } as const;
  const writes: Write[] = [
    { put: toStagingItem(createStaging({ model, generation, blobs }, now)), expect },
    ...(view.isNew ? [] : [{ put: toSweepItem({ model, generation, round: 1 }, now, generation), expect }]),
    ...createRowWrites(model, partition, commit, call, revision),
    ...(job || orJob ? [{ check: jobKey(job?.lease.id ?? ""), expect }] : []),
  ];
  const log = toLogItem(model, createLogEntry(revision, computeFacts(view, commit), call, undefined, 0, commit));
  const plan = { writes, before: [] };
  await planOtherWrites(context, plan, commit, call);
  checkFits(createTransaction(table, log, plan, record, Math.floor(now / 1000)));
}
