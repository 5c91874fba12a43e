import type { MatchedObject, Side } from "./matched-objects.ts";
import { listSlots, type ReadSlot, same, says } from "./slots.ts";

/** Who changed a slot since the base: nobody or both alike, people, the source, or both each in another way. */
export type Verdict = "same" | "ours" | "theirs" | "conflict";

/** What became of objects since the base. */
export interface Verdicts {
  readonly of: (joined: MatchedObject, slot: string) => Verdict;
  /** The slots that only make sense together with one, and that one. */
  readonly unitOf: (joined: MatchedObject, slot: string) => Unit;
  /** True where a side changed an object of the base, or anything in it. */
  readonly isEdited: (joined: MatchedObject, side: "ours" | "theirs") => boolean;
}

type Unit = readonly (readonly [MatchedObject, string])[];

/** Judges every slot by the rules of the guide, then slots that only make sense together. */
export function judgeSlots(all: readonly MatchedObject[], read: ReadSlot, label: string): Verdicts {
  const verdicts = new Map<string, Verdict>();
  const at = (joined: MatchedObject, slot: string): string => `${joined.name} ${slot}`;
  for (const joined of all) {
    if (!joined.ours || !joined.theirs) continue;
    for (const slot of listSlots(joined)) verdicts.set(at(joined, slot), verdictOn(joined, slot, read, label));
  }
  for (const joined of all) {
    const unit = unitOf(joined).map(([one, slot]) => at(one, slot));
    const found = new Set(unit.map((one) => verdicts.get(one)));
    if (!found.has("conflict") && !(found.has("ours") && found.has("theirs"))) continue;
    for (const one of unit) if ((verdicts.get(one) ?? "same") !== "same") verdicts.set(one, "conflict");
  }
  const isEdited = (joined: MatchedObject, side: "ours" | "theirs"): boolean => {
    if (!joined.base || !joined[side]) return joined.base !== undefined || joined[side] !== undefined;
    const isSilent = (slot: string): boolean =>
      side === "theirs" && !says(joined, "base", slot) && !says(joined, "theirs", slot);
    const isOther = (slot: string): boolean => {
      const [was, is] = together(joined, slot, read, ["base", side]);
      return !same(was, is);
    };
    if (listSlots(joined).some((slot) => !isSilent(slot) && isOther(slot))) return true;
    return joined.inner.some((one) => {
      if (!one.base && !one[side]) return false;
      return (side === "ours" || one.theirs !== undefined || isSaid(one)) && isEdited(one, side);
    });
  };
  const holds = (unit: Unit, joined: MatchedObject, slot: string): boolean =>
    unit.some(([one, name]) => one === joined && name === slot);
  return {
    of: (joined, slot) => verdicts.get(at(joined, slot)) ?? "same",
    unitOf: (joined, slot) => {
      const found = [joined, joined.above].flatMap((one) => (one ? [unitOf(one)] : []));
      return found.find((unit) => holds(unit, joined, slot)) ?? [[joined, slot]];
    },
    isEdited,
  };
}

/** True where the source says or said something of the list of an object, so that its absence means something. */
export function isSaid({ above, list }: MatchedObject): boolean {
  return above !== undefined && (["base", "theirs"] as const).some((side) => above[side]?.[list] != null);
}

function verdictOn(joined: MatchedObject, slot: string, read: ReadSlot, label: string): Verdict {
  const [then, now] = [says(joined, "base", slot), says(joined, "theirs", slot)];
  if (!then && !now) return slot === "keyPairs" && joined.ours?.[slot] ? "ours" : "same";
  const sides = (["base", "ours", "theirs"] as const).filter((side) => joined[side]);
  const values = together(joined, slot, read, sides);
  const [ours, theirs] = values.slice(-2);
  const base = joined.base && values[0];
  if (same(ours, theirs)) return "same";
  if (slot === "key" && !joined.base) return joined.theirs?.renamedFrom === ours ? "theirs" : "conflict";
  const verdict = ((): Verdict => {
    if (joined.base && then) return same(base, theirs) ? "ours" : same(base, ours) ? "theirs" : "conflict";
    // The source speaks of it for the first time.
    const isFree = ours === undefined || same(ours, []) || (joined.base !== undefined && same(ours, base));
    return isFree ? "theirs" : now ? "conflict" : "same";
  })();
  if (slot !== "origin" || verdict !== "conflict") return verdict;
  if (String(ours).split("#")[0] !== label) return "ours";
  return joined.base ? "conflict" : "theirs";
}

/** Values of some sides; of an order only those that all of them have. */
function together(joined: MatchedObject, slot: string, read: ReadSlot, sides: readonly Side[]): readonly unknown[] {
  const values = sides.map((side) => read(joined, side, slot));
  if (slot !== "attributes") return values;
  const lists = values as readonly (readonly string[])[];
  return lists.map((list) => list.filter((name) => lists.every((other) => other.includes(name))));
}

/** What only makes sense together: key pairs and entities of roles, participants and their entity. */
function unitOf(joined: MatchedObject): Unit {
  const { list, base, ours, theirs, inner } = joined;
  if (list === "businessKeys") return ["entity", "participants"].map((slot) => [joined, slot] as const);
  if (list !== "relationships" || ![base, ours, theirs].some((one) => (one?.keyPairs ?? []).length > 0)) return [];
  const roles = inner.filter((one) => one.list === "roles");
  return [[joined, "keyPairs"], ...roles.map((role) => [role, "entity"] as const)];
}
