import { rowsOf } from "../../domain/search/rows.ts";
import { ifFound } from "../building/if-found.ts";
import { inLanes } from "../contract/in-lanes.ts";
import type { SearchedModel, SearchMemory } from "../contract/search-cache.ts";
import type { Store } from "../contract/store.ts";

/** Models that are asked about, and read, at once. */
export const MODELS_AT_ONCE = 100;
/** Models that are read at the same time. */
const LANES = 8;

/**
 * The searched rows of each of these models, as they were at some moment of this call, without the models that are gone.
 * A model that did not change since it was read is answered from memory, after the log was asked.
 */
export async function searchedModels(
  modelIds: readonly string[],
  memory: SearchMemory,
  store: Store,
): Promise<ReadonlyMap<string, SearchedModel>> {
  const known = modelIds.flatMap((id) => memory.get(id) ?? []);
  const unmoved = await store.unmoved(known);
  const found = new Map<string, SearchedModel>();
  for (const model of known) if (unmoved.has(model.ledgerId)) found.set(model.ledgerId, model);
  const others = modelIds.filter((id) => !found.has(id));
  for (const model of await inLanes(others, LANES, (id) => readOnce(id, memory, store))) {
    if (model) found.set(model.ledgerId, model);
  }
  return found;
}

/** Reads a model, unless another call did while this one waited for it. */
function readOnce(modelId: string, memory: SearchMemory, store: Store): Promise<SearchedModel | undefined> {
  return memory.exclusively(modelId, async (waited) => {
    const kept = waited ? memory.get(modelId) : undefined;
    if (kept && (await store.unmoved([kept])).has(modelId)) return kept;
    const model = await ifFound(readModel(modelId, store));
    if (model) memory.keep(model);
    else memory.forget(modelId);
    return model;
  });
}

/** A model of the list as it is now; `not_found` when it was deleted since. */
async function readModel(value: string, store: Store): Promise<SearchedModel> {
  const view = await store.open({ scheme: "id", value });
  const rows = rowsOf(await view.content());
  // Reading everything ends at the newest revision, which may be later than the one it began at.
  return { ledgerId: value, revision: view.revision, rows };
}
