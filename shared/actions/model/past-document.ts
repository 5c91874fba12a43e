import type { ModelDocument } from "../../domain/document.ts";
import { modelRevision } from "../../domain/history-types.ts";
import { documentOf, globalTagIds } from "../../domain/model-document.ts";
import { Problem } from "../../domain/problems.ts";
import { modelVersion } from "../../domain/value-types.ts";
import { globalTags } from "../building/tags-shown.ts";
import { etagOf } from "../contract/controls.ts";
import { optional } from "../contract/params.ts";
import { type Moment, needPast } from "../contract/past.ts";
import type { Store } from "../contract/store.ts";
import type { View } from "../contract/view.ts";

/** The parameters that name a moment of a model's past. */
export const moments = {
  version: optional(modelVersion, "A released version; the newest state unless given."),
  revision: optional(modelRevision, "A revision, in the place of a version."),
};

/** A document as a read answers it, with its entity tag where it is not that of the newest state. */
export interface ReadDocument {
  readonly body: ModelDocument;
  readonly etag?: string;
}

/** The document of a model as it was, with the entity tag that it had then. */
export async function pastDocument(store: Store, view: View, moment: Moment): Promise<ReadDocument> {
  const { content, globalTags, revision, tags } = await needPast(await store.past(), view, moment);
  const shown = globalTagIds(content).length > 0 ? { revision: tags } : undefined;
  return { body: documentOf(content, globalTags), etag: etagOf({ ledgerId: view.ledgerId, revision }, shown) };
}

/** The document of a model as its view shows it. */
export async function documentAt(view: View, tags: () => Promise<View>): Promise<ModelDocument> {
  const content = await view.content();
  return documentOf(content, await globalTags(globalTagIds(content), tags));
}

/** The document of a model at a moment of its past, or as it is. */
export async function documentThen(
  view: View,
  tags: () => Promise<View>,
  store: Store,
  moment: Moment | undefined,
): Promise<ReadDocument> {
  if (moment) return pastDocument(store, view, moment);
  if (view.deleted) throw new Problem("not_found", `the model ${view.modelKey} is deleted; give a version or revision`);
  return { body: await documentAt(view, tags) };
}
