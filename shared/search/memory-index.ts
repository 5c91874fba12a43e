import type { DatabaseSync } from "node:sqlite";
import { mapConcurrently } from "../actions/contract/concurrency.ts";
import type { ListedModel, Searches, SearchTerms } from "../actions/contract/ports.ts";
import type { Store } from "../actions/contract/store.ts";
import type { Rows } from "../actions/contract/view.ts";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import { createRowTest } from "../domain/search/filters.ts";
import type { FoundObject } from "../domain/search/rows.ts";
import type { Cursor } from "./index-reader.ts";
import { makeTables } from "./index-statements.ts";
import type { SearchedModel } from "./index-writer.ts";
import { createModelQuota, type SearchQuota } from "./model-quota.ts";
import { createPage, fillPage, type PageRows, parseCursor } from "./pages.ts";
import { createOneAtATime, type OneAtATime, readModel, SearchIndex } from "./search-index.ts";

/** Models read in the first step; each next step takes twice as many. */
const MODELS_AT_ONCE = 100;
const CONCURRENT_READS = 8;

/** A model to search: in the index, or separately if the index has no space for it. */
interface SearchedEntry {
  readonly item: ListedModel;
  readonly key?: string;
  readonly alone?: SearchedModel;
}

/** Creates searches in memory for `most` objects. Each search asks the logs for later commits. */
export function createMemoryIndex(most: number = LIMITS.searchObjects): Searches {
  const { DatabaseSync: Database } = process.getBuiltinModule("node:sqlite");
  const database: DatabaseSync = new Database(":memory:");
  makeTables(database);
  const index = new SearchIndex(database);
  const quota = createModelQuota(most);
  const oneAtATime = createOneAtATime();
  return {
    tags: undefined,
    forget: (ledgerId) => oneAtATime(ledgerId, () => index.forget(ledgerId)),
    find: async (terms, store) => {
      const space = quota.begin();
      try {
        for (;;) {
          const page = await findPage({ index, oneAtATime, most, terms, space, store });
          if (page) return page;
        }
      } finally {
        space.end();
      }
    },
  };
}

/** One search, and the index that it shares with others. */
interface MemorySearch {
  readonly index: SearchIndex;
  readonly oneAtATime: OneAtATime;
  readonly most: number;
  readonly terms: SearchTerms;
  readonly space: SearchQuota;
  readonly store: Store;
}

/** Searches a page. Returns undefined if a model was renamed, so that rows may have been missed. */
async function findPage(search: MemorySearch): Promise<Rows<FoundObject> | undefined> {
  const { terms, store } = search;
  const { key: firstKey } = parseCursor(terms.page);
  const items = (terms.models ?? (await store.listModels()).items).filter(({ key }) => key >= firstKey);
  const page = createPage(terms.page);
  for (let at = 0, size = MODELS_AT_ONCE; at < items.length && !page.isFull(); at += size, size *= 2) {
    const models = await updateModels(search, items.slice(at, at + size));
    if (!(await addMatches(search, page, models))) return undefined;
  }
  return page.toPage();
}

async function updateModels(search: MemorySearch, models: readonly ListedModel[]): Promise<readonly SearchedEntry[]> {
  for (const { id } of models) search.space.use(id);
  const currentIds = await findUnchanged(search, models);
  const entries = await mapConcurrently(models, CONCURRENT_READS, async (one) =>
    currentIds.has(one.id) ? toEntry(search, one) : readEntry(search, one),
  );
  return entries.filter((one) => one !== undefined);
}

function findUnchanged({ index, store }: MemorySearch, models: readonly ListedModel[]): Promise<ReadonlySet<string>> {
  const revisions = models.flatMap(({ id }) => {
    const revision = index.getRevision(id);
    return revision === undefined ? [] : [{ ledgerId: id, revision }];
  });
  return store.listUnchanged(revisions);
}

function readEntry(search: MemorySearch, item: ListedModel): Promise<SearchedEntry | undefined> {
  const { index, oneAtATime, most, terms, space, store } = search;
  return oneAtATime(item.id, async (hasWaited) => {
    if (hasWaited && (await findUnchanged(search, [item])).has(item.id)) {
      space.use(item.id);
      return toEntry(search, item);
    }
    const model = await readModel(item.id, store);
    const result = model && space.take(model);
    if (model && typeof result === "object") {
      await index.remove(result);
      await index.put([model]);
      return toEntry(search, item);
    }
    if (result !== "busy" && result !== "full") space.forget(item.id);
    await index.remove([item.id]);
    // A search that names its models reads those without space for itself alone.
    if (result === "full" && terms.models === undefined) throw createTooLargeProblem(most);
    return model && { item, alone: model };
  });
}

function toEntry({ index }: MemorySearch, item: ListedModel): SearchedEntry {
  return { item, key: index.getKey(item.id) ?? item.key };
}

async function addMatches(
  { index, terms }: MemorySearch,
  page: PageRows,
  models: readonly SearchedEntry[],
): Promise<boolean> {
  const after = parseCursor(terms.page);
  for (const group of groupModels(models)) {
    const [{ item, key = item.key, alone }] = group;
    const place = item.key === after.key ? after.place : "";
    if (alone) {
      const passes = createRowTest(terms.filters, terms.globalTags);
      const rows = alone.rows.filter((row) => row.place > place && passes(row));
      page.add(rows.map((row) => ({ row, at: { key: item.key, place: row.place } })));
    } else {
      const ids = new Set(group.map((one) => one.item.id));
      const find = (cursor: Cursor, rows: number) => index.find({ ...terms, among: ids, after: cursor, most: rows });
      await fillPage(page, { key, place }, find, key === item.key ? undefined : item.key);
    }
    if (group.some((one) => !one.alone && index.getKey(one.item.id) !== one.key)) return false;
    if (page.isFull()) return true;
  }
  return true;
}

type Group = [SearchedEntry, ...SearchedEntry[]];

/** Groups models that one read can cover, in the order of listed keys. A renamed model is separate. */
function groupModels(models: readonly SearchedEntry[]): readonly Group[] {
  const groups: Group[] = [];
  let isOpen = false;
  for (const one of models) {
    const isShareable = one.alone === undefined && one.key === one.item.key;
    const last = groups.at(-1);
    if (isShareable && isOpen && last) last.push(one);
    else groups.push([one]);
    isOpen = isShareable;
  }
  return groups;
}

function createTooLargeProblem(most: number): Problem {
  return new Problem(
    "too_large",
    `the models have more than ${most} objects, the limit of this process; name up to ${LIMITS.searchedModels} of them in models`,
  );
}
