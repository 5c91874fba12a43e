import { getList } from "../apply/parts.ts";
import type { Triple, Triples } from "./triples.ts";
import { isListStated, listTripleNames, type Slot, type SlotValues, type Verdicts } from "./values.ts";

/** The side that holds where both changed the same. */
export type PreferredSide = "ours" | "theirs";

/** A contradiction between people and a source: of a slot, or of an object that is there for one of them alone. */
export interface MergeConflict {
  readonly triple: Triple;
  readonly slot: Slot | undefined;
}

/** One model made of three documents. */
export interface Resolution {
  readonly isPresent: (triple: Triple) => boolean;
  /** The side whose value a slot gets. */
  readonly chooseSide: (triple: Triple, slot: Slot) => PreferredSide;
  /** The value that a slot gets, with the names of triples for refs; only of triples that are there. */
  readonly getValue: (triple: Triple, slot: Slot) => unknown;
  readonly conflicts: readonly MergeConflict[];
}

/** What a resolution starts from. */
export interface MergeState {
  readonly triples: Triples;
  readonly values: SlotValues;
  readonly verdicts: Verdicts;
}

/**
 * Joins what people and a source changed; where these contradict each other the preferred side holds. What the other side
 * has then and cannot be without something that is gone, goes too, and is told as a contradiction.
 */
export function resolveMerge({ triples, values, verdicts }: MergeState, preferred: PreferredSide): Resolution {
  const found = new Map<string, MergeConflict>();
  const contradict = (triple: Triple, slot?: Slot): void => {
    found.set(`${triple.name} ${slot?.name ?? ""}`, { triple, slot });
  };
  /** Objects that come back although one side deleted them, and others that go. */
  const back = new Set<Triple>();
  const gone = new Set<Triple>();
  const forced = new Set<string>();
  let there = present();

  function present(): ReadonlySet<Triple> {
    const all = new Set<Triple>();
    for (const triple of triples.all) if (stays(triple, all)) all.add(triple);
    return all;
  }

  function stays(triple: Triple, before: ReadonlySet<Triple>): boolean {
    const { above, ours, theirs, base } = triple;
    if (!above) return true;
    if (!before.has(above) || gone.has(triple)) return false;
    if (back.has(triple)) return true;
    if (!above.theirs) return ours !== undefined;
    if (!above.ours) return theirs !== undefined;
    if (ours && (theirs || !base || !isListStated(triple))) return true;
    if (theirs && !base) return true;
    if (ours && verdicts.isEditedByPeople(triple)) {
      contradict(triple);
      return preferred === "ours";
    }
    if (theirs && verdicts.isEditedInSource(triple)) {
      contradict(triple);
      return preferred === "theirs";
    }
    return false;
  }

  const sideOf = (triple: Triple, slot: Slot): PreferredSide => {
    const { ours, theirs } = triple;
    if (!theirs || !ours) return ours ? "ours" : "theirs";
    if (forced.has(`${triple.name} ${slot.name}`)) return preferred;
    const verdict = verdicts.getVerdict(triple, slot);
    if (verdict === "conflict") return preferred;
    return verdict === "theirs" ? "theirs" : "ours";
  };

  const valueFor = (triple: Triple, slot: Slot): unknown => {
    const { ours, theirs } = triple;
    if (slot.field?.is === "tags" && ours && theirs) return mergeTagLinks(triple, slot, values);
    return values.getValue(triple, sideOf(triple, slot), slot);
  };

  /** Sees to a slot that refers to an object which is not there; true where something else is so then. */
  const settle = (triple: Triple, slot: Slot, other: Triple): boolean => {
    const unit = findDeletedRoot(other, there);
    if (unit[preferred] && !gone.has(unit)) {
      contradict(unit);
      back.add(unit);
      return true;
    }
    const isRequired = slot.field?.is === "ref";
    if (isRequired && !triple[preferred]) return leave(triple);
    contradict(unit);
    contradict(triple, slot);
    if (slot.field?.is === "tags" || !triple[preferred]) return false;
    return force(triple, slot);
  };

  /** Lets the preferred side have a slot, and what only makes sense together with it. */
  const force = (triple: Triple, slot: Slot): boolean => {
    const before = forced.size;
    for (const [one, other] of verdicts.listUnit(triple, slot)) {
      if (!one[preferred]) continue;
      if (verdicts.getVerdict(one, other) !== "same") contradict(one, other);
      forced.add(`${one.name} ${other.name}`);
    }
    return forced.size > before;
  };

  const leave = (triple: Triple): boolean => {
    contradict(triple);
    if (gone.has(triple)) return false;
    back.delete(triple);
    gone.add(triple);
    return true;
  };

  /** Sees to a relationship whose roles do not go together. */
  const settleRoles = (triple: Triple): boolean => {
    const roles = triple.lists.get("roles");
    if (triple.as?.objectType !== "relationship" || !roles) return false;
    const living = roles.filter((role) => there.has(role));
    if (living.length < 2) {
      const own = roles.filter((role) => role[preferred] && !there.has(role) && !gone.has(role));
      if (own.length === 0) return leave(triple);
      for (const role of own) {
        contradict(role);
        back.add(role);
      }
      return true;
    }
    const pairs = verdicts.listSlots(triple).find(({ name }) => name === "keyPairs");
    const joins = pairs && ((valueFor(triple, pairs) ?? []) as readonly unknown[]).length > 0;
    if (!joins || living.length === 2) return false;
    const ofPreferred = getList(triple[preferred], "roles").length;
    contradict(triple, pairs);
    if (ofPreferred !== 2) return force(triple, pairs);
    let isOther = force(triple, pairs);
    for (const role of living) if (!role[preferred]) isOther = leave(role) || isOther;
    for (const role of roles) {
      if (!role[preferred] || there.has(role) || back.has(role)) continue;
      contradict(role);
      back.add(role);
      isOther = true;
    }
    return isOther;
  };

  const settleAll = (): boolean => {
    let isOther = false;
    for (const triple of triples.all) {
      if (!there.has(triple)) continue;
      if (settleRoles(triple)) isOther = true;
      for (const slot of verdicts.listSlots(triple)) {
        if (slot.field?.is === "children") continue;
        for (const name of listTripleNames(valueFor(triple, slot), slot.field)) {
          const other = triples.getByName(name);
          if (other && !there.has(other) && settle(triple, slot, other)) isOther = true;
        }
      }
    }
    return isOther;
  };

  while (settleAll()) there = present();
  for (const triple of there) {
    for (const slot of verdicts.listSlots(triple))
      if (verdicts.getVerdict(triple, slot) === "conflict") contradict(triple, slot);
  }
  return {
    isPresent: (triple) => there.has(triple),
    chooseSide: sideOf,
    getValue: valueFor,
    conflicts: [...found.values()],
  };
}

/** The outermost object that is gone with an object which is not there. */
function findDeletedRoot(triple: Triple, there: ReadonlySet<Triple>): Triple {
  const { above } = triple;
  return above && !there.has(above) ? findDeletedRoot(above, there) : triple;
}

/** Links to tags: those of the model with the ones that the source added, and without those that it took away. */
function mergeTagLinks(triple: Triple, slot: Slot, values: SlotValues): readonly string[] {
  const [base, ours, theirs] = (["base", "ours", "theirs"] as const).map(
    (side) => (values.getValue(triple, side, slot) ?? []) as readonly string[],
  );
  const taken = new Set(base?.filter((one) => !theirs?.includes(one)));
  const links = new Set([...(ours ?? []), ...(theirs ?? []).filter((one) => !base?.includes(one))]);
  return [...links].filter((one) => !taken.has(one)).sort();
}
