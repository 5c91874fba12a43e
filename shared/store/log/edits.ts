import { isDeepStrictEqual } from "node:util";
import { type AnyObject, getOwnerId } from "../../domain/model/objects.ts";
import type { Edit } from "../../domain/undo/undo.ts";
import { objectSortKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import type { WholeEntry } from "./log.ts";
import {
  applyEntry,
  LogBroken,
  loadObjectsAfter,
  type Objects,
  readLogEntries,
  readSnapshotState,
  requireEntry,
} from "./replay.ts";

/** Entry of a log with every object that it created, changed or deleted, also with its owner. */
export interface EditedEntry {
  readonly entry: WholeEntry;
  readonly edits: readonly Edit[];
}

/** Reads the entries of a model from a revision on, with their edits. Throws `LogBroken`. */
export async function* readEdits(table: Table, ledger: string, from: number, to: number): AsyncGenerator<EditedEntry> {
  const before = from > 1 ? await requireEntry(table, ledger, from - 1) : undefined;
  let objects: Objects = before?.state === "live" ? await loadObjectsAfter(table, ledger, before) : new Map();
  for await (const entry of readLogEntries(table, ledger, from, to)) {
    if (entry.changes) {
      yield { entry, edits: applyWithEdits(ledger, objects, entry) };
      continue;
    }
    const { snapshot } = entry;
    if (snapshot === undefined) throw new LogBroken(`${ledger} has no snapshot at revision ${entry.revision}`);
    const next = await readSnapshotState(table, ledger, entry, snapshot);
    yield { entry, edits: compareStates(objects, next) };
    objects = next;
  }
}

function applyWithEdits(ledger: string, objects: Objects, entry: WholeEntry): readonly Edit[] {
  const { changes = [] } = entry;
  const former = new Map<string, AnyObject>();
  for (const { does, from, at } of changes) {
    const object = does === "create" ? undefined : objects.get(from ?? at);
    if (object) former.set(object.id, object);
  }
  // A deleted model takes everything with it.
  if (changes.some(({ does, kind }) => does === "delete" && kind === "model")) {
    for (const object of objects.values()) former.set(object.id, object);
  }
  const removals = new Set(changes.flatMap(({ does, id }) => (does === "delete" ? [id] : [])));
  if (removals.size > 0) {
    for (const object of objects.values()) if (removals.has(getOwnerId(object) ?? "")) former.set(object.id, object);
  }
  const [misfit] = applyEntry(objects, entry);
  if (misfit !== undefined) throw new LogBroken(`${ledger} at revision ${entry.revision}: ${misfit}`);
  const after = new Map<string, AnyObject>();
  for (const { does, at } of changes) {
    const object = does === "delete" ? undefined : objects.get(at);
    if (object) after.set(object.id, object);
  }
  return joinEdits(former, after);
}

function compareStates(before: Objects, after: Objects): readonly Edit[] {
  const toChanged = (objects: Objects, others: Objects) =>
    new Map(
      [...objects.values()]
        .filter((object) => !isDeepStrictEqual(object, others.get(objectSortKey(object))))
        .map((object) => [object.id, object]),
    );
  return joinEdits(toChanged(before, after), toChanged(after, before));
}

function joinEdits(before: ReadonlyMap<string, AnyObject>, after: ReadonlyMap<string, AnyObject>): readonly Edit[] {
  return [...new Set([...before.keys(), ...after.keys()])].map((id) => {
    const [old, fresh] = [before.get(id), after.get(id)];
    return { ...(old && { before: old }), ...(fresh && { after: fresh }) };
  });
}
