import type { DatabaseSync } from "node:sqlite";
import type { Store } from "../actions/contract/store.ts";
import { Problem } from "../domain/problems.ts";
import { toSearchRows } from "../domain/search/rows.ts";
import { createIndexReader, type Hits, type Look } from "./index-reader.ts";
import { createStatements, inTransaction, type StoredModel } from "./index-statements.ts";
import { createIndexWriter, NO_REVISION, type SearchedModel } from "./index-writer.ts";
import { createMarkNumbers } from "./marks.ts";

/** Rows of models in the tables of a database. */
export interface SearchIndex {
  /** Returns the models in the order of their keys. */
  listModels(): readonly StoredModel[];
  /** Returns the revision of a model that is indexed completely. */
  getRevision(ledgerId: string): number | undefined;
  /** Returns the key of an indexed model. */
  getKey(ledgerId: string): string | undefined;
  /** Updates models, unless they are up to date. `then` runs in the last transaction. */
  put(models: readonly SearchedModel[], then?: () => void): Promise<void>;
  remove(ledgerIds: readonly string[], then?: () => void): Promise<void>;
  /** Removes the revision of a model. Its rows stay until it is put again. */
  forget(ledgerId: string, then?: () => void): Promise<void>;
  /**
   * Finds the first matching rows after a position, in order. Returns fewer than requested after checking many rows.
   */
  find(look: Look): Promise<Hits>;
}

/** Rows per transaction, so that nobody waits long for it. */
const ROWS_AT_ONCE = 1_000;

export function createSearchIndex(database: DatabaseSync): SearchIndex {
  const statements = createStatements(database);
  const marks = createMarkNumbers(statements);
  const writer = createIndexWriter(statements, marks);
  let known: { readonly sorted: readonly StoredModel[]; readonly byId: ReadonlyMap<string, StoredModel> } | undefined;
  const all = () => {
    if (!known) {
      const sorted = statements.models();
      known = { sorted, byId: new Map(sorted.map((one) => [one[1], one])) };
    }
    return known;
  };
  const reader = createIndexReader(statements, marks, () => all().sorted);
  /** Pending writes, one after the other: a model may take several transactions. */
  let writing: Promise<void> | undefined;

  const write = (changes: () => Generator<void>, then: () => void): Promise<void> => {
    const before = writing;
    const mine = (async () => {
      await before?.catch(() => undefined);
      const steps = changes();
      for (let isDone = false; !isDone; ) {
        isDone = writeSome(steps, then);
        if (!isDone) await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const settled = mine.finally(() => {
      if (writing === settled) writing = undefined;
    });
    writing = settled;
    return settled;
  };
  const writeSome = (steps: Generator<void>, then: () => void): boolean => {
    known = undefined;
    try {
      return inTransaction(database, () => {
        for (let i = 0; i < ROWS_AT_ONCE; i++) {
          if (!steps.next().done) continue;
          then();
          return true;
        }
        return false;
      });
    } catch (error) {
      marks.forget();
      throw error;
    }
  };
  return {
    listModels: () => all().sorted,
    getRevision: (ledgerId) => {
      const revision = all().byId.get(ledgerId)?.[4];
      return revision === NO_REVISION ? undefined : revision;
    },
    getKey: (ledgerId) => all().byId.get(ledgerId)?.[2],
    put: (models, then = () => undefined) =>
      write(function* () {
        for (const model of models) {
          const stored = all().byId.get(model.ledgerId);
          if (stored && stored[4] >= model.revision) continue;
          yield* writer.put(stored, model);
          known = undefined;
        }
      }, then),
    remove: (ledgerIds, then = () => undefined) =>
      write(function* () {
        for (const id of ledgerIds) {
          const stored = all().byId.get(id);
          if (stored) yield* writer.remove(stored);
          known = undefined;
        }
      }, then),
    forget: (ledgerId, then = () => undefined) =>
      // biome-ignore lint/correctness/useYield: it is one step.
      write(function* () {
        const stored = all().byId.get(ledgerId);
        if (!stored) return;
        const [n, id, key, name] = stored;
        statements.putModel(n, id, key, name, NO_REVISION);
        known = undefined;
      }, then),
    find: async (look) => {
      while (writing) await writing.catch(() => undefined);
      return reader.find(look);
    },
  };
}

/** Reads the rows of a model; undefined if it does not exist. */
export async function readModel(value: string, store: Pick<Store, "open">): Promise<SearchedModel | undefined> {
  try {
    const view = await store.open({ scheme: "id", value });
    const rows = toSearchRows(await view.readContent());
    // A complete read ends at the newest revision, which may be later than at its beginning.
    return { ledgerId: value, revision: view.revision, rows };
  } catch (error) {
    if (error instanceof Problem && error.code === "not_found") return undefined;
    throw error;
  }
}

/**
 * Runs one piece of work per id at a time. `waited` is true if another one ran before, so that its result can be used.
 */
type OneAtATime = <T>(id: string, work: (waited: boolean) => Promise<T>) => Promise<T>;

export function createOneAtATime(): OneAtATime {
  const running = new Map<string, Promise<unknown>>();
  return async (id, work) => {
    let waited = false;
    for (let before = running.get(id); before; before = running.get(id)) {
      waited = true;
      await before.catch(() => undefined);
    }
    const mine = work(waited);
    running.set(id, mine);
    try {
      return await mine;
    } finally {
      running.delete(id);
    }
  };
}
