import { type AnyObject, getOwnerId } from "../model/objects.ts";
import { isSameValue } from "../text/json-values.ts";
import { findObstacle, indexUsers } from "./obstacles.ts";
import { clearSlots, type FormerValue, listSlots, setSlots } from "./slots.ts";

/** One object before and after a commit; absent if the commit created or deleted it. */
export interface Edit {
  readonly before?: AnyObject;
  readonly after?: AnyObject;
}

/** Commit with its edits. `isSelected` is true for a slot that is taken back; absent if nothing of the commit is. */
export interface EditedCommit {
  readonly revision: number;
  readonly actor?: string;
  readonly edits: readonly Edit[];
  readonly isSelected?: (object: AnyObject, slot: string) => boolean;
}

/** Handling of values that others changed since: kept, or set back as well. */
export type OnConflict = "keep" | "back";

/** Part of a selected commit that is not taken back, and why. With `back` also a later change that is overwritten. */
export interface UndoConflict {
  /** The object as it is, or as it was last. */
  readonly object: AnyObject;
  /** Slot such as `name` or `properties.steward`; undefined for the whole object. */
  readonly member?: string;
  readonly now?: unknown;
  readonly before?: unknown;
  readonly reason: string;
  /** Last commit of somebody else on it. */
  readonly since?: Pick<EditedCommit, "revision" | "actor">;
}

/** State of a model after an undo. */
export interface Undone {
  readonly objects: ReadonlyMap<string, AnyObject>;
  /** Commits of which something is selected, oldest first. */
  readonly revisions: Iterable<number>;
  readonly conflicts: readonly UndoConflict[];
}

/** Name of the slot that is set while an object exists. */
const EXISTENCE = "";

type Writer = Pick<EditedCommit, "revision" | "actor">;

/** Value of a slot before the last unbroken row of selected writes and after it, and who wrote it since. */
interface SlotTrack extends FormerValue {
  /** First revision of the row. */
  readonly from: number;
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
  const undo = new Undo(now, onConflict);
  for (const commit of commits) undo.track(commit);
  undo.revertAll();
  undo.settle();
  return undo;
}

function trackWrite(
  slots: Map<string, SlotTrack>,
  name: string,
  value: Omit<SlotTrack, "from">,
  writer: Writer,
  isOwn: boolean,
): void {
  const slot = slots.get(name);
  if (!isOwn) {
    if (slot) slot.since = writer;
  } else if (slot && !slot.since) slot.after = value.after;
  else {
    // A selected write after one of somebody else begins a new row. Slots stay in the order of their rows.
    slots.delete(name);
    slots.set(name, { ...value, from: writer.revision });
  }
}

/** Returns the slots of an object with its existence; none of an absent one. */
function toStates(object: AnyObject | undefined): ReadonlyMap<string, unknown> {
  return object ? new Map([[EXISTENCE, true], ...listSlots(object)]) : new Map();
}

/** Returns the last writer of a slot if its value is another one than the selected commits left. */
function findOtherWriter(slot: SlotTrack, value: unknown): Writer | undefined {
  return isSameValue(value, slot.after) ? undefined : slot.since;
}

const CHANGED_SINCE = "somebody else changed it since";

/** State of a model while selected commits are taken back. */
class Undo implements Undone {
  readonly objects: Map<string, AnyObject>;
  readonly conflicts: UndoConflict[] = [];
  readonly revisions = new Set<number>();
  readonly #now: ReadonlyMap<string, AnyObject>;
  readonly #tracks = new Map<string, ObjectTrack>();
  readonly #onConflict: OnConflict;
  /** Objects that go, as they are now. */
  readonly #leaving = new Map<string, AnyObject>();

  constructor(now: ReadonlyMap<string, AnyObject>, onConflict: OnConflict) {
    this.objects = new Map(now);
    this.#now = now;
    this.#onConflict = onConflict;
  }

  /** Follows each slot that a selected commit wrote, through one commit after the other. */
  track({ revision, actor, edits, isSelected }: EditedCommit): void {
    const writer: Writer = { revision, ...(actor !== undefined && { actor }) };
    for (const { before, after } of edits) {
      const object = before ?? after;
      const known = object && this.#tracks.get(object.id);
      if (!object || !(known || isSelected)) continue;
      const [old, fresh] = [toStates(before), toStates(after)];
      const names = [...new Set([...old.keys(), ...fresh.keys()])];
      const changed = names.filter((name) => !isSameValue(old.get(name), fresh.get(name)));
      // An object comes and goes as a whole.
      const isWhole = !before || !after;
      const own = new Set(changed.filter((name) => isSelected?.(object, isWhole ? EXISTENCE : name)));
      if (own.size > 0) this.revisions.add(revision);
      if (changed.length === 0 || (own.size === 0 && !known)) continue;
      const track: ObjectTrack = known ?? { slots: new Map(), last: object };
      this.#tracks.set(object.id, track);
      track.last = object;
      if (own.size < changed.length) track.since = writer;
      for (const name of changed) {
        const value = { before: old.get(name), image: before, after: fresh.get(name) };
        trackWrite(track.slots, name, value, writer, own.has(name));
      }
    }
  }

  revertAll(): void {
    for (const [id, track] of this.#tracks) {
      const object = this.#now.get(id);
      const existence = track.slots.get(EXISTENCE);
      if (existence && existence.before === undefined) {
        if (object) this.#remove(object, track);
      } else if (object) this.#revertSlots(object, track);
      else if (existence) this.#bringBack(track, existence);
      else this.#addDeletion(track, track.since);
    }
  }

  /** Brings an object back. One that somebody else deleted since comes back as a whole or not at all. */
  #bringBack(track: ObjectTrack, { since }: SlotTrack): void {
    if (!since) {
      this.#revertSlots(undefined, track);
      return;
    }
    this.#addDeletion(track, since);
    if (this.#onConflict === "keep") return;
    const { slots, last } = track;
    const values = [...slots].filter(([name]) => name !== EXISTENCE);
    this.objects.set(last.id, setSlots(clearSlots(last), new Map(values)));
  }

  #addDeletion({ slots, last }: ObjectTrack, since: Writer | undefined): void {
    const isUndone = [...slots.values()].some(({ before }) => before !== undefined);
    if (since && isUndone) this.conflicts.push({ object: last, reason: "somebody else deleted it", since });
  }

  /** Removes an object that the commits made, unless there is or was something of somebody else in it. */
  #remove(object: AnyObject, { slots, since }: ObjectTrack): void {
    if (object.kind === "model") {
      this.conflicts.push({ object, reason: "only model_delete deletes a model" });
      return;
    }
    const present = toStates(object);
    const isOwn =
      [...present.keys()].every((name) => slots.has(name)) &&
      [...slots].every(([name, slot]) => slot.before === undefined && isSameValue(present.get(name), slot.after));
    if (!isOwn) this.conflicts.push({ object, reason: CHANGED_SINCE, ...(since && { since }) });
    if (!isOwn && this.#onConflict === "keep") return;
    this.objects.delete(object.id);
    this.#leaving.set(object.id, object);
  }

  #revertSlots(object: AnyObject | undefined, { slots, last }: ObjectTrack): void {
    const present = toStates(object);
    const values = new Map<string, FormerValue>();
    for (const [name, slot] of slots) {
      const { before } = slot;
      const now = present.get(name);
      if (name === EXISTENCE || isSameValue(now, before)) continue;
      const since = findOtherWriter(slot, now);
      if (since)
        this.conflicts.push({ object: object ?? last, member: name, now, before, reason: CHANGED_SINCE, since });
      if (!since || this.#onConflict === "back") values.set(name, slot);
    }
    if (object && values.size === 0) return;
    this.objects.set(last.id, setSlots(object ?? clearSlots(last), values));
  }

  /**
   * Leaves objects as they are, until no reference dangles and no key is used twice: first those that others need, then
   * those that cannot be among the others, then those that have to yield their key.
   */
  settle(): void {
    do this.#keepNeeded();
    while (this.#keepBroken() || this.#keepKeys());
  }

  #keepNeeded(): void {
    for (let isDone = this.#leaving.size === 0; !isDone; ) {
      isDone = true;
      const users = indexUsers(this.objects.values());
      for (const [id, object] of this.#leaving) {
        const user = users.get(id);
        if (!user) continue;
        this.#leaving.delete(id);
        this.#keep(object, `${user.kind} ${user.key} needs it`);
        isDone = false;
      }
    }
  }

  #keepBroken(): boolean {
    const broken = [...this.objects.values()].flatMap((object) => {
      const obstacle = object === this.#now.get(object.id) ? undefined : findObstacle(object, this.objects);
      return obstacle === undefined ? [] : [[object, obstacle] as const];
    });
    for (const [object, obstacle] of broken) this.#keep(object, obstacle);
    return broken.length > 0;
  }

  #keepKeys(): boolean {
    const holders = new Map<string, AnyObject>();
    const losers: AnyObject[] = [];
    for (const object of this.objects.values()) {
      const name = nameKey(object);
      const holder = holders.get(name);
      const isFirst = holder === undefined || this.#rankHolder(object) < this.#rankHolder(holder);
      if (isFirst) holders.set(name, object);
      if (holder) losers.push(isFirst ? holder : object);
    }
    // Grows by each object that one which stays as it is deprives of its key.
    for (const object of losers) {
      const holder = holders.get(nameKey(object)) ?? object;
      this.#keep(object, `${holder.kind} ${holder.key} has its key now`);
      const present = this.#now.get(object.id);
      if (!present) continue;
      const deprived = holders.get(nameKey(present));
      holders.set(nameKey(present), present);
      if (deprived) losers.push(deprived);
    }
    return losers.length > 0;
  }

  /** Ranks the holders of one key: first the one that has it now, then the one that the commits took it from first. */
  #rankHolder(object: AnyObject): number {
    const present = this.#now.get(object.id);
    if (present && nameKey(present) === nameKey(object)) return 0;
    return this.#tracks.get(object.id)?.slots.get("key")?.from ?? 0;
  }

  /** Leaves an object as it is: there or not. */
  #keep({ id }: AnyObject, reason: string): void {
    const present = this.#now.get(id);
    const object = present ?? this.#tracks.get(id)?.last;
    if (present) this.objects.set(id, present);
    else this.objects.delete(id);
    if (object) this.conflicts.push({ object, reason });
  }
}

/** Names a key in its scope. */
function nameKey(object: AnyObject): string {
  const owner = object.kind === "business_key" ? undefined : getOwnerId(object);
  return [object.kind, owner ?? "", object.key].join("\n");
}
