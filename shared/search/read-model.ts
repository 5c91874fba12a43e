import type { Store } from "../actions/contract/store.ts";
import { Problem } from "../domain/problems.ts";
import { rowsOf } from "../domain/search/rows.ts";
import type { SearchedModel } from "./row-writer.ts";

/** The rows of a model as it is now; undefined where there is none. */
export async function readModel(value: string, store: Pick<Store, "open">): Promise<SearchedModel | undefined> {
  try {
    const view = await store.open({ scheme: "id", value });
    const rows = rowsOf(await view.content());
    // Reading everything ends at the newest revision, which may be later than the one it began at.
    return { ledgerId: value, revision: view.revision, rows };
  } catch (error) {
    if (error instanceof Problem && error.code === "not_found") return undefined;
    throw error;
  }
}
