import { modelRevision } from "../../domain/history-types.ts";
import { documentOf, globalTagIds } from "../../domain/model-document.ts";
import { modelVersion } from "../../domain/value-types.ts";
import { etagOf } from "../contract/controls.ts";
import type { Reading } from "../contract/decision.ts";
import { optional } from "../contract/params.ts";
import { type Moment, needPast } from "../contract/past.ts";
import type { Store } from "../contract/store.ts";
import type { View } from "../contract/view.ts";

/** The parameters that name a moment of a model's past. */
export const moments = {
  version: optional(modelVersion, "A released version; the newest state unless given."),
  revision: optional(modelRevision, "A revision, in the place of a version."),
};

/** The document of a model as it was, with the entity tag that it had then. */
export async function pastDocument(store: Store, view: View, moment: Moment): Promise<Reading> {
  const { content, globalTags, revision, tags } = await needPast(await store.past(), view, moment);
  const shown = globalTagIds(content).length > 0 ? { revision: tags } : undefined;
  return { body: documentOf(content, globalTags), etag: etagOf({ ledgerId: view.ledgerId, revision }, shown) };
}
