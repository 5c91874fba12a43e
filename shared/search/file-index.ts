import type { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import type { Searches } from "../actions/contract/ports.ts";
import type { Store } from "../actions/contract/store.ts";
import { Problem } from "../domain/problems.ts";
import { makeTables } from "./index-statements.ts";
import type { SearchedModel } from "./index-writer.ts";
import { createPage, fillPage, parseCursor } from "./pages.ts";
import { createOneAtATime, readModel, SearchIndex } from "./search-index.ts";

/** A model with commits that are missing in the index, and the revision of the newest. */
export interface MovedModel {
  readonly ledgerId: string;
  readonly revision: number;
}

/** Models whose index is outdated. Each commit notes its model in the same transaction. */
export interface MovedModels {
  list(): readonly MovedModel[];
  /** Notes, in the open transaction, that the index has the commits of a model up to a revision. */
  remove(model: MovedModel): void;
  note(ledgerId: string): void;
  noteAll(): void;
}

/** Dependencies of the search index in the store's file. */
export interface FileIndexOptions {
  readonly database: DatabaseSync;
  readonly moves: MovedModels;
  readonly store: () => Pick<Store, "open">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly say: (sentence: string) => void;
}

/** Search index in a file, and the background work that updates it. */
export interface FileIndex extends Searches {
  /** Updates the index if no commit came since the last call: commits have priority. */
  keepUp(): Promise<void>;
  stop(): void;
}

/** Milliseconds: wait of a search for the index, slice of background work, time between reports. */
const [WAIT_MS, SLICE_MS, REPORT_MS] = [20_000, 500, 5_000];
/** Pause between two transactions: enough to answer whole requests. Without it, each of their steps would wait for one. */
const PAUSE_MS = 5;
/** Models and rows that are written in one step. */
const [MODELS_TOGETHER, ROWS_TOGETHER] = [100, 1_000];
const [CATCH_UP, WRITE] = ["catch up", "write"];
const MANY_MODELS = 1_000;

/** Creates searches in an index inside the store's file. */
export function createFileIndex({ database, moves, store, now, say }: FileIndexOptions): FileIndex {
  makeTables(database, moves.noteAll);
  const index = new SearchIndex(database, () => wait(PAUSE_MS));
  const oneAtATime = createOneAtATime();

  let before = "";
  let reportedAt = 0;
  let isStopped = false;

  const catchUp = (ms: number): Promise<number> =>
    oneAtATime(CATCH_UP, async () => {
      const until = now() + ms;
      const open = store();
      const waiting = [...moves.list()];
      while (waiting.length > 0 && now() < until) {
        await oneAtATime(WRITE, () => write(waiting, open));
        if (waiting.length < MANY_MODELS || now() - reportedAt < REPORT_MS) continue;
        reportedAt = now();
        say(`The search index is being built: ${waiting.length} models are left.`);
      }
      return waiting.length;
    });

  const write = async (waiting: MovedModel[], open: Pick<Store, "open">): Promise<void> => {
    const models: SearchedModel[] = [];
    const removals: MovedModel[] = [];
    for (let rows = 0; rows < ROWS_TOGETHER && models.length + removals.length < MODELS_TOGETHER; ) {
      const next = waiting.pop();
      if (!next) break;
      const model = await readModel(next.ledgerId, open);
      if (model) models.push(model);
      else removals.push(next);
      rows += model?.rows.length ?? 0;
    }
    // A model may be read at a newer revision than was noted.
    if (models.length > 0) await index.put(models, () => models.forEach(moves.remove));
    if (removals.length === 0) return;
    await index.remove(
      removals.map(({ ledgerId }) => ledgerId),
      () => removals.forEach(moves.remove),
    );
  };

  return {
    tags: undefined,
    keepUp: async () => {
      const waiting = JSON.stringify(moves.list());
      const isQuiet = waiting === before;
      before = waiting;
      // Searches run in between.
      if (isQuiet) while (!isStopped && (await catchUp(SLICE_MS)) > 0);
    },
    stop: () => {
      isStopped = true;
    },
    // Not while models are read and written: they may be older.
    forget: (ledgerId) => oneAtATime(WRITE, () => index.forget(ledgerId, () => moves.note(ledgerId))),
    find: async (terms, { isVisible }) => {
      const left = await catchUp(WAIT_MS);
      if (left > 0) {
        throw new Problem("out_of_time", `the search index is being built: ${left} models are left; try again`, {
          retryAfter: 5,
        });
      }
      const ids = terms.models?.map(({ id }) => id) ?? listVisibleIds(index, isVisible);
      const scope = ids && { among: new Set(ids) };
      const page = createPage(terms.page);
      await fillPage(page, parseCursor(terms.page), (after, most) => index.find({ ...terms, ...scope, after, most }));
      return page.toPage();
    },
  };
}

function listVisibleIds(index: SearchIndex, isVisible: Store["isVisible"]): readonly string[] | undefined {
  if (!isVisible) return undefined;
  const models = index.listModels().filter(([, id, key]) => isVisible({ id, key }));
  return models.map(([, id]) => id);
}
