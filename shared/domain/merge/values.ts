import {
  type DocumentObject,
  getList,
  getMember,
  indexRefs,
  isStated,
  type RefIndex,
  replaceRefs,
} from "../compare/document-members.ts";
import type { Field } from "../fields/field.ts";
import { PHYSICAL } from "../normal-form/dialect-rules.ts";
import { isSameValue } from "../text/json-values.ts";
import type { Documents, Side, Triple, Triples } from "./triples.ts";

/** Unit of change of an object: a member, a property, or the order of a list. */
export interface Slot {
  readonly name: string;
  readonly member: string;
  readonly field: Field | undefined;
  readonly property?: string;
}

/** Members of a model that a merge never changes. */
const UNMERGED_MEMBERS: ReadonlySet<string> = new Set(["version", "authority"]);

/** Returns all slots of an object, without the objects in it. */
export function listSlots(triple: Triple): readonly Slot[] {
  const { fields, above } = triple;
  const key: readonly Slot[] = above ? [{ name: "key", member: "key", field: undefined }] : [];
  return [
    ...key,
    ...Object.entries(fields).flatMap(([member, field]): readonly Slot[] => {
      if (field.is === "internal" || field.is === "nested" || (!above && UNMERGED_MEMBERS.has(member))) return [];
      if (field.is === "children") return field.move ? [{ name: member, member, field }] : [];
      if (field.is !== "json" || field.change) return [{ name: member, member, field }];
      return listPropertyNames(triple, member).map((property) => ({
        name: `${member}.${property}`,
        member,
        field,
        property,
      }));
    }),
  ];
}

function listPropertyNames({ base, ours, theirs }: Triple, member: string): readonly string[] {
  const names = [base, ours, theirs].flatMap((one) => Object.keys((getMember(one, member) ?? {}) as object));
  return [...new Set(names)].sort();
}

/** Tests whether the document of a side sets or clears a slot. */
export function isSlotStated(triple: Triple, side: Side, { member, property }: Slot): boolean {
  const object = triple[side];
  if (!object || member === "key") return object !== undefined;
  if (property === undefined) return isStated(object, member);
  return getProperty(object, member, property) !== undefined || (object.cleared?.includes(member) ?? false);
}

function getProperty(object: DocumentObject, member: string, property: string): unknown {
  const all = (getMember(object, member) ?? {}) as Readonly<Record<string, unknown>>;
  return Object.hasOwn(all, property) ? all[property] : undefined;
}

/** Returns the value of a slot in its document. */
export function getSlotValue(triple: Triple, side: Side, { member, field, property }: Slot): unknown {
  const object = triple[side];
  if (!object) return undefined;
  if (property !== undefined) return getProperty(object, member, property);
  if (field?.is !== "children") return getMember(object, member);
  return getList(object, member).map(({ key }) => `key:${key}`);
}

/** Reads the value of a slot, with triple names instead of refs. */
export type ReadSlotValue = (triple: Triple, side: Side, slot: Slot) => unknown;

/** Creates the reader for three documents. Links to unknown global tags are ignored. */
export function createSlotReader(
  { base, ours, theirs }: Documents,
  { findTriple }: Triples,
  hasGlobalTag: (ref: string) => boolean,
): ReadSlotValue {
  const getName = (object: DocumentObject): string => findTriple(object)?.name ?? object.key;
  const indexes: Readonly<Record<Side, RefIndex<string> | undefined>> = {
    base: base && indexRefs(base.document, getName),
    ours: indexRefs(ours, getName),
    theirs: indexRefs(theirs, getName),
  };
  const resolveTag = (ref: string, { tag }: RefIndex<string>): readonly string[] => {
    if (ref.includes("/")) return hasGlobalTag(ref) ? [ref] : [];
    return [tag.get(ref) ?? []].flat();
  };
  return (triple, side, slot) => {
    const { field, member } = slot;
    const object = triple[side];
    const names = indexes[side];
    if (!object || !names) return undefined;
    const value = getSlotValue(triple, side, slot);
    if (field?.is === "tags")
      return ((value ?? []) as readonly string[]).flatMap((ref) => resolveTag(ref, names)).sort();
    if (field?.is === "children") return getList(object, member).map((one) => findTriple(one)?.name);
    return value === undefined ? undefined : replaceRefs(value, field, object, names, getName);
  };
}

/** Returns the triple names in a value. */
export function listTripleNames(value: unknown, field: Field | undefined): readonly string[] {
  if (field?.is === "ref") return [String(value)];
  if (field?.is !== "refs" && field?.is !== "pairs" && field?.is !== "tags") return [];
  return ([value] as unknown[])
    .flat(Number.POSITIVE_INFINITY)
    .filter((one) => typeof one === "string" && one.startsWith("#")) as string[];
}

/** Change of a slot since the base: none or the same on both sides, manual, by the source, or a conflict. */
type Verdict = "same" | "ours" | "theirs" | "conflict";

export interface Verdicts {
  readonly getVerdict: (triple: Triple, slot: Slot) => Verdict;
  readonly listSlots: (triple: Triple) => readonly Slot[];
  /** Returns the slots of the unit that contains a slot. */
  readonly listUnit: (triple: Triple, slot: Slot) => readonly (readonly [Triple, Slot])[];
  readonly isEditedByPeople: (triple: Triple) => boolean;
  readonly isEditedInSource: (triple: Triple) => boolean;
}

/** Computes the changes in three documents. Only origins with `label` belong to the source. */
export function createVerdicts({ all }: Triples, readValue: ReadSlotValue, label: string): Verdicts {
  const slots = new Map<Triple, readonly Slot[]>();
  const listSlotsIn = (triple: Triple) => {
    const list = slots.get(triple) ?? listSlots(triple);
    slots.set(triple, list);
    return list;
  };
  const verdicts = new Map<Triple, Map<string, Verdict>>();
  for (const triple of all) {
    if (!triple.ours || !triple.theirs) continue;
    verdicts.set(
      triple,
      new Map(listSlotsIn(triple).map((slot) => [slot.name, computeVerdict(triple, slot, readValue, label)])),
    );
  }
  for (const triple of all) for (const unit of listUnits(triple)) unifyVerdicts(unit, verdicts);
  const isEdited = (triple: Triple, side: "ours" | "theirs"): boolean => {
    const { base } = triple;
    if (!base || !triple[side]) return base !== undefined || triple[side] !== undefined;
    const isChanged = (slot: Slot): boolean => {
      if (slot.property === PHYSICAL) return false;
      if (side === "theirs" && !isSlotStated(triple, "base", slot) && !isSlotStated(triple, "theirs", slot))
        return false;
      const [before, after] = listComparableValues(triple, slot, readValue, ["base", side]);
      return !isSameValue(before, after);
    };
    if (listSlotsIn(triple).some(isChanged)) return true;
    return [...triple.lists.values()].flat().some((inner) => {
      if (!inner.base && !inner[side]) return false;
      return isEdited(inner, side);
    });
  };
  return {
    getVerdict: (triple, slot) => verdicts.get(triple)?.get(slot.name) ?? "same",
    listSlots: listSlotsIn,
    listUnit: (triple, slot) => {
      const units = [triple, triple.above].flatMap((one) => (one ? listUnits(one) : []));
      const unit = units.find((one) => one.some(([, name]) => name === slot.name));
      if (!unit) return [[triple, slot]];
      return unit.flatMap(([other, name]) =>
        listSlotsIn(other).flatMap((one) => (one.name === name ? [[other, one] as const] : [])),
      );
    },
    isEditedByPeople: (triple) => isEdited(triple, "ours"),
    isEditedInSource: (triple) => isEdited(triple, "theirs"),
  };
}

/** Tests whether base or source states the list, so that an absence is meaningful. */
export function isListStated({ above, member }: Triple): boolean {
  return isStated(above?.base, member) || isStated(above?.theirs, member);
}

function computeVerdict(triple: Triple, slot: Slot, readValue: ReadSlotValue, label: string): Verdict {
  // What the normal form replaced is always that of the last source.
  if (slot.property === PHYSICAL) return isSlotStated(triple, "theirs", slot) ? "theirs" : "ours";
  const [wasStated, isStatedNow] = [isSlotStated(triple, "base", slot), isSlotStated(triple, "theirs", slot)];
  // Only the model has it: it conflicts if the source changes another slot of its unit.
  if (!wasStated && !isStatedNow) return isAbsent(readValue(triple, "ours", slot)) ? "same" : "ours";
  const sides = triple.base ? (["base", "ours", "theirs"] as const) : (["ours", "theirs"] as const);
  const common = listComparableValues(triple, slot, readValue, sides);
  const [ours, theirs] = common.slice(-2);
  if (isSameValue(ours, theirs)) return "same";
  const verdict = ((): Verdict => {
    if (slot.member === "key" && !triple.base) return triple.theirs?.renamedFrom === ours ? "theirs" : "conflict";
    if (!triple.base || !wasStated) {
      if (isAbsent(ours) || (triple.base && isSameValue(ours, common[0]))) return "theirs";
      return isStatedNow ? "conflict" : "same";
    }
    if (isSameValue(common[0], theirs)) return "ours";
    return isSameValue(common[0], ours) ? "theirs" : "conflict";
  })();
  const isOrigin = slot.field?.is === "value" && slot.field.provenance;
  if (!isOrigin || verdict !== "conflict") return verdict;
  // Different origins of an object are not a conflict.
  if (!hasLabel(ours, label)) return "ours";
  return triple.base ? verdict : "theirs";
}

/** Tests whether an origin belongs to the source with this label, which contains no `#`. */
function hasLabel(origin: unknown, label: string) {
  return String(origin).split("#", 1)[0] === label;
}

function isAbsent(value: unknown) {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

type Sides = readonly ("base" | "ours" | "theirs")[];

function listComparableValues(triple: Triple, slot: Slot, readValue: ReadSlotValue, sides: Sides): readonly unknown[] {
  const all = sides.map((side) => readValue(triple, side, slot));
  if (slot.field?.is !== "children") return all;
  const lists = all.map((one) => (one ?? []) as readonly string[]);
  const inEach = lists.map((list) => new Set(list));
  return lists.map((list) => list.filter((name) => inEach.every((set) => set.has(name))));
}

type Unit = readonly (readonly [Triple, string])[];

/** Returns slots that belong together: key pairs and the roles' entities, participants and entity. */
function listUnits(triple: Triple): readonly Unit[] {
  const { as, lists } = triple;
  if (as?.objectType === "businessKey") return [["entity", "participants"].map((name) => [triple, name] as const)];
  if (as?.objectType !== "relationship") return [];
  const joins = [triple.base, triple.ours, triple.theirs].some((one) => one && "keyPairs" in one);
  const roles = (lists.get("roles") ?? []).map((role) => [role, "entity"] as const);
  return joins ? [[[triple, "keyPairs"], ...roles]] : [];
}

/** If manual edits and the source changed different slots of a unit, all its changed slots are conflicts. */
function unifyVerdicts(unit: Unit, verdicts: ReadonlyMap<Triple, Map<string, Verdict>>): void {
  const states = unit.map(([triple, name]) => verdicts.get(triple)?.get(name) ?? "same");
  const isConflict = states.includes("conflict") || (states.includes("ours") && states.includes("theirs"));
  if (!isConflict) return;
  for (const [i, [triple, name]] of unit.entries())
    if (states[i] !== "same") verdicts.get(triple)?.set(name, "conflict");
}
