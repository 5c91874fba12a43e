import type { Call } from "../../actions/contract/call.ts";
import type { Part } from "../../actions/contract/store.ts";
import type { Change } from "../../domain/change.ts";
import { keyTaken } from "../../domain/key-taken.ts";
import { SWEEP } from "../../domain/limits.ts";
import type { AnyObject } from "../../domain/objects.ts";
import type { Problem } from "../../domain/problems.ts";
import { sweepItem } from "../log/sweep-notes.ts";
import { checkObjectSize } from "../table/item-size.ts";
import {
  idItem,
  idKey,
  movedItem,
  NO_SUMMARY,
  objectItem,
  objectKey,
  type Partition,
  summaryItem,
} from "../table/items.ts";
import { objectSortKey, releaseKey, summaryKey } from "../table/keys.ts";
import { type Expectation, FORMAT, type Write } from "../table/table.ts";

/** A write, and the problem of the caller when its expectation fails; without it the call decides again. */
export interface GuardedWrite {
  readonly write: Write;
  readonly otherwise?: () => Problem;
  /** True for the log entry of another ledger: refused, it means that somebody else has committed to that ledger. */
  readonly lock?: true;
}

/** The facts of a call that items carry. */
type CallFacts = Pick<Call, "operationId" | "time">;

const ABSENT = { absent: true } as const;
const ANYTHING = { anything: true } as const;

/** A part whose release has a snapshot. */
export interface KeptPart extends Part {
  /** Name of the snapshot's blob. */
  readonly keptAs?: string;
}

/** Everything a commit writes to one ledger beside its log entry. */
export function writesOf(partition: Partition, part: KeptPart, revision: number, call: CallFacts): GuardedWrite[] {
  const { changes, release, keptAs } = part;
  const writes = changes.flatMap((change) => changeWrites(partition, change, revision, call));
  if (release !== undefined) writes.push(releaseWrite(partition, release, revision, call, keptAs));
  return writes;
}

/** The item of a released version: its revision, and the blob with its objects, if there is one. */
export function releaseWrite(
  { model, generation }: Partition,
  version: string,
  revision: number,
  { time }: CallFacts,
  blob?: string,
): GuardedWrite {
  const kept = blob === undefined ? {} : { generation, blob };
  return { write: { put: { ...releaseKey(model, version), v: FORMAT, revision, time, ...kept }, expect: ABSENT } };
}

function changeWrites(partition: Partition, change: Change, revision: number, call: CallFacts): GuardedWrite[] {
  if (change.does === "create")
    return [...createWrites(partition, change, revision), ...newSummary(change.after, revision)];
  if (change.does === "delete") return deleteWrites(partition, change, call);
  return [...updateWrites(partition, change, revision), ...movedSummary(change, revision, call)];
}

type Create = Change & { readonly does: "create" };
type Update = Change & { readonly does: "update" };
type Delete = Change & { readonly does: "delete" };

function createWrites(partition: Partition, { after, replaces }: Create, revision: number): GuardedWrite[] {
  const id = idItem(partition, after, revision);
  return [
    ...arrivalWrites(partition, after, replaces, revision),
    ...(id ? [{ write: { put: id, expect: ABSENT } }] : []),
  ];
}

function updateWrites(partition: Partition, { before, after, replaces }: Update, revision: number): GuardedWrite[] {
  const from = objectKey(partition, before);
  if (objectSortKey(after) === from.sk) {
    const item = objectItem(partition, after, revision);
    checkObjectSize(item);
    return [{ write: { put: item, expect: asRead(before) } }];
  }
  const id = idItem(partition, after, revision);
  return [
    ...arrivalWrites(partition, after, replaces, revision),
    { write: { delete: from, expect: asRead(before) } },
    ...(id ? [{ write: { put: id, expect: { equal: { at: from.sk } } } }] : []),
  ];
}

/** The writes of an object that comes to a key. The key is free, or holds an object that a removed owner left there. */
function arrivalWrites(
  partition: Partition,
  object: AnyObject,
  replaces: AnyObject | undefined,
  revision: number,
): GuardedWrite[] {
  const item = objectItem(partition, object, revision);
  checkObjectSize(item);
  if (!replaces) return [{ write: { put: item, expect: ABSENT }, otherwise: () => keyTaken(object) }];
  return [
    // The newest log entries applied to the object read may show it after the sweeper deleted it.
    { write: { put: item, expect: { absentOrEqual: { id: replaces.id, revision: replaces.revision } } } },
    { write: { delete: idKey(partition, replaces.id), expect: ANYTHING } },
  ];
}

function asRead({ id, revision }: AnyObject): Expectation {
  return { equal: { id, revision } };
}

function deleteWrites(partition: Partition, { before, hasDependents }: Delete, call: CallFacts): GuardedWrite[] {
  const writes: GuardedWrite[] = [{ write: { delete: objectKey(partition, before), expect: asRead(before) } }];
  if (idItem(partition, before, 0)) {
    writes.push({ write: { delete: idKey(partition, before.id), expect: { equal: { at: objectSortKey(before) } } } });
  }
  if (before.kind === "model") {
    writes.push({ write: { delete: summaryKey(before.key), expect: { equal: { id: before.id } } } });
  }
  if (!hasDependents) return writes;
  const whole = before.kind === "model";
  // Readers of a generation may finish when its model goes; objects of a removed owner are skipped by every reader at
  // once.
  const due = Date.parse(call.time) + (whole ? SWEEP.generationMs : 0);
  const left = { ...partition, ...(!whole && { owner: before.id }), round: 1 };
  // One call may remove several, also of several models.
  const note = sweepItem(left, due, `${call.operationId}-${before.id}`);
  return [...writes, { write: { put: note, expect: ABSENT } }];
}

/** The row in the list of models that begins with a model. */
function newSummary(object: AnyObject, revision: number): GuardedWrite[] {
  if (object.kind !== "model") return [];
  return [{ write: { put: summaryItem(object, revision), expect: NO_SUMMARY }, otherwise: () => keyTaken(object) }];
}

/** The writes of changes to the list of models. */
export function summaryWrites(changes: readonly Change[], revision: number, call: CallFacts): GuardedWrite[] {
  return changes.flatMap((change) => {
    if (change.does === "delete") return [];
    return change.does === "create" ? newSummary(change.after, revision) : movedSummary(change, revision, call);
  });
}

function movedSummary({ before, after }: Update, revision: number, { time }: CallFacts): GuardedWrite[] {
  if (before.kind !== "model" || after.kind !== "model") return [];
  if (before.key !== after.key) {
    return [
      ...newSummary(after, revision),
      {
        write: {
          put: movedItem(before.key, before.id, revision, Date.parse(time)),
          expect: { equal: { id: before.id } },
        },
      },
    ];
  }
  const shown = before.name !== after.name || before.version !== after.version || before.authority !== after.authority;
  if (!shown) return [];
  return [{ write: { put: summaryItem(after, revision), expect: { equal: { id: before.id } } } }];
}
