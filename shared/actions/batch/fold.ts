import type { Change } from "../../domain/change.ts";
import type { AnyObject } from "../../domain/objects.ts";
import type { Part, Requirement } from "../contract/store.ts";
import type { View } from "../contract/view.ts";
import { TAGS_LEDGER } from "../contract/view.ts";
import { changesAny, type EntryResult } from "./run-entry.ts";
import type { StagedStore } from "./staged-store.ts";
import type { StagedView } from "./staged-view.ts";

/** A ledger that a batch changes, with the changes. */
export interface LedgerPart {
  readonly ledger: StagedView;
  readonly part: Part & { readonly view: View };
}

/** The changes of all entries of a batch, folded to their net effect: one part for every ledger that changes. */
export function foldedParts(results: readonly EntryResult[], staged: StagedStore): readonly LedgerPart[] {
  const deadTags = new Set(staged.ledgers.flatMap((ledger) => [...ledger.staged.vanished]));
  const written = staged.ledgers.flatMap((ledger) => {
    const changes = ledger.staged.changes(deadTags);
    return changes.length > 0 ? [{ ledger, changes }] : [];
  });
  const tags = staged.ledgers.find(({ base }) => base.ledgerId === TAGS_LEDGER);
  const tagsMove = written.some(({ ledger }) => ledger === tags);
  const tagsRevision = tags && tags.base.revision + (tagsMove ? 1 : 0);
  return written.map(({ ledger, changes }) => {
    const facts = factsOf(ledger, changes, results, staged, { revision: tagsRevision, move: tagsMove });
    return { ledger, part: { view: ledger.base, changes, ...facts } };
  });
}

/** The members of a log entry beside its changes. */
function factsOf(
  ledger: StagedView,
  changes: readonly Change[],
  results: readonly EntryResult[],
  staged: StagedStore,
  tags: { readonly revision: number | undefined; readonly move: boolean },
): Pick<Part, "actions" | "release" | "holds" | "blobs" | "tagsSeen"> {
  const writers = results.filter((result) => writes(result, ledger, staged));
  // An entry releases the ledger it is about, and none that it writes to alongside.
  const own = writers.filter((result) => result.ledger === ledger);
  const [release] = own.flatMap(({ decision }) => decision?.release ?? []);
  const [holds] = own.flatMap(({ decision }) => (decision?.holds ? [decision.holds] : []));
  // Tags that move with the batch are those of every revision it makes, seen or not.
  const hasTags = ledger.base.ledgerId !== TAGS_LEDGER && (tags.move || writers.some((result) => result.sawTags));
  return {
    actions: [...new Set(writers.map(({ action }) => action))],
    ...(release !== undefined && { release }),
    ...(holds && { holds: atRevision(holds, changes, ledger.base.revision + 1) }),
    ...keptBlobs(own, changes),
    ...(hasTags && tags.revision !== undefined && { tagsSeen: tags.revision }),
  };
}

/** The blobs that the model names once all entries are done. */
function keptBlobs(own: readonly EntryResult[], changes: readonly Change[]): Pick<Part, "blobs"> {
  const named = changes.flatMap((change) =>
    change.does !== "delete" && change.after.kind === "model" ? Object.values(change.after.sources ?? {}) : [],
  );
  const blobs = own.flatMap(({ decision }) => decision?.blobs ?? []).filter(({ name }) => named.includes(name));
  return blobs.length > 0 ? { blobs } : {};
}

/** The objects that are released, with the revision that this batch gives to those it changes. */
function atRevision(objects: readonly AnyObject[], changes: readonly Change[], revision: number): readonly AnyObject[] {
  const changed = new Set(changes.flatMap((change) => (change.does === "delete" ? [] : [change.after.id])));
  return objects.map((object) => (changed.has(object.id) ? { ...object, revision } : object));
}

function writes({ decision, ledger: main }: EntryResult, ledger: StagedView, staged: StagedStore): boolean {
  if (!decision || !changesAny(decision)) return false;
  return main === ledger || (decision.alongside ?? []).some(({ view }) => staged.of(view) === ledger);
}

/** The objects that have to be there still, each once, as far as the locks of the ledgers written do not see to it. */
export function foldedRequirements(
  results: readonly EntryResult[],
  staged: StagedStore,
  parts: readonly LedgerPart[],
): readonly Requirement[] {
  const needed = new Map<string, Requirement>();
  for (const { decision } of results) {
    for (const { view, object } of decision?.requires ?? []) {
      const ledger = staged.of(view);
      const isLocked = parts.some((one) => one.ledger === ledger) || ledger.staged.vanished.has(object.id);
      if (!isLocked) needed.set(object.id, { view: ledger.base, object });
    }
  }
  return [...needed.values()];
}
