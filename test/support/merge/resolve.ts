import type { MatchedObject } from "./matched-objects.ts";
import { listSlots, type ReadSlot } from "./slots.ts";
import { isSaid, type Verdicts } from "./verdicts.ts";

/** The model that comes out where one side holds. */
export interface ResolvedModel {
  readonly isThere: (joined: MatchedObject) => boolean;
  readonly sideOf: (joined: MatchedObject, slot: string) => "ours" | "theirs";
  /** The value of a slot; refs in it are names of objects, also of such as are not there. */
  readonly value: (joined: MatchedObject, slot: string) => unknown;
  /** The objects and slots in conflict, as `<name> <slot>`; the slot of a whole object is "". */
  readonly conflicts: ReadonlySet<string>;
}

/** Lets one side hold: what it has comes back where something of the other one needs it, and what needs what it deleted goes. */
export function resolveConflicts(
  all: readonly MatchedObject[],
  read: ReadSlot,
  verdicts: Verdicts,
  holds: "ours" | "theirs",
): ResolvedModel {
  const conflicts = new Set<string>();
  const conflict = (joined: MatchedObject, slot = ""): unknown => conflicts.add(`${joined.name} ${slot}`);
  const [back, gone, held] = [new Set<MatchedObject>(), new Set<MatchedObject>(), new Set<string>()];
  const byName = new Map(all.map((one) => [one.name, one]));

  const isThere = (one: MatchedObject) => {
    const { above, ours, theirs, base } = one;
    if (!above) return true;
    if (!isThere(above) || gone.has(one)) return false;
    if (back.has(one)) return true;
    if (!above.ours || !above.theirs) return (above.ours ? ours : theirs) !== undefined;
    if (ours && theirs) return true;
    const side = ours ? "ours" : theirs ? "theirs" : undefined;
    if (!side) return false;
    if (!base || (ours && !isSaid(one))) return true;
    if (!verdicts.isEdited(one, side)) return false;
    conflict(one);
    return side === holds;
  };

  const sideOf = (one: MatchedObject, slot: string): "ours" | "theirs" => {
    if (!one.ours || !one.theirs) return one.ours ? "ours" : "theirs";
    const verdict = held.has(`${one.name} ${slot}`) ? "conflict" : verdicts.of(one, slot);
    return verdict === "conflict" ? holds : verdict === "theirs" ? "theirs" : "ours";
  };

  const value = (one: MatchedObject, slot: string): unknown => {
    if (slot !== "tags" || !one.ours || !one.theirs) return read(one, sideOf(one, slot), slot);
    const [base, ours, theirs] = (["base", "ours", "theirs"] as const).map(
      (side) => (read(one, side, slot) ?? []) as readonly string[],
    );
    const links = new Set([...(ours ?? []), ...(theirs ?? [])]);
    return [...links].filter((tag) => !base?.includes(tag) || (ours?.includes(tag) && theirs?.includes(tag))).sort();
  };

  /** Lets the side that holds have a slot and what goes with it; true where it did not yet. */
  const hold = (one: MatchedObject, slot: string) => {
    conflict(one, slot);
    const before = held.size;
    for (const [other, name] of verdicts.unitOf(one, slot)) {
      if (!other[holds]) continue;
      if (verdicts.of(other, name) !== "same") conflict(other, name);
      held.add(`${other.name} ${name}`);
    }
    return held.size > before;
  };
  const bring = (one: MatchedObject) => {
    conflict(one);
    const isNew = !back.has(one);
    back.add(one);
    return isNew;
  };
  const drop = (one: MatchedObject) => {
    conflict(one);
    back.delete(one);
    const isNew = !gone.has(one);
    gone.add(one);
    return isNew;
  };

  /** Sees to a use of something that is not there; true where another model comes out then. */
  const seeTo = (user: MatchedObject, slot: string, used: MatchedObject) => {
    let outermost = used;
    while (outermost.above && !isThere(outermost.above)) outermost = outermost.above;
    if (outermost[holds] && !gone.has(outermost)) return bring(outermost);
    if ((slot === "type" || slot === "entity") && !user[holds]) return drop(user);
    conflict(outermost);
    conflict(user, slot);
    return slot !== "tags" && user[holds] !== undefined && hold(user, slot);
  };

  const seeToRoles = (one: MatchedObject) => {
    const roles = one.inner.filter(({ list }) => list === "roles");
    const living = roles.filter(isThere);
    if (living.length < 2) {
      const own = roles.filter((role) => role[holds] && !isThere(role) && !gone.has(role));
      return own.length === 0 ? drop(one) : own.map(bring).includes(true);
    }
    if (living.length === 2 || value(one, "keyPairs") === undefined) return false;
    // Pairs are of two roles.
    const isOther = [hold(one, "keyPairs")];
    if (roles.filter((role) => role[holds]).length !== 2) return isOther.includes(true);
    for (const role of living) if (!role[holds]) isOther.push(drop(role));
    for (const role of roles) if (role[holds] && !isThere(role)) isOther.push(bring(role));
    return isOther.includes(true);
  };

  const REFS = ["type", "entity", "primaryKey", "participants", "keyPairs", "tags"];
  const once = () => {
    let isOther = false;
    for (const one of all.filter(isThere)) {
      if (one.list === "relationships" && seeToRoles(one)) isOther = true;
      for (const slot of listSlots(one).filter((name) => REFS.includes(name))) {
        const used = [value(one, slot)].flat(3).flatMap((name) => byName.get(String(name)) ?? []);
        for (const other of used) if (!isThere(other) && seeTo(one, slot, other)) isOther = true;
      }
    }
    return isOther;
  };
  while (once());
  for (const one of all) {
    if (!isThere(one)) continue;
    for (const slot of listSlots(one)) if (verdicts.of(one, slot) === "conflict") conflict(one, slot);
  }
  return { isThere, sideOf, value, conflicts };
}
