import { type AnyObject, getOwnerId } from "../model/objects.ts";
import { isSameValue } from "../text/json-values.ts";
import { findObstacle, indexUsers } from "./obstacles.ts";
import { listSlots, setSlots } from "./slots.ts";

/** One object before and after a commit; absent if the commit created or deleted it. */
export interface Edit {
  readonly before?: AnyObject;
  readonly after?: AnyObject;
}

/** Commit with its edits. `isSelected` is true for a commit that is taken back. */
export interface EditedCommit {
  readonly revision: number;
  readonly actor?: string;
  readonly edits: readonly Edit[];
  readonly isSelected: (edit: Edit) => boolean;
}

/** Handling of values that others changed since: kept, or set back as well. */
export type OnConflict = "keep" | "back";

/** Part of a selected commit that is not taken back, and why. With `back` also a later change that is overwritten. */
export interface UndoConflict {
  readonly object: AnyObject;
  /** Slot such as `name` or `properties.steward`; undefined for the whole object. */
  readonly member?: string;
  readonly now: unknown;
  readonly before: unknown;
  readonly reason: string;
  /** Last commit of somebody else on it. */
  readonly since?: Pick<EditedCommit, "revision" | "actor">;
}

/** State of a model after an undo. */
export interface Undone {
  readonly objects: ReadonlyMap<string, AnyObject>;
  readonly conflicts: readonly UndoConflict[];
}

/** Name of the slot that is set while an object exists. */
const EXISTENCE = "";

type Writer = Pick<EditedCommit, "revision" | "actor">;

/** Value of a slot before the last unbroken row of selected writes and after it, and who wrote it since. */
interface SlotTrack {
  readonly before: unknown;
  after: unknown;
  since?: Writer;
}

/** What the commits did to one object. */
interface ObjectTrack {
  readonly slots: Map<string, SlotTrack>;
  /** Last image before the object was deleted. */
  last: AnyObject;
  /** Last commit of somebody else on the object after a selected one. */
  since?: Writer;
}

/**
 * Computes a model without the selected commits. `now` has its present objects by id. Every slot that only selected
 * commits wrote since gets its former value; objects that they made go, and objects that they deleted come back under
 * their ids. What others changed since is a conflict, and so is everything that would leave a dangling reference or a
 * key twice.
 */
export function computeUndone(
  now: ReadonlyMap<string, AnyObject>,
  commits: Iterable<EditedCommit>,
  onConflict: OnConflict,
): Undone {
  const tracks = trackSlots(commits);
  const undo = new Undo(now, onConflict);
  for (const [id, track] of tracks) undo.revert(id, track);
  undo.settle();
  return undo;
}

/** Follows each slot that a selected commit wrote through all commits, oldest first. */
function trackSlots(commits: Iterable<EditedCommit>): ReadonlyMap<string, ObjectTrack> {
  const tracks = new Map<string, ObjectTrack>();
  for (const { revision, actor, edits, isSelected } of commits) {
    const writer: Writer = { revision, ...(actor !== undefined && { actor }) };
    for (const edit of edits) {
      const object = edit.before ?? edit.after;
      if (!object) continue;
      const isOwn = isSelected(edit);
      const track: ObjectTrack | undefined =
        tracks.get(object.id) ?? (isOwn ? { slots: new Map(), last: object } : undefined);
      if (!track) continue;
      tracks.set(object.id, track);
      track.last = object;
      if (!isOwn) track.since = writer;
      trackEdit(track, edit, isOwn ? undefined : writer);
    }
  }
  return tracks;
}

function trackEdit({ slots }: ObjectTrack, { before, after }: Edit, other: Writer | undefined): void {
  const [old, fresh] = [toStates(before), toStates(after)];
  for (const name of new Set([...old.keys(), ...fresh.keys()])) {
    if (isSameValue(old.get(name), fresh.get(name))) continue;
    const slot = slots.get(name);
    const after = fresh.get(name);
    if (other) {
      if (slot) slot.since = other;
    } else if (slot && !slot.since) slot.after = after;
    // A selected write after one of somebody else begins a new row.
    else slots.set(name, { before: old.get(name), after });
  }
}

/** Returns the slots of an object with its existence; none of an absent one. */
function toStates(object: AnyObject | undefined): ReadonlyMap<string, unknown> {
  return object ? new Map([[EXISTENCE, true], ...listSlots(object)]) : new Map();
}

/** State of a model while selected commits are taken back. */
class Undo implements Undone {
  readonly objects: Map<string, AnyObject>;
  readonly conflicts: UndoConflict[] = [];
  readonly #now: ReadonlyMap<string, AnyObject>;
  readonly #onConflict: OnConflict;
  /** Objects that go, as they are now. */
  readonly #leaving = new Map<string, AnyObject>();

  constructor(now: ReadonlyMap<string, AnyObject>, onConflict: OnConflict) {
    this.objects = new Map(now);
    this.#now = now;
    this.#onConflict = onConflict;
  }

  revert(id: string, track: ObjectTrack): void {
    const object = this.#now.get(id);
    const existence = track.slots.get(EXISTENCE);
    const isMade = existence !== undefined && existence.before === undefined;
    if (object?.kind === "model" && isMade) this.#addConflict(object, "only model_delete deletes a model");
    else if (object && isMade) this.#remove(object, track);
    else if (object) this.#revertSlots(object, track);
    else if (existence?.since) this.#addConflict(track.last, "somebody else deleted it", existence.since);
    else if (existence?.before) {
      const former = [...track.slots].filter(([name, { since }]) => name !== EXISTENCE && !since);
      this.objects.set(id, setSlots(track.last, new Map(former.map(([name, { before }]) => [name, before]))));
    }
  }

  #remove(object: AnyObject, { slots, since: writer }: ObjectTrack): void {
    const present = toStates(object);
    const names = [...new Set([...slots.keys(), ...present.keys()])];
    const isAsLeft = names.every((name) => isSameValue(present.get(name), slots.get(name)?.after));
    const since = isAsLeft ? undefined : writer;
    if (since) this.#addConflict(object, "somebody else changed it since", since);
    if (since && this.#onConflict === "keep") return;
    this.objects.delete(object.id);
    this.#leaving.set(object.id, object);
  }

  #revertSlots(object: AnyObject, { slots }: ObjectTrack): void {
    const present = toStates(object);
    const values = new Map<string, unknown>();
    for (const [name, { before, after, since: writer }] of slots) {
      const value = present.get(name);
      if (name === EXISTENCE || isSameValue(value, before)) continue;
      const since = isSameValue(value, after) ? undefined : writer;
      if (since) this.#addConflict(object, "somebody else changed it since", since, { name, now: value, before });
      if (!since || this.#onConflict === "back") values.set(name, before);
    }
    this.objects.set(object.id, setSlots(object, values));
  }

  /** Takes back what cannot be undone, until no reference dangles and no key is used twice. */
  settle(): void {
    for (let isDone = false; !isDone; ) {
      isDone = true;
      const users = indexUsers(this.objects.values());
      for (const [id, object] of this.#leaving) {
        const user = users.get(id);
        if (!user) continue;
        this.#leaving.delete(id);
        this.objects.set(id, object);
        this.#addConflict(object, `${user.kind} ${user.key} needs it`);
        isDone = false;
      }
      const keys = this.#indexKeys();
      const changed = [...this.objects.values()].filter((object) => object !== this.#now.get(object.id));
      // Grows by each object that one which is set back deprives of its key.
      for (const object of changed) {
        if (this.objects.get(object.id) !== object) continue;
        const holder = keys.get(nameKey(object));
        const isTaken = holder !== undefined && holder !== object;
        const obstacle = isTaken ? `${holder.kind} ${holder.key} has its key now` : findObstacle(object, this.objects);
        if (obstacle === undefined) continue;
        const present = this.#now.get(object.id);
        if (present) {
          this.objects.set(object.id, present);
          const deprived = keys.get(nameKey(present));
          keys.set(nameKey(present), present);
          if (deprived && deprived !== object) changed.push(deprived);
        } else this.objects.delete(object.id);
        this.#addConflict(object, obstacle);
        isDone = false;
      }
    }
  }

  /** Indexes the objects by their keys; of two with one key, the one that is as it was. */
  #indexKeys(): Map<string, AnyObject> {
    const keys = new Map<string, AnyObject>();
    for (const object of this.objects.values()) {
      const name = nameKey(object);
      if (!keys.has(name) || object === this.#now.get(object.id)) keys.set(name, object);
    }
    return keys;
  }

  #addConflict(
    object: AnyObject,
    reason: string,
    since?: Writer,
    slot?: { readonly name: string; readonly now: unknown; readonly before: unknown },
  ): void {
    this.conflicts.push({
      object,
      now: slot?.now ?? null,
      before: slot?.before ?? null,
      reason,
      ...(slot && { member: slot.name }),
      ...(since && { since }),
    });
  }
}

/** Names a key in its scope. */
function nameKey(object: AnyObject): string {
  const owner = object.kind === "business_key" ? undefined : getOwnerId(object);
  return [object.kind, owner ?? "", object.key].join("\n");
}
