import { getList } from "../apply/parts.ts";
import type { Triple, Triples } from "./triples.ts";
import { isListStated, listTripleNames, type Slot, type SlotValues, type Verdicts } from "./values.ts";

/** Side that wins conflicts. */
export type PreferredSide = "ours" | "theirs";

/** Conflict between manual edits and the source: about a slot, or about the existence of an object. */
export interface MergeConflict {
  readonly triple: Triple;
  readonly slot: Slot | undefined;
}

/** Resolved merge of three documents. */
export interface Resolution {
  readonly isPresent: (triple: Triple) => boolean;
  /** Returns the side whose value a slot gets. */
  readonly chooseSide: (triple: Triple, slot: Slot) => PreferredSide;
  /** Returns the value of a slot, with triple names instead of refs. Only for existing triples. */
  readonly getValue: (triple: Triple, slot: Slot) => unknown;
  readonly conflicts: readonly MergeConflict[];
}

/** Input of a resolution. */
export interface MergeState {
  readonly triples: Triples;
  readonly values: SlotValues;
  readonly verdicts: Verdicts;
}

/**
 * Merges manual edits and the changes of the source; the preferred side wins conflicts. Parts of the other side that
 * need a deleted object are removed as well, and reported as conflicts.
 */
export function resolveMerge({ triples, values, verdicts }: MergeState, preferred: PreferredSide): Resolution {
  const found = new Map<string, MergeConflict>();
  const addConflict = (triple: Triple, slot?: Slot): void => {
    found.set(`${triple.name} ${slot?.name ?? ""}`, { triple, slot });
  };
  /** Objects that are restored although one side deleted them, and objects that are removed. */
  const restored = new Set<Triple>();
  const removed = new Set<Triple>();
  const forced = new Set<string>();
  let existing = listExisting();

  function listExisting(): ReadonlySet<Triple> {
    const all = new Set<Triple>();
    for (const triple of triples.all) if (isKept(triple, all)) all.add(triple);
    return all;
  }

  function isKept(triple: Triple, before: ReadonlySet<Triple>): boolean {
    const { above, ours, theirs, base } = triple;
    if (!above) return true;
    if (!before.has(above) || removed.has(triple)) return false;
    if (restored.has(triple)) return true;
    if (!above.theirs) return ours !== undefined;
    if (!above.ours) return theirs !== undefined;
    if (ours && (theirs || !base || !isListStated(triple))) return true;
    if (theirs && !base) return true;
    if (ours && verdicts.isEditedByPeople(triple)) {
      addConflict(triple);
      return preferred === "ours";
    }
    if (theirs && verdicts.isEditedInSource(triple)) {
      addConflict(triple);
      return preferred === "theirs";
    }
    return false;
  }

  const chooseSide = (triple: Triple, slot: Slot): PreferredSide => {
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
    return values.getValue(triple, chooseSide(triple, slot), slot);
  };

  /** Resolves a dangling reference in `slot`. Returns true if the resolution changed and the loop must run again. */
  const resolveReference = (triple: Triple, slot: Slot, other: Triple): boolean => {
    const unit = findDeletedRoot(other, existing);
    if (unit[preferred] && !removed.has(unit)) {
      addConflict(unit);
      restored.add(unit);
      return true;
    }
    const isRequired = slot.field?.is === "ref";
    if (isRequired && !triple[preferred]) return removeObject(triple);
    addConflict(unit);
    addConflict(triple, slot);
    if (slot.field?.is === "tags" || !triple[preferred]) return false;
    return force(triple, slot);
  };

  /** Forces the preferred side for a slot and its unit. Returns true if the resolution changed. */
  const force = (triple: Triple, slot: Slot): boolean => {
    const before = forced.size;
    for (const [one, other] of verdicts.listUnit(triple, slot)) {
      if (!one[preferred]) continue;
      if (verdicts.getVerdict(one, other) !== "same") addConflict(one, other);
      forced.add(`${one.name} ${other.name}`);
    }
    return forced.size > before;
  };

  const removeObject = (triple: Triple): boolean => {
    addConflict(triple);
    if (removed.has(triple)) return false;
    restored.delete(triple);
    removed.add(triple);
    return true;
  };

  /** Resolves invalid roles of a relationship. Returns true if the resolution changed. */
  const resolveRoles = (triple: Triple): boolean => {
    const roles = triple.lists.get("roles");
    if (triple.as?.objectType !== "relationship" || !roles) return false;
    const living = roles.filter((role) => existing.has(role));
    if (living.length < 2) {
      const own = roles.filter((role) => role[preferred] && !existing.has(role) && !removed.has(role));
      if (own.length === 0) return removeObject(triple);
      for (const role of own) {
        addConflict(role);
        restored.add(role);
      }
      return true;
    }
    const pairs = verdicts.listSlots(triple).find(({ name }) => name === "keyPairs");
    const joins = pairs && ((valueFor(triple, pairs) ?? []) as readonly unknown[]).length > 0;
    if (!joins || living.length === 2) return false;
    const ofPreferred = getList(triple[preferred], "roles").length;
    addConflict(triple, pairs);
    if (ofPreferred !== 2) return force(triple, pairs);
    let hasChanged = force(triple, pairs);
    for (const role of living) if (!role[preferred]) hasChanged = removeObject(role) || hasChanged;
    for (const role of roles) {
      if (!role[preferred] || existing.has(role) || restored.has(role)) continue;
      addConflict(role);
      restored.add(role);
      hasChanged = true;
    }
    return hasChanged;
  };

  const resolveAll = (): boolean => {
    let hasChanged = false;
    for (const triple of triples.all) {
      if (!existing.has(triple)) continue;
      if (resolveRoles(triple)) hasChanged = true;
      for (const slot of verdicts.listSlots(triple)) {
        if (slot.field?.is === "children") continue;
        for (const name of listTripleNames(valueFor(triple, slot), slot.field)) {
          const other = triples.getByName(name);
          if (other && !existing.has(other) && resolveReference(triple, slot, other)) hasChanged = true;
        }
      }
    }
    return hasChanged;
  };

  while (resolveAll()) existing = listExisting();
  for (const triple of existing) {
    for (const slot of verdicts.listSlots(triple))
      if (verdicts.getVerdict(triple, slot) === "conflict") addConflict(triple, slot);
  }
  return {
    isPresent: (triple) => existing.has(triple),
    chooseSide: chooseSide,
    getValue: valueFor,
    conflicts: [...found.values()],
  };
}

/** Returns the outermost missing owner of a missing object, or the object itself. */
function findDeletedRoot(triple: Triple, existing: ReadonlySet<Triple>): Triple {
  const { above } = triple;
  return above && !existing.has(above) ? findDeletedRoot(above, existing) : triple;
}

/** Merges links to tags: those of the model, with additions and without removals of the source. */
function mergeTagLinks(triple: Triple, slot: Slot, values: SlotValues): readonly string[] {
  const [base, ours, theirs] = (["base", "ours", "theirs"] as const).map(
    (side) => (values.getValue(triple, side, slot) ?? []) as readonly string[],
  );
  const taken = new Set(base?.filter((one) => !theirs?.includes(one)));
  const links = new Set([...(ours ?? []), ...(theirs ?? []).filter((one) => !base?.includes(one))]);
  return [...links].filter((one) => !taken.has(one)).sort();
}
