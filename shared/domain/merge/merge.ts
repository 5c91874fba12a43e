import { toSnapshot } from "../compare/document-objects.ts";
import { findLikelyRenames, type LikelyRename, matchDocuments } from "../compare/match-documents.ts";
import type { Location } from "../differences.ts";
import type { ModelDocument } from "../document/document.ts";
import type { Conflict } from "../problems.ts";
import { type MergedDocument, writeMergedDocument } from "./merged-document.ts";
import { type MergeConflict, type MergeState, type PreferredSide, resolveMerge } from "./resolve.ts";
import { createTriples, type Documents, type Side, type Triple } from "./triples.ts";
import { createSlotValues, createVerdicts, getSlotValue } from "./values.ts";

/** How a model and its source are joined. */
export interface MergeOptions {
  /** The label of the source. */
  readonly label: string;
  readonly preferred: PreferredSide;
  readonly nextId: () => string;
  /** True for a ref to a tag of a group, `key:<group>/<tag>`, that can be linked to; links to others are left out. */
  readonly hasGlobalTag: (ref: string) => boolean;
}

/** A model joined with its source. */
export interface MergeResult {
  readonly target: ModelDocument;
  /** All conflicts, whichever side holds. */
  readonly conflicts: readonly Conflict[];
  /** The id in the model of an object of one of the documents; undefined for one that it does not have. */
  readonly findId: MergedDocument["findId"];
  readonly likelyRenames: readonly LikelyRename[];
}

/**
 * The document of a model once what its source changed came in and what people changed stayed. Where both changed the same the
 * preferred side holds, and a conflict tells of it. `key_taken`, `too_large` where the two cannot go together.
 */
export function mergeDocuments(
  documents: Documents,
  { label, preferred, nextId, hasGlobalTag }: MergeOptions,
): MergeResult {
  const { base, ours, theirs } = documents;
  const triples = createTriples(documents);
  const values = createSlotValues(documents, triples, hasGlobalTag);
  const judged: MergeState = { triples, values, verdicts: createVerdicts(triples, values, label) };
  const resolutions = { ours: resolveMerge(judged, "ours"), theirs: resolveMerge(judged, "theirs") };
  const found = [...resolutions.ours.conflicts, ...resolutions.theirs.conflicts];
  const { target, findId: idOf } = writeMergedDocument(ours, judged, resolutions[preferred], nextId);
  return {
    target,
    conflicts: listConflicts(found, judged),
    findId: idOf,
    likelyRenames: findLikelyRenames(matchDocuments(base?.document ?? ours, theirs)),
  };
}

/** The contradictions as callers see them, each once, in the order of the objects. */
function listConflicts(found: readonly MergeConflict[], { triples, verdicts }: MergeState): readonly Conflict[] {
  const bySlot = new Map(found.map((one) => [nameSlot(one.triple, one.slot?.name), one]));
  return triples.all.flatMap((triple) =>
    [undefined, ...verdicts.listSlots(triple)].flatMap((slot) => {
      const one = bySlot.get(nameSlot(triple, slot?.name));
      return one ? [toConflict(one)] : [];
    }),
  );
}

function nameSlot({ name }: Triple, slot: string | undefined): string {
  return `${name} ${slot ?? ""}`;
}

function toConflict({ triple, slot }: MergeConflict): Conflict {
  const { ours, theirs, base, as } = triple;
  const valueOn = (side: Side): unknown => {
    const written = triple[side];
    const value = slot ? getSlotValue(triple, side, slot) : written && toSnapshot(written, triple.fields);
    return value ?? null;
  };
  return {
    objectType: as?.objectType ?? "model",
    ref: ours ? `id:${ours.id}` : `key:${(theirs ?? base)?.key}`,
    ...toLocation(triple),
    member: slot?.name ?? null,
    base: valueOn("base"),
    ours: valueOn("ours"),
    theirs: valueOn("theirs"),
  };
}

function toLocation({ as, above, ours, theirs, base }: Triple): Location {
  if (!as || !above) return {};
  return { ...toLocation(above), [as.location]: (ours ?? theirs ?? base)?.key };
}
