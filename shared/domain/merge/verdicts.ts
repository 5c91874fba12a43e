import { says } from "../apply/parts.ts";
import { sameValue } from "../same-value.ts";
import type { Triple, Triples } from "./triples.ts";
import { type Slot, saysOf, slotsOf, type Values } from "./values.ts";

/** Who changed a slot since the base: nobody or both alike, people, the source, or both each in another way. */
export type Verdict = "same" | "ours" | "theirs" | "conflict";

/** What became of the objects and their members since the base. */
export interface Verdicts {
  /** The verdict on a slot of an object that the model and the source have. */
  readonly of: (triple: Triple, slot: Slot) => Verdict;
  readonly slots: (triple: Triple) => readonly Slot[];
  /** The slots that only make sense together with one, that one among them. */
  readonly togetherWith: (triple: Triple, slot: Slot) => readonly (readonly [Triple, Slot])[];
  /** True where people changed an object of the base, or anything in it. */
  readonly editedByPeople: (triple: Triple) => boolean;
  /** True where the source changed an object of the base, or anything in it. */
  readonly editedInSource: (triple: Triple) => boolean;
}

/** Judges three documents; `label` names the source, whose origins alone it changes. */
export function verdictsOf({ all }: Triples, values: Values, label: string): Verdicts {
  const slots = new Map<Triple, readonly Slot[]>();
  const slotsIn = (triple: Triple): readonly Slot[] => {
    const known = slots.get(triple) ?? slotsOf(triple);
    slots.set(triple, known);
    return known;
  };
  const verdicts = new Map<Triple, Map<string, Verdict>>();
  for (const triple of all) {
    if (!triple.ours || !triple.theirs) continue;
    verdicts.set(triple, new Map(slotsIn(triple).map((slot) => [slot.name, verdictOn(triple, slot, values, label)])));
  }
  for (const triple of all) for (const unit of unitsOf(triple)) agree(unit, verdicts);
  const edited = (triple: Triple, side: "ours" | "theirs"): boolean => {
    const { base } = triple;
    if (!base || !triple[side]) return base !== undefined || triple[side] !== undefined;
    const isOther = (slot: Slot): boolean => {
      if (side === "theirs" && !saysOf(triple, "base", slot) && !saysOf(triple, "theirs", slot)) return false;
      const [before, after] = valuesInCommon(triple, slot, values, ["base", side]);
      return !sameValue(before, after);
    };
    if (slotsIn(triple).some(isOther)) return true;
    return [...triple.lists.values()].flat().some((inner) => {
      if (!inner.base && !inner[side]) return false;
      if (side === "theirs" && !inner.theirs && !isSaid(inner)) return false;
      return edited(inner, side);
    });
  };
  return {
    of: (triple, slot) => verdicts.get(triple)?.get(slot.name) ?? "same",
    slots: slotsIn,
    togetherWith: (triple, slot) => {
      const isOne = ([other, name]: Unit[number]): boolean => other === triple && name === slot.name;
      const unit = [triple, triple.above].flatMap((one) => (one ? unitsOf(one) : [])).find((one) => one.some(isOne));
      if (!unit) return [[triple, slot]];
      return unit.flatMap(([other, name]) =>
        slotsIn(other).flatMap((one) => (one.name === name ? [[other, one] as const] : [])),
      );
    },
    editedByPeople: (triple) => edited(triple, "ours"),
    editedInSource: (triple) => edited(triple, "theirs"),
  };
}

/** True where the source says or said something of the list that an object lies in, so that its absence means something. */
export function isSaid({ above, member }: Triple): boolean {
  return says(above?.base, member) || says(above?.theirs, member);
}

function verdictOn(triple: Triple, slot: Slot, values: Values, label: string): Verdict {
  const [saidThen, saidNow] = [saysOf(triple, "base", slot), saysOf(triple, "theirs", slot)];
  if (!saidThen && !saidNow) return "same";
  const sides = triple.base ? (["base", "ours", "theirs"] as const) : (["ours", "theirs"] as const);
  const common = valuesInCommon(triple, slot, values, sides);
  const [ours, theirs] = common.slice(-2);
  if (sameValue(ours, theirs)) return "same";
  const verdict = ((): Verdict => {
    if (slot.member === "key" && !triple.base) return triple.theirs?.renamedFrom === ours ? "theirs" : "conflict";
    if (!triple.base || !saidThen) {
      if (isNothing(ours) || (triple.base && sameValue(ours, common[0]))) return "theirs";
      return saidNow ? "conflict" : "same";
    }
    if (sameValue(common[0], theirs)) return "ours";
    return sameValue(common[0], ours) ? "theirs" : "conflict";
  })();
  const isOrigin = slot.field?.is === "value" && slot.field.provenance;
  if (!isOrigin || verdict !== "conflict") return verdict;
  // Where an object came from first is no contradiction to where else it is found.
  if (!isOf(ours, label)) return "ours";
  return triple.base ? verdict : "theirs";
}

/** True for an origin in the source of a label, which has no `#` in it. */
function isOf(origin: unknown, label: string): boolean {
  return String(origin).split("#", 1)[0] === label;
}

function isNothing(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

type Sides = readonly ("base" | "ours" | "theirs")[];

/** The values of some sides; of an order only the objects that all of these have, as one that is new or gone moves nothing. */
function valuesInCommon(triple: Triple, slot: Slot, values: Values, sides: Sides): readonly unknown[] {
  const all = sides.map((side) => values.of(triple, side, slot));
  if (slot.field?.is !== "children") return all;
  const lists = all.map((one) => (one ?? []) as readonly string[]);
  const inEach = lists.map((list) => new Set(list));
  return lists.map((list) => list.filter((name) => inEach.every((set) => set.has(name))));
}

type Unit = readonly (readonly [Triple, string])[];

/** The slots that only make sense together: key pairs and the entities of roles, participants and their entity. */
function unitsOf(triple: Triple): readonly Unit[] {
  const { as, lists } = triple;
  if (as?.objectType === "businessKey") return [["entity", "participants"].map((name) => [triple, name] as const)];
  if (as?.objectType !== "relationship") return [];
  const joins = [triple.base, triple.ours, triple.theirs].some((one) => one && "keyPairs" in one);
  const roles = (lists.get("roles") ?? []).map((role) => [role, "entity"] as const);
  return joins ? [[[triple, "keyPairs"], ...roles]] : [];
}

/** Where people changed one slot of a unit and the source another one, both changed all that differs. */
function agree(unit: Unit, verdicts: ReadonlyMap<Triple, Map<string, Verdict>>): void {
  const found = unit.map(([triple, name]) => verdicts.get(triple)?.get(name) ?? "same");
  const isTorn = found.includes("conflict") || (found.includes("ours") && found.includes("theirs"));
  if (!isTorn) return;
  for (const [i, [triple, name]] of unit.entries())
    if (found[i] !== "same") verdicts.get(triple)?.set(name, "conflict");
}
