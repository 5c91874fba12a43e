import type { Call } from "../actions/call.ts";
import type { Commit } from "../actions/store.ts";
import type { Change } from "../domain/change.ts";
import { KINDS } from "../domain/kinds.ts";
import { SWEEP } from "../domain/limits.ts";
import type { AnyObject } from "../domain/objects.ts";
import { Problem } from "../domain/problems.ts";
import { checkObjectSize } from "./item-size.ts";
import { idItem, idKey, movedItem, NO_SUMMARY, objectItem, objectKey, type Place, summaryItem } from "./items.ts";
import { objectSortKey, releaseKey, summaryKey } from "./keys.ts";
import { FORMAT, type Write } from "./seam.ts";
import { sweepItem } from "./sweep-notes.ts";

/** A write and what a caller is told when its expectation fails; without it the call decides again. */
export interface GuardedWrite {
  readonly write: Write;
  readonly otherwise?: Problem;
}

/** The facts of a call that items carry. */
type CallFacts = Pick<Call, "operationId" | "time">;

const ABSENT = { absent: true } as const;

/** Everything a commit writes beside its log entry. */
export function writesOf(place: Place, commit: Commit, revision: number, call: CallFacts): GuardedWrite[] {
  const writes = commit.changes.flatMap((change) => changeWrites(place, change, revision, call));
  if (commit.release !== undefined) writes.push(releaseWrite(place, commit.release, revision, call));
  return writes;
}

/** The item of a released version: the revision tells what it holds. */
export function releaseWrite(place: Place, version: string, revision: number, call: CallFacts): GuardedWrite {
  return {
    write: {
      put: { ...releaseKey(place.model, version), v: FORMAT, revision, time: call.time },
      expect: ABSENT,
    },
  };
}

function changeWrites(place: Place, change: Change, revision: number, call: CallFacts): GuardedWrite[] {
  if (change.does === "create")
    return [...createWrites(place, change.after, revision), ...newSummary(change.after, revision)];
  if (change.does === "delete") return deleteWrites(place, change, call);
  return [...updateWrites(place, change.before, change.after, revision), ...movedSummary(change, revision, call)];
}

function createWrites(place: Place, object: AnyObject, revision: number): GuardedWrite[] {
  const item = objectItem(place, object, revision);
  checkObjectSize(item);
  const id = idItem(place, object, revision);
  return [
    { write: { put: item, expect: ABSENT }, otherwise: keyTaken(object) },
    ...(id ? [{ write: { put: id, expect: ABSENT } }] : []),
  ];
}

function updateWrites(place: Place, before: AnyObject, after: AnyObject, revision: number): GuardedWrite[] {
  const item = objectItem(place, after, revision);
  checkObjectSize(item);
  const asRead = { equal: { id: before.id, revision: before.revision } };
  const from = objectKey(place, before);
  if (objectSortKey(after) === from.sk) return [{ write: { put: item, expect: asRead } }];
  const id = idItem(place, after, revision);
  return [
    { write: { put: item, expect: ABSENT }, otherwise: keyTaken(after) },
    { write: { delete: from, expect: asRead } },
    ...(id ? [{ write: { put: id, expect: { equal: { at: from.sk } } } }] : []),
  ];
}

function deleteWrites(place: Place, { before, owns }: Change & { does: "delete" }, call: CallFacts): GuardedWrite[] {
  const asRead = { equal: { id: before.id, revision: before.revision } };
  const writes: GuardedWrite[] = [{ write: { delete: objectKey(place, before), expect: asRead } }];
  if (idItem(place, before, 0)) {
    writes.push({ write: { delete: idKey(place, before.id), expect: { equal: { at: objectSortKey(before) } } } });
  }
  if (before.kind === "model") {
    writes.push({ write: { delete: summaryKey(before.key), expect: { equal: { id: before.id } } } });
  }
  if (owns) {
    const whole = before.kind === "model";
    // Whoever reads a generation when its model goes may finish; what one owner held is skipped by every reader at once.
    const due = Date.parse(call.time) + (whole ? SWEEP.generationMs : 0);
    const note = whole
      ? sweepItem({ ...place, round: 1 }, due, call.operationId)
      : sweepItem({ ...place, owner: before.id, round: 1 }, due, `${call.operationId}-${before.id}`);
    writes.push({ write: { put: note, expect: ABSENT } });
  }
  return writes;
}

/** The row in the list of models that begins with a model. */
export function newSummary(object: AnyObject, revision: number): GuardedWrite[] {
  if (object.kind !== "model") return [];
  return [{ write: { put: summaryItem(object, revision), expect: NO_SUMMARY }, otherwise: keyTaken(object) }];
}

function movedSummary(
  { before, after }: Change & { does: "update" },
  revision: number,
  { time }: CallFacts,
): GuardedWrite[] {
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

/** The sort key makes a key unique in its scope, so a refused write of a new one says that it is taken. */
function keyTaken(object: AnyObject): Problem {
  const { noun, parent } = KINDS[object.kind];
  const scope = parent ? ` in the ${KINDS[parent].noun}` : "";
  return new Problem("key_taken", `the key ${object.key} is taken by another ${noun}${scope}; choose another key`);
}
