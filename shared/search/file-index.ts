import type { DatabaseSync } from "node:sqlite";
import type { Searches } from "../actions/contract/ports.ts";
import type { Store } from "../actions/contract/store.ts";
import { Problem } from "../domain/problems.ts";
import { makeTables, type StoredModel } from "./index-statements.ts";
import type { SearchedModel } from "./index-writer.ts";
import { createPage, fillPage, parseCursor } from "./pages.ts";
import { createOneAtATime, createSearchIndex, readModel } from "./search-index.ts";

/** A model that has moved since the index knew it, and the revision of the newest commit. */
export interface MovedModel {
  readonly ledgerId: string;
  readonly revision: number;
}

/** The commits that the index in a store's own file is told of, each in the transaction that made it. */
export interface MovedModels {
  /** The models that moved, in no order that means anything. */
  list(): readonly MovedModel[];
  /** Notes, in a transaction under way, that the index knows the commits of a model up to a revision. */
  settle(model: MovedModel): void;
  /** Notes, in a transaction under way, a model that changed without a commit. */
  note(ledgerId: string): void;
  /** Notes, in a transaction under way, every model there is. */
  noteAll(): void;
}

/** The dependencies of searches in a store's own file. */
export interface FileIndexOptions {
  readonly database: DatabaseSync;
  readonly moved: MovedModels;
  /** The store as an administrator sees it, for work that no call waits for. */
  readonly store: () => Pick<Store, "open">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Takes one sentence for people. */
  readonly say: (sentence: string) => void;
}

/** Searches that are told of commits, and the work of keeping up with them between searches. */
export interface FileIndex extends Searches {
  /** Brings the index up to all commits, where none came since it was called last: commits have the machine first. */
  keepUp(): Promise<void>;
  /** Has `keepUp` end soon. */
  stop(): void;
}

/** Milliseconds that a search waits for the index, for which it is kept up with at a time, and between two reports. */
const [WAIT_MS, SLICE_MS, TOLD_MS] = [20_000, 500, 5_000];
/** Models and rows that are written together. */
const [MODELS_TOGETHER, ROWS_TOGETHER] = [100, 1_000];
/** The names of work that is done one at a time. */
const [CATCH_UP, WRITE] = ["catch up", "write"];
/** Models left of which people are told. */
const MANY_MODELS = 1_000;

/** Searches in an index that lies in the store's own file. */
export function createFileIndex({ database, moved, store, now, say }: FileIndexOptions): FileIndex {
  makeTables(database, moved.noteAll);
  const index = createSearchIndex(database);
  const oneAtATime = createOneAtATime();

  /** The models that moved as they were when `keepUp` looked last, and when people were told last. */
  let before = "";
  let toldAt = 0;
  let isStopped = false;

  /** Brings models up to the commits before this call, for so long; answers how many are left. */
  const catchUp = (ms: number): Promise<number> =>
    oneAtATime(CATCH_UP, async () => {
      const until = now() + ms;
      const open = store();
      const waiting = [...moved.list()];
      while (waiting.length > 0 && now() < until) {
        await oneAtATime(WRITE, () => write(waiting, open));
        if (waiting.length < MANY_MODELS || now() - toldAt < TOLD_MS) continue;
        toldAt = now();
        say(`The search index is being built: ${waiting.length} models are left.`);
      }
      return waiting.length;
    });

  /** Takes some models from a list, reads them and writes them in one go. */
  const write = async (waiting: MovedModel[], open: Pick<Store, "open">): Promise<void> => {
    const read: SearchedModel[] = [];
    const gone: MovedModel[] = [];
    for (let rows = 0; rows < ROWS_TOGETHER && read.length + gone.length < MODELS_TOGETHER; ) {
      const next = waiting.pop();
      if (!next) break;
      const model = await readModel(next.ledgerId, open);
      if (model) read.push(model);
      else gone.push(next);
      rows += model?.rows.length ?? 0;
    }
    // What was read may be newer than what was noted, and is noted at its own revision.
    if (read.length > 0) await index.put(read, () => read.forEach(moved.settle));
    if (gone.length === 0) return;
    await index.remove(
      gone.map(({ ledgerId }) => ledgerId),
      () => gone.forEach(moved.settle),
    );
  };

  return {
    tags: undefined,
    keepUp: async () => {
      const waiting = JSON.stringify(moved.list());
      const isQuiet = waiting === before;
      before = waiting;
      // Searches come in between.
      if (isQuiet) while (!isStopped && (await catchUp(SLICE_MS)) > 0);
    },
    stop: () => {
      isStopped = true;
    },
    // Not while some models are read and written, which may be as they were before.
    forget: (ledgerId) => oneAtATime(WRITE, () => index.forget(ledgerId, () => moved.note(ledgerId))),
    find: async (terms, { shown }) => {
      const left = await catchUp(WAIT_MS);
      if (left > 0) {
        throw new Problem("out_of_time", `the search index is being built: ${left} models are left; try again`, {
          retryAfter: 5,
        });
      }
      const isShown = shown && (([, id, key]: StoredModel) => shown({ id, key }));
      const ids =
        terms.models?.map(({ id }) => id) ??
        (isShown &&
          index
            .listModels()
            .filter(isShown)
            .map(([, id]) => id));
      const among = ids && { among: new Set(ids) };
      const page = createPage(terms.page);
      await fillPage(page, parseCursor(terms.page), (after, most) => index.find({ ...terms, ...among, after, most }));
      return page.toPage();
    },
  };
}
