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
import { createOneAtATime, createSearchIndex, readModel } from "./search-index.ts";

/** Models that are checked and read in the first step. Each further step takes twice as many. */
const MODELS_AT_ONCE = 100;
/** Models that are read at the same time. */
const CONCURRENT_READS = 8;

/** A model to search: in the index, or separately if the index has no space for it. */
interface SearchedEntry {
  readonly listed: ListedModel;
  /** Its key in the index, which may be newer than the listed one. */
  readonly key?: string;
  readonly alone?: SearchedModel;
}

/**
 * Creates searches in an index in memory, with space for `most` objects. Commits do not update it: each search asks the
 * log of each model for later commits, and reads the changed models.
 */
export function createMemoryIndex(most: number = LIMITS.searchObjects): Searches {
  const { DatabaseSync: Database } = process.getBuiltinModule("node:sqlite");
  const database: DatabaseSync = new Database(":memory:");
  makeTables(database);
  const index = createSearchIndex(database);
  const room = createModelQuota(most);
  const oneAtATime = createOneAtATime();

  const unmoved = (models: readonly ListedModel[], store: Store): Promise<ReadonlySet<string>> => {
    const seen = models.flatMap(({ id }) => {
      const revision = index.getRevision(id);
      return revision === undefined ? [] : [{ ledgerId: id, revision }];
    });
    return store.listUnchanged(seen);
  };

  const inIndex = (listed: ListedModel): SearchedEntry => ({ listed, key: index.getKey(listed.id) ?? listed.key });

  /** Reads a model, unless another search did so meanwhile. Returns undefined if the model is gone. */
  const read = (listed: ListedModel, { isNamed, space, store }: OneSearch): Promise<SearchedEntry | undefined> =>
    oneAtATime(listed.id, async (waited) => {
      if (waited && (await unmoved([listed], store)).has(listed.id)) {
        space.use(listed.id);
        return inIndex(listed);
      }
      const model = await readModel(listed.id, store);
      const taken = model && space.take(model);
      if (model && typeof taken === "object") {
        await index.remove(taken);
        await index.put([model]);
        return inIndex(listed);
      }
      if (taken !== "busy" && taken !== "full") space.forget(listed.id);
      await index.remove([listed.id]);
      if (taken === "full" && !isNamed) throw createTooLargeProblem(most);
      return model && { listed, alone: model };
    });

  /** Updates the index for models. Returns those that exist. */
  const look = async (models: readonly ListedModel[], search: OneSearch): Promise<readonly SearchedEntry[]> => {
    for (const { id } of models) search.space.use(id);
    const same = await unmoved(models, search.store);
    const found = await mapConcurrently(models, CONCURRENT_READS, async (one) =>
      same.has(one.id) ? inIndex(one) : read(one, search),
    );
    return found.filter((one) => one !== undefined);
  };

  /**
   * Adds the matches of some models to a page. The models are sorted by their listed keys. Returns false if one was
   * renamed meanwhile.
   */
  const addFound = async (page: PageRows, terms: SearchTerms, models: readonly SearchedEntry[]): Promise<boolean> => {
    const after = parseCursor(terms.page);
    for (const group of groupModels(models)) {
      const [{ listed, key = listed.key, alone }] = group;
      const place = listed.key === after.key ? after.place : "";
      if (alone) {
        const passes = createRowTest(terms.filters, terms.globalTags);
        const rows = alone.rows.filter((row) => row.place > place && passes(row));
        page.add(rows.map((row) => ({ row, at: { key: listed.key, place: row.place } })));
      } else {
        const among = new Set(group.map((one) => one.listed.id));
        const find = (cursor: Cursor, rows: number) => index.find({ ...terms, among, after: cursor, most: rows });
        await fillPage(page, { key, place }, find, key === listed.key ? undefined : listed.key);
      }
      if (group.some((one) => !one.alone && index.getKey(one.listed.id) !== one.key)) return false;
      if (page.isFull()) return true;
    }
    return true;
  };

  /** Searches a page. Returns undefined if a model was renamed, so that rows may have been missed. */
  const attempt = async (terms: SearchTerms, search: OneSearch): Promise<Rows<FoundObject> | undefined> => {
    const { key: firstKey } = parseCursor(terms.page);
    const listed = (terms.models ?? (await search.store.listModels()).items).filter(({ key }) => key >= firstKey);
    const page = createPage(terms.page);
    for (let at = 0, size = MODELS_AT_ONCE; at < listed.length && !page.isFull(); at += size, size *= 2) {
      if (!(await addFound(page, terms, await look(listed.slice(at, at + size), search)))) return undefined;
    }
    return page.toPage();
  };

  return {
    tags: undefined,
    forget: (ledgerId) => oneAtATime(ledgerId, () => index.forget(ledgerId)),
    find: async (terms, store) => {
      const space = room.begin();
      try {
        for (;;) {
          const found = await attempt(terms, { isNamed: terms.models !== undefined, space, store });
          if (found) return found;
        }
      } finally {
        space.end();
      }
    },
  };
}

/** One search under way. */
interface OneSearch {
  /** True if the search names its models. Those without space in the index are then read for it alone. */
  readonly isNamed: boolean;
  readonly space: SearchQuota;
  readonly store: Store;
}

type Group = [SearchedEntry, ...SearchedEntry[]];

/**
 * Groups models that one read of the index can cover. Rows are sorted by the listed key of their model, so that a page
 * continues where the last one ended. A renamed model is searched separately.
 */
function groupModels(models: readonly SearchedEntry[]): readonly Group[] {
  const groups: Group[] = [];
  let isOpen = false;
  for (const one of models) {
    const fits = one.alone === undefined && one.key === one.listed.key;
    const last = groups.at(-1);
    if (fits && isOpen && last) last.push(one);
    else groups.push([one]);
    isOpen = fits;
  }
  return groups;
}

function createTooLargeProblem(most: number): Problem {
  return new Problem(
    "too_large",
    `the models hold more than the ${most} objects that this process has room for; name up to ${LIMITS.searchedModels} of them in models`,
  );
}
