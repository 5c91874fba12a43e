import { getList } from "../compare/document-members.ts";
import type { Triple, Triples } from "./triples.ts";
import { isListStated, listTripleNames, type ReadSlotValue, type Slot, type Verdicts } from "./values.ts";

export type PreferredSide = "ours" | "theirs";

/** Conflict between manual edits and the source about a slot or an object. */
export interface MergeConflict {
  readonly triple: Triple;
  readonly slot: Slot | undefined;
}

export interface Resolution {
  readonly isPresent: (triple: Triple) => boolean;
  readonly chooseSide: (triple: Triple, slot: Slot) => PreferredSide;
  /** Returns the value of a slot, with triple names instead of refs. Only for existing triples. */
  readonly getValue: (triple: Triple, slot: Slot) => unknown;
  readonly conflicts: readonly MergeConflict[];
}

export interface MergeState {
  readonly triples: Triples;
  readonly readValue: ReadSlotValue;
  readonly verdicts: Verdicts;
}

/** Merges both sides; the preferred one wins conflicts. */
export class MergeResolver {
  readonly #triples: Triples;
  readonly #readValue: ReadSlotValue;
  readonly #verdicts: Verdicts;
  readonly #winner: PreferredSide;
  readonly #found = new Map<string, MergeConflict>();
  /** Objects that are restored although one side deleted them. */
  readonly #restored = new Set<Triple>();
  readonly #removed = new Set<Triple>();
  readonly #forced = new Set<string>();
  #existing: ReadonlySet<Triple>;

  constructor({ triples, readValue, verdicts }: MergeState, winner: PreferredSide) {
    this.#triples = triples;
    this.#readValue = readValue;
    this.#verdicts = verdicts;
    this.#winner = winner;
    this.#existing = this.#listExisting();
  }

  /** Decides which objects exist and which side each slot takes, until nothing changes. */
  resolve(): Resolution {
    while (this.#resolveAll()) this.#existing = this.#listExisting();
    for (const triple of this.#existing) {
      for (const slot of this.#verdicts.listSlots(triple)) {
        if (this.#verdicts.getVerdict(triple, slot) === "conflict") this.#addConflict(triple, slot);
      }
    }
    return {
      isPresent: (triple) => this.#existing.has(triple),
      chooseSide: (triple, slot) => this.#chooseSide(triple, slot),
      getValue: (triple, slot) => this.#getValue(triple, slot),
      conflicts: [...this.#found.values()],
    };
  }

  #addConflict(triple: Triple, slot?: Slot): void {
    this.#found.set(`${triple.name} ${slot?.name ?? ""}`, { triple, slot });
  }

  #listExisting(): ReadonlySet<Triple> {
    const all = new Set<Triple>();
    for (const triple of this.#triples.all) if (this.#isKept(triple, all)) all.add(triple);
    return all;
  }

  #isKept(triple: Triple, before: ReadonlySet<Triple>): boolean {
    const { above, ours, theirs, base } = triple;
    if (!above) return true;
    if (!before.has(above) || this.#removed.has(triple)) return false;
    if (this.#restored.has(triple)) return true;
    if (!above.theirs) return ours !== undefined;
    if (!above.ours) return theirs !== undefined;
    if (ours && (theirs || !base || !isListStated(triple))) return true;
    if (theirs && !base) return true;
    if (ours && this.#verdicts.isEditedByPeople(triple)) {
      this.#addConflict(triple);
      return this.#winner === "ours";
    }
    if (theirs && this.#verdicts.isEditedInSource(triple)) {
      this.#addConflict(triple);
      return this.#winner === "theirs";
    }
    return false;
  }

  #chooseSide(triple: Triple, slot: Slot): PreferredSide {
    const { ours, theirs } = triple;
    if (!theirs || !ours) return ours ? "ours" : "theirs";
    if (this.#forced.has(`${triple.name} ${slot.name}`)) return this.#winner;
    const verdict = this.#verdicts.getVerdict(triple, slot);
    if (verdict === "conflict") return this.#winner;
    return verdict === "theirs" ? "theirs" : "ours";
  }

  #getValue(triple: Triple, slot: Slot): unknown {
    const { ours, theirs } = triple;
    if (slot.field?.is === "tags" && ours && theirs) return mergeTagLinks(triple, slot, this.#readValue);
    return this.#readValue(triple, this.#chooseSide(triple, slot), slot);
  }

  /** Resolves a dangling reference in `slot`. Returns true if the resolution changed and the loop must run again. */
  #resolveReference(triple: Triple, slot: Slot, other: Triple): boolean {
    const unit = findDeletedRoot(other, this.#existing);
    if (unit[this.#winner] && !this.#removed.has(unit)) return this.#restore(unit);
    const isRequired = slot.field?.is === "ref";
    if (isRequired && !triple[this.#winner]) return this.#removeObject(triple);
    this.#addConflict(unit);
    this.#addConflict(triple, slot);
    if (slot.field?.is === "tags" || !triple[this.#winner]) return false;
    return this.#force(triple, slot);
  }

  /** Forces the preferred side for a slot and its unit. Returns true if the resolution changed. */
  #force(triple: Triple, slot: Slot): boolean {
    const before = this.#forced.size;
    for (const [one, other] of this.#verdicts.listUnit(triple, slot)) {
      if (!one[this.#winner]) continue;
      if (this.#verdicts.getVerdict(one, other) !== "same") this.#addConflict(one, other);
      this.#forced.add(`${one.name} ${other.name}`);
    }
    return this.#forced.size > before;
  }

  /** Restores an object that one side deleted. Returns true, because the resolution changed. */
  #restore(triple: Triple): boolean {
    this.#addConflict(triple);
    this.#restored.add(triple);
    return true;
  }

  #removeObject(triple: Triple): boolean {
    this.#addConflict(triple);
    if (this.#removed.has(triple)) return false;
    this.#restored.delete(triple);
    this.#removed.add(triple);
    return true;
  }

  /** Resolves invalid roles of a relationship. Returns true if the resolution changed. */
  #resolveRoles(triple: Triple): boolean {
    const roles = triple.lists.get("roles");
    if (triple.as?.objectType !== "relationship" || !roles) return false;
    const liveRoles = roles.filter((role) => this.#existing.has(role));
    if (liveRoles.length < 2) {
      const own = roles.filter((role) => role[this.#winner] && !this.#existing.has(role) && !this.#removed.has(role));
      if (own.length === 0) return this.#removeObject(triple);
      for (const role of own) this.#restore(role);
      return true;
    }
    const pairs = this.#verdicts.listSlots(triple).find(({ name }) => name === "keyPairs");
    const hasJoin = pairs && ((this.#getValue(triple, pairs) ?? []) as readonly unknown[]).length > 0;
    if (!hasJoin || liveRoles.length === 2) return false;
    const preferredCount = getList(triple[this.#winner], "roles").length;
    this.#addConflict(triple, pairs);
    if (preferredCount !== 2) return this.#force(triple, pairs);
    let hasChanged = this.#force(triple, pairs);
    for (const role of liveRoles) if (!role[this.#winner]) hasChanged = this.#removeObject(role) || hasChanged;
    for (const role of roles) {
      if (!role[this.#winner] || this.#existing.has(role) || this.#restored.has(role)) continue;
      hasChanged = this.#restore(role);
    }
    return hasChanged;
  }

  #resolveAll(): boolean {
    let hasChanged = false;
    for (const triple of this.#triples.all) {
      if (!this.#existing.has(triple)) continue;
      if (this.#resolveRoles(triple)) hasChanged = true;
      for (const slot of this.#verdicts.listSlots(triple)) {
        if (slot.field?.is === "children") continue;
        for (const name of listTripleNames(this.#getValue(triple, slot), slot.field)) {
          const other = this.#triples.getByName(name);
          if (other && !this.#existing.has(other) && this.#resolveReference(triple, slot, other)) hasChanged = true;
        }
      }
    }
    return hasChanged;
  }
}

function findDeletedRoot(triple: Triple, existing: ReadonlySet<Triple>): Triple {
  const { above } = triple;
  return above && !existing.has(above) ? findDeletedRoot(above, existing) : triple;
}

/** Merges links to tags: those of the model, with additions and without removals of the source. */
function mergeTagLinks(triple: Triple, slot: Slot, readValue: ReadSlotValue): readonly string[] {
  const [base, ours, theirs] = (["base", "ours", "theirs"] as const).map(
    (side) => (readValue(triple, side, slot) ?? []) as readonly string[],
  );
  const removedRefs = new Set(base?.filter((one) => !theirs?.includes(one)));
  const links = new Set([...(ours ?? []), ...(theirs ?? []).filter((one) => !base?.includes(one))]);
  return [...links].filter((one) => !removedRefs.has(one)).sort();
}
