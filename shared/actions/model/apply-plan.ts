import { type PlanStep, planOf } from "../../domain/apply/plan.ts";
import { planDigest } from "../../domain/apply/plan-digest.ts";
import { targetOf } from "../../domain/apply/target.ts";
import { changesTo } from "../../domain/apply/target-changes.ts";
import type { Change } from "../../domain/change.ts";
import type { ModelDocument } from "../../domain/document.ts";
import { objectsOfState } from "../../domain/document-content.ts";
import { type LikelyRename, likelyRenames } from "../../domain/match/likely-renames.ts";
import { matchDocuments } from "../../domain/match/match-documents.ts";
import { documentOf, globalTagIds, tagIdsByRef } from "../../domain/model-document.ts";
import type { AnyObject } from "../../domain/objects.ts";
import { globalTags } from "../building/tags-shown.ts";
import type { View } from "../contract/view.ts";
import { propertyRules } from "./compare.ts";
import type { ImportedTags } from "./imported-tags.ts";

/** A plan, as an answer tells it. */
export interface ToldPlan {
  /** The digest that names it. */
  readonly plan: string;
  readonly steps: readonly PlanStep[];
  readonly likelyRenames: readonly LikelyRename[];
}

/** What a document is applied with. */
export interface Applying {
  readonly document: ModelDocument;
  readonly prune: boolean;
  readonly nextId: () => string;
  readonly tags: () => Promise<View>;
  /** The tags of groups that the document names, with those that are made for it. */
  readonly imported: ImportedTags;
}

/** A plan for a model that is there, with the changes that make it. */
export async function planFor(
  view: View,
  { document, prune, nextId, tags, imported }: Applying,
): Promise<ToldPlan & { readonly changes: readonly Change[] }> {
  const content = await view.content(true);
  const globals = await globalTags(globalTagIds(content), tags);
  const known = new Map([...tagIdsByRef(globals), ...imported.ids]);
  const current = documentOf(content, globals);
  const target = targetOf(current, document, { prune, nextId, hasGlobalTag: (ref) => known.has(ref) });
  const steps = planOf(current, target, await propertyRules([current, target], tags));
  const changes = await changesTo(content, current, target, {
    globalTags: known,
    nextOrder: () => view.nextOrder(),
    orphanAt: (key) => view.orphanAt("business_key", key),
  });
  const plan = planDigest({ model: view.ledgerId, revision: view.revision }, steps);
  return { plan, steps, likelyRenames: likelyRenames(matchDocuments(current, document)), changes };
}

/** A plan for a model that is not there yet, with the objects that it will have. */
export function planForNew(
  key: string,
  { document, nextId, imported }: Applying,
): ToldPlan & { readonly objects: readonly AnyObject[] } {
  const { $schema, name, version, authority } = document;
  const own = { key, name, version, authority };
  const lists = { types: [], entities: [], relationships: [], businessKeys: [], localTags: [], tagGroups: [] };
  const begun: ModelDocument = { $schema, id: nextId(), ...own, ...lists };
  const hasGlobalTag = (ref: string): boolean => imported.ids.has(ref);
  const target = targetOf(begun, document, { prune: false, nextId, hasGlobalTag });
  const first: PlanStep = {
    does: "create",
    objectType: "model",
    ref: `key:${key}`,
    after: own,
    impact: "additive",
    reasons: ["it is new; nobody relies on it yet"],
  };
  const steps = [first, ...planOf(begun, target, { isNew: true })];
  const objects = objectsOfState(target, imported.ids);
  return { plan: planDigest({ model: `key:${key}`, revision: 0 }, steps), steps, likelyRenames: [], objects };
}
