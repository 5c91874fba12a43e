import type { Call } from "../../actions/contract/call.ts";
import type { Commit } from "../../actions/contract/store.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { AnyObject } from "../../domain/model/objects.ts";
import { createListBlob, toBlobItems } from "../log/blobs.ts";
import type { LogEntry } from "../log/log.ts";
import { readObjectsInOrder } from "../log/object-streams.ts";
import { LogBroken, requireEntry, toPointerItem, toSnapshotValue } from "../log/replay.ts";
import { abandonOnFailure, createStaging, expectOwnStaging, toStagingItem, toSweepItem } from "../log/stagings.ts";
import type { StoreContext } from "../read/contexts.ts";
import type { ModelView } from "../read/view.ts";
import { putAll, Throttle } from "../table/batch-writes.ts";
import { countItemBytes } from "../table/dynamo-rules.ts";
import { IDENTITY, stagingKey } from "../table/keys.ts";
import type { Item } from "../table/table.ts";
import { type CommitPlan, joinPlans } from "./commit-plan.ts";
import type { PlannedWrite, SnapshotPart } from "./writes.ts";

/**
 * Plans the writes of a commit for its blobs, for the snapshot that it names, and for a note of a snapshot that is due.
 */
export function planBlobs(
  context: StoreContext,
  view: ModelView,
  { holds = [], changes, snapshotName, blobs = [] }: SnapshotPart,
  call: Call,
): CommitPlan {
  const { ledgerId: model } = view;
  const revision = view.revision + 1;
  const due = isSnapshotDue(model, revision)
    ? [createSnapshotNote(model, revision, context.ambient.newId(), call)]
    : [];
  const noted = joinPlans(
    { writes: due, before: [] },
    ...blobs.map(({ name, value }) => planBlob(context, { model, revision, name }, value)),
  );
  if (snapshotName === undefined) return noted;
  const value = () => {
    const changed = new Set(changes.map((change) => (change.does === "delete" ? "" : change.after.id)));
    return toSnapshotValue(holds.map((o): AnyObject => (changed.has(o.id) ? { ...o, revision } : o)));
  };
  return joinPlans(noted, planStagedBlob(context, { model, revision, name: snapshotName }, value));
}

/**
 * Creates the note that makes the sweeper write a snapshot soon. It has no generation, so that nothing is deleted for
 * it.
 */
function createSnapshotNote(model: string, revision: number, blob: string, { time }: Call): PlannedWrite {
  const note = toSweepItem({ model, generation: "", snapshot: { revision, blob }, round: 1 }, Date.parse(time), blob);
  return { write: { put: note, expect: { absent: true } } };
}

/**
 * Writes the snapshot of a ledger after a revision. Returns the number of its items; undefined if the log is broken. A
 * repeat writes the same items. A pointer makes the snapshot valid once all of them are written.
 */
export async function makeSnapshot(
  { table, ambient, retryPolicy }: StoreContext,
  ledger: string,
  { revision, blob }: { readonly revision: number; readonly blob: string },
): Promise<number | undefined> {
  try {
    const entry = await requireEntry(table, ledger, revision);
    if (entry.state === "deleted") return 0;
    const list = createListBlob(blob);
    const throttle = new Throttle(ambient, retryPolicy);
    let count = 0;
    const write = async (items: readonly Item[]): Promise<void> => {
      if (items.length === 0) return;
      count += items.length;
      await putAll(table, items, throttle);
    };
    for await (const object of readObjectsInOrder(table, ledger, entry)) await write(list.add(object));
    await write(list.end());
    const pointer = toPointerItem(ledger, { revision, generation: entry.generation, blob });
    await table.write({ put: pointer, expect: { anything: true } });
    return count + 1;
  } catch (error) {
    if (error instanceof LogBroken) return undefined;
    throw error;
  }
}

/** A log entry with its changes in a blob, and the writes of the blob. */
interface Spilled {
  readonly entry: LogEntry;
  readonly planned: CommitPlan;
}

/**
 * Largest blob that is written by its commit's transaction, at two units per kB. Larger ones are written before, at one
 * unit.
 */
const MAX_COMMIT_BLOB_BYTES = 16_384;

/** Moves the changes of an entry to a new blob. Each attempt has its own blob. */
export function spillChanges(context: StoreContext, model: string, entry: LogEntry): Spilled {
  const { touched = [], revision } = entry;
  const name = context.ambient.newId();
  return { entry: { ...entry, blob: name }, planned: planBlob(context, { model, revision, name }, touched) };
}

/** Plans the writes of a blob: in the transaction of its commit, or before it if the blob is large. */
export function planBlob(context: StoreContext, staged: StagedBlob, value: unknown): CommitPlan {
  const [first, ...more] = toBlobItems(staged.name, value);
  if (first && more.length === 0 && countItemBytes(first) <= MAX_COMMIT_BLOB_BYTES) {
    return { writes: [{ write: { put: first, expect: { absent: true } } }], before: [] };
  }
  return planStagedBlob(context, staged, () => value);
}

/** A blob that the commit of a revision will name. */
interface StagedBlob {
  readonly model: string;
  readonly revision: number;
  readonly name: string;
}

/**
 * Plans a blob that is written before its commit. It has a staging record, which the transaction of the commit deletes.
 * Until then the sweeper finds the blob; once the sweeper has it, the commit fails. Its name is used by one attempt
 * only, because a write without an answer may still arrive. Throws `StagingAbandoned` in that case.
 */
export function planStagedBlob(
  { table, retryPolicy, ambient }: StoreContext,
  { model, revision, name }: StagedBlob,
  value: () => unknown,
): CommitPlan {
  const staging = createStaging({ generation: name, model, blobs: [name], revision }, ambient.now());
  const write = (): Promise<void> =>
    abandonOnFailure(async () => {
      await table.write({ put: toStagingItem(staging), expect: { absent: true } });
      await putAll(table, toBlobItems(name, value()), new Throttle(ambient, retryPolicy));
    });
  return { writes: [{ write: { delete: stagingKey(name), expect: expectOwnStaging(staging) } }], before: [write] };
}

/** Returns true for a revision after which the sweeper makes a snapshot. */
function isSnapshotDue(ledger: string, revision: number): boolean {
  return revision % LIMITS.snapshotCommits === 0 && ledger !== IDENTITY;
}

/** Adds a name for the snapshot of a released version to the commit. */
export function nameSnapshot({ ambient }: StoreContext, view: ModelView, commit: Commit): Commit & SnapshotPart {
  const isKept = commit.release !== undefined && commit.holds !== undefined && !commit.publish && view.head;
  return isKept ? { ...commit, snapshotName: ambient.newId() } : commit;
}
