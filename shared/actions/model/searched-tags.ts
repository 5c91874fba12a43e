import { globalTagsOf } from "../../domain/content.ts";
import { globalTag, tag } from "../../domain/kinds.ts";
import { Problem } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import type { SearchFilter, SearchFilters } from "../../domain/search/filters.ts";
import { globalTagWith } from "../building/tags-shown.ts";
import type { SearchedTags, Searches } from "../contract/searches.ts";
import type { View } from "../contract/view.ts";
import { need } from "../dispatch/resolve.ts";

/** How the ledgers that tags live in are opened. */
export interface TagLedgers {
  readonly tags: () => Promise<View>;
  readonly open: (ref: Ref) => Promise<View>;
}

/** The filters with the ids of the tags they name; a key that names none is `not_found`. */
export async function filtersById(
  { operator, items }: SearchFilters,
  memory: Pick<Searches, "tags">,
  ledgers: TagLedgers,
): Promise<SearchFilters<string>> {
  const models = new Map<string, Promise<View>>();
  const open = (value: string): Promise<View> => {
    const opening = models.get(value) ?? ledgers.open({ scheme: "id", value });
    models.set(value, opening);
    return opening;
  };
  const idOf = async (ref: Ref): Promise<string> => {
    if (ref.scheme === "id") return ref.value;
    if (ref.model !== undefined) return (await need(await open(ref.model), tag, ref)).id;
    return globalTagId(ref, memory, ledgers);
  };
  const known = new Map<string, string>();
  const filters: SearchFilter<string>[] = [];
  for (const item of items) {
    if (item.type !== "tags" || !("value" in item)) {
      filters.push(item);
      continue;
    }
    const value: string[] = [];
    for (const ref of item.value) {
      const name = printRef(ref);
      const id = known.get(name) ?? (await idOf(ref));
      known.set(name, id);
      value.push(id);
    }
    filters.push({ ...item, value });
  }
  return { operator, items: filters };
}

async function globalTagId(ref: Ref, memory: Pick<Searches, "tags">, { tags }: TagLedgers): Promise<string> {
  const ledger = await tags();
  const id = (await searchedTags(memory, ledger)).byKey.get(`${ref.group}/${ref.value}`);
  // That there is none is said only of a ledger that is asked once more at the end.
  const found = id ?? (await globalTagWith(ref, ledger))?.tag.id;
  if (found !== undefined) return found;
  throw new Problem("not_found", `no ${globalTag.noun} ${printRef(ref)}`);
}

/** All global tags, from memory where their ledger has not changed since. */
export async function searchedTags(memory: Pick<Searches, "tags">, ledger: View): Promise<SearchedTags> {
  const kept = memory.tags;
  if (kept?.revision === ledger.revision) return kept;
  const tags = [...globalTagsOf(await ledger.objects()).values()];
  const read = {
    revision: ledger.revision,
    byKey: new Map(tags.map((one) => [`${one.group.key}/${one.tag.key}`, one.tag.id])),
    ids: new Set(tags.map((one) => one.tag.id)),
  };
  memory.tags = read;
  return read;
}
