import { toSnapshot } from "../compare/document-objects.ts";
import { findLikelyRenames, type LikelyRename } from "../compare/likely-renames.ts";
import type { Location } from "../differences.ts";
import type { ModelDocument } from "../document/document.ts";
import type { Conflict } from "../problems.ts";
import { type MergedDocument, MergeWriter } from "./merged-document.ts";
import { type MergeConflict, MergeResolver, type MergeState, type PreferredSide } from "./resolve.ts";
import { createTriples, type Documents, type Side, type Triple } from "./triples.ts";
import { createSlotReader, createVerdicts, getSlotValue } from "./values.ts";

export interface MergeOptions {
  readonly label: string;
  readonly winner: PreferredSide;
  readonly nextId: () => string;
  /** Tests whether the global tag of a ref `key:<group>/<tag>` can be linked to; other links are omitted. */
  readonly hasGlobalTag: (ref: string) => boolean;
}

export interface MergeResult {
  readonly target: ModelDocument;
  readonly conflicts: readonly Conflict[];
  readonly findId: MergedDocument["findId"];
  readonly likelyRenames: readonly LikelyRename[];
}

/** Merges changes of a source and manual edits; the preferred side wins. Throws `key_taken` and `too_large`. */
export function mergeDocuments(
  documents: Documents,
  { label, winner, nextId, hasGlobalTag }: MergeOptions,
): MergeResult {
  const { base, ours, theirs } = documents;
  const triples = createTriples(documents);
  const readValue = createSlotReader(documents, triples, hasGlobalTag);
  const state: MergeState = { triples, readValue, verdicts: createVerdicts(triples, readValue, label) };
  const [byOurs, byTheirs] = [new MergeResolver(state, "ours").resolve(), new MergeResolver(state, "theirs").resolve()];
  const resolution = winner === "ours" ? byOurs : byTheirs;
  const { target, findId } = new MergeWriter(ours, state, resolution, nextId).write();
  return {
    target,
    conflicts: listConflicts([...byOurs.conflicts, ...byTheirs.conflicts], state),
    findId,
    likelyRenames: findLikelyRenames(base?.document ?? ours, theirs),
  };
}

function listConflicts(conflicts: readonly MergeConflict[], { triples, verdicts }: MergeState): readonly Conflict[] {
  const bySlot = new Map(conflicts.map((one) => [nameSlot(one.triple, one.slot?.name), one]));
  return triples.all.flatMap((triple) =>
    [undefined, ...verdicts.listSlots(triple)].flatMap((slot) => {
      const one = bySlot.get(nameSlot(triple, slot?.name));
      return one ? [toConflict(one)] : [];
    }),
  );
}

function nameSlot({ name }: Triple, slot: string | undefined) {
  return `${name} ${slot ?? ""}`;
}

function toConflict({ triple, slot }: MergeConflict): Conflict {
  const { ours, theirs, base, as } = triple;
  const getValueOn = (side: Side): unknown => {
    const object = triple[side];
    const value = slot ? getSlotValue(triple, side, slot) : object && toSnapshot(object, triple.fields);
    return value ?? null;
  };
  return {
    objectType: as?.objectType ?? "model",
    ref: ours ? `id:${ours.id}` : `key:${(theirs ?? base)?.key}`,
    ...toLocation(triple),
    member: slot?.name ?? null,
    base: getValueOn("base"),
    ours: getValueOn("ours"),
    theirs: getValueOn("theirs"),
  };
}

function toLocation({ as, above, ours, theirs, base }: Triple): Location {
  if (!as || !above) return {};
  return { ...toLocation(above), [as.location]: (ours ?? theirs ?? base)?.key };
}
