import type { RecordedCall } from "../../actions/contract/call.ts";
import type { Part } from "../../actions/contract/store.ts";
import { SWEEP } from "../../domain/limits.ts";
import { type Change, createKeyTakenProblem } from "../../domain/model/changes.ts";
import { includeMember } from "../../domain/model/content.ts";
import type { AnyObject } from "../../domain/model/objects.ts";
import { toSweepItem } from "../log/stagings.ts";
import {
  checkObjectSize,
  NO_SUMMARY,
  type Partition,
  toDeletedItem,
  toIdItem,
  toIdKey,
  toMovedItem,
  toObjectItem,
  toObjectKey,
  toSummaryItem,
} from "../table/items.ts";
import { deletedModelKey, objectSortKey, releaseKey, summaryKey } from "../table/keys.ts";
import { type Expectation, FORMAT, type Write } from "../table/table.ts";

/** Writes of a transaction, and functions that write before it is sent. Their items count only if it succeeds. */
export interface CommitPlan {
  readonly writes: Write[];
  readonly before: (() => Promise<void>)[];
}

type CallFacts = Pick<RecordedCall, "operationId" | "time" | "principal">;

const ABSENT = { absent: true } as const;
const ANYTHING = { anything: true } as const;

/** Creates the writes of a commit to one ledger except its log entry. */
export function createLedgerWrites(
  partition: Partition,
  { changes, release }: Part,
  revision: number,
  call: CallFacts,
  snapshot?: string,
): Write[] {
  const writes: Write[] = [];
  for (const change of changes) {
    if (change.does === "delete") writes.push(...createDeletionWrites(partition, change, revision, call));
    else if (change.does === "create") writes.push(...createCreationWrites(partition, change, revision));
    else writes.push(...createUpdateWrites(partition, change, revision));
    const isOfModel = change.does !== "delete" && change.after.kind === "model";
    if (isOfModel) writes.push(...createSummaryWrites([change], revision, call));
  }
  if (release !== undefined) writes.push(createReleaseWrite(partition, release, revision, call, snapshot));
  return writes;
}

/** Creates the write of a release with its revision and blob. */
export function createReleaseWrite(
  { model, generation }: Partition,
  version: string,
  revision: number,
  { time }: Pick<RecordedCall, "time">,
  blob?: string,
): Write {
  const location = blob === undefined ? {} : { generation, blob };
  return { put: { ...releaseKey(model, version), v: FORMAT, revision, time, ...location }, expect: ABSENT };
}

type Create = Extract<Change, { does: "create" }>;
type Update = Extract<Change, { does: "update" }>;
type Delete = Extract<Change, { does: "delete" }>;

function createCreationWrites(partition: Partition, { after, replaces }: Create, revision: number): Write[] {
  const id = toIdItem(partition, after, revision);
  return [...createArrivalWrites(partition, after, replaces, revision), ...(id ? [{ put: id, expect: ABSENT }] : [])];
}

function createUpdateWrites(partition: Partition, { before, after, replaces }: Update, revision: number): Write[] {
  const from = toObjectKey(partition, before);
  if (objectSortKey(after) === from.sk) {
    const item = toObjectItem(partition, after, revision);
    checkObjectSize(item);
    return [{ put: item, expect: expectAsRead(before) }];
  }
  const id = toIdItem(partition, after, revision);
  return [
    ...createArrivalWrites(partition, after, replaces, revision),
    { delete: from, expect: expectAsRead(before) },
    ...(id ? [{ put: id, expect: { equal: { at: from.sk } } }] : []),
  ];
}

/** Creates the writes of an object that arrives at a key. The key is free, or holds an object of a removed owner. */
function createArrivalWrites(
  partition: Partition,
  object: AnyObject,
  replaces: AnyObject | undefined,
  revision: number,
): Write[] {
  const item = toObjectItem(partition, object, revision);
  checkObjectSize(item);
  if (!replaces) return [{ put: item, expect: ABSENT, createProblem: () => createKeyTakenProblem(object) }];
  return [
    // Recent log entries may show the object that was read even after the sweeper deleted it.
    { put: item, expect: { absentOrEqual: { id: replaces.id, revision: replaces.revision } } },
    { delete: toIdKey(partition, replaces.id), expect: ANYTHING },
  ];
}

function expectAsRead({ id, revision }: AnyObject): Expectation {
  return { equal: { id, revision } };
}

function createDeletionWrites(
  partition: Partition,
  { before, hasDependents }: Delete,
  revision: number,
  call: CallFacts,
): Write[] {
  const writes: Write[] = [{ delete: toObjectKey(partition, before), expect: expectAsRead(before) }];
  if (toIdItem(partition, before, 0)) {
    writes.push({ delete: toIdKey(partition, before.id), expect: { equal: { at: objectSortKey(before) } } });
  }
  if (before.kind === "model") {
    const { id, key } = before;
    const row = { id, key, revision, time: call.time, ...includeMember("actor", call.principal?.actorId) };
    writes.push({ delete: summaryKey(key), expect: { equal: { id } } }, { put: toDeletedItem(row), expect: ANYTHING });
  }
  if (!hasDependents) return writes;
  const isWholeModel = before.kind === "model";
  // Readers of a deleted model may finish. Objects of a removed owner are skipped by every reader at once.
  const due = Date.parse(call.time) + (isWholeModel ? SWEEP.generationMs : 0);
  const remainder = { ...partition, ...(!isWholeModel && { owner: before.id }), round: 1 };
  // One call may remove several owners, also of several models.
  const note = toSweepItem(remainder, due, `${call.operationId}-${before.id}`);
  return [...writes, { put: note, expect: ABSENT }];
}

/** Creates the write that removes a model from the list of deleted models, which earlier versions did not keep. */
export function createUndeletionWrite(model: string): Write {
  return { delete: deletedModelKey(model), expect: ANYTHING };
}

function createNewSummaryWrites(object: AnyObject, revision: number): Write[] {
  if (object.kind !== "model") return [];
  const createProblem = () => createKeyTakenProblem(object);
  return [{ put: toSummaryItem(object, revision), expect: NO_SUMMARY, createProblem }];
}

/** Creates the writes of changes to the list of models. */
export function createSummaryWrites(
  changes: readonly Change[],
  revision: number,
  call: Pick<RecordedCall, "time">,
): Write[] {
  return changes.flatMap((change) => {
    if (change.does === "delete") return [];
    return change.does === "create"
      ? createNewSummaryWrites(change.after, revision)
      : createMovedSummaryWrites(change, revision, call);
  });
}

function createMovedSummaryWrites(
  { before, after }: Update,
  revision: number,
  { time }: Pick<RecordedCall, "time">,
): Write[] {
  if (before.kind !== "model" || after.kind !== "model") return [];
  if (before.key !== after.key) {
    const item = toMovedItem(before.key, before.id, revision, Date.parse(time));
    return [...createNewSummaryWrites(after, revision), { put: item, expect: { equal: { id: before.id } } }];
  }
  const isListChanged =
    before.name !== after.name || before.version !== after.version || before.authority !== after.authority;
  if (!isListChanged) return [];
  return [{ put: toSummaryItem(after, revision), expect: { equal: { id: before.id } } }];
}
