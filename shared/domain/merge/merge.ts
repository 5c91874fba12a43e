import { ownSnapshot } from "../compare/document-objects.ts";
import { type LikelyRename, likelyRenames, matchDocuments } from "../compare/match-documents.ts";
import type { Location } from "../differences.ts";
import type { ModelDocument } from "../document/document.ts";
import type { Conflict } from "../problems.ts";
import { type MergedDocument, mergedDocument } from "./merged-document.ts";
import { type Contradiction, type Judged, type Preferred, resolve } from "./resolve.ts";
import { type Documents, type Side, type Triple, triplesOf } from "./triples.ts";
import { shownOf, valuesOf, verdictsOf } from "./values.ts";

/** How a model and its source are joined. */
export interface MergeTerms {
  /** The label of the source. */
  readonly label: string;
  readonly preferred: Preferred;
  readonly nextId: () => string;
  /** True for a ref to a tag of a group, `key:<group>/<tag>`, that can be linked to; links to others are left out. */
  readonly hasGlobalTag: (ref: string) => boolean;
}

/** A model joined with its source. */
export interface Merged {
  readonly target: ModelDocument;
  /** All conflicts, whichever side holds. */
  readonly conflicts: readonly Conflict[];
  /** The id in the model of an object of one of the documents; undefined for one that it does not have. */
  readonly idOf: MergedDocument["idOf"];
  readonly likelyRenames: readonly LikelyRename[];
}

/**
 * The document of a model once what its source changed came in and what people changed stayed. Where both changed the same the
 * preferred side holds, and a conflict tells of it. `key_taken`, `too_large` where the two cannot go together.
 */
export function mergeDocuments(documents: Documents, { label, preferred, nextId, hasGlobalTag }: MergeTerms): Merged {
  const { base, ours, theirs } = documents;
  const triples = triplesOf(documents);
  const values = valuesOf(documents, triples, hasGlobalTag);
  const judged: Judged = { triples, values, verdicts: verdictsOf(triples, values, label) };
  const resolutions = { ours: resolve(judged, "ours"), theirs: resolve(judged, "theirs") };
  const found = [...resolutions.ours.contradictions, ...resolutions.theirs.contradictions];
  const { target, idOf } = mergedDocument(ours, judged, resolutions[preferred], nextId);
  return {
    target,
    conflicts: conflictsOf(found, judged),
    idOf,
    likelyRenames: likelyRenames(matchDocuments(base?.document ?? ours, theirs)),
  };
}

/** The contradictions as callers see them, each once, in the order of the objects. */
function conflictsOf(found: readonly Contradiction[], { triples, verdicts }: Judged): readonly Conflict[] {
  const bySlot = new Map(found.map((one) => [nameOf(one.triple, one.slot?.name), one]));
  return triples.all.flatMap((triple) =>
    [undefined, ...verdicts.slots(triple)].flatMap((slot) => {
      const one = bySlot.get(nameOf(triple, slot?.name));
      return one ? [conflictOf(one)] : [];
    }),
  );
}

function nameOf({ name }: Triple, slot: string | undefined): string {
  return `${name} ${slot ?? ""}`;
}

function conflictOf({ triple, slot }: Contradiction): Conflict {
  const { ours, theirs, base, as } = triple;
  const valueOn = (side: Side): unknown => {
    const written = triple[side];
    const value = slot ? shownOf(triple, side, slot) : written && ownSnapshot(written, triple.fields);
    return value ?? null;
  };
  return {
    objectType: as?.objectType ?? "model",
    ref: ours ? `id:${ours.id}` : `key:${(theirs ?? base)?.key}`,
    ...locationOf(triple),
    member: slot?.name ?? null,
    base: valueOn("base"),
    ours: valueOn("ours"),
    theirs: valueOn("theirs"),
  };
}

function locationOf({ as, above, ours, theirs, base }: Triple): Location {
  if (!as || !above) return {};
  return { ...locationOf(above), [as.location]: (ours ?? theirs ?? base)?.key };
}
