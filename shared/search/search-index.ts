import type { DatabaseSync } from "node:sqlite";
import type { Store } from "../actions/contract/store.ts";
import { Problem } from "../domain/problems.ts";
import { toSearchRows } from "../domain/search/rows.ts";
import { createIndexReader, type Hits, type Look } from "./index-reader.ts";
import { createStatements, type IndexStatements, inTransaction, type StoredModel } from "./index-statements.ts";
import { type IndexSteps, IndexWriter, NO_REVISION, type SearchedModel } from "./index-writer.ts";
import { createMarkNumbers, type MarkNumbers } from "./marks.ts";

/** Rows per transaction and the characters of their texts, so that nobody waits long for it. */
const [ROWS_AT_ONCE, CHARACTERS_AT_ONCE] = [1_000, 100_000];

interface IndexedModels {
  readonly list: readonly StoredModel[];
  readonly byId: ReadonlyMap<string, StoredModel>;
}

const doNothing = (): void => undefined;
const letOthersRun = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Rows of models in the tables of a database. */
export class SearchIndex {
  readonly #database: DatabaseSync;
  readonly #pause: () => Promise<void>;
  readonly #statements: IndexStatements;
  readonly #marks: MarkNumbers;
  readonly #writer: IndexWriter;
  readonly #reader: ReturnType<typeof createIndexReader>;
  #models: IndexedModels | undefined;
  /** Pending writes, one after the other: a model may take several transactions. */
  #writing: Promise<void> | undefined;

  /** `pause` lets other calls run between two transactions. */
  constructor(database: DatabaseSync, pause: () => Promise<void> = letOthersRun) {
    this.#database = database;
    this.#pause = pause;
    this.#statements = createStatements(database);
    this.#marks = createMarkNumbers(this.#statements);
    this.#writer = new IndexWriter(this.#statements, this.#marks);
    this.#reader = createIndexReader(this.#statements, this.#marks, () => this.listModels());
  }

  listModels(): readonly StoredModel[] {
    return this.#getModels().list;
  }

  /** Returns the revision of a model that is indexed completely. */
  getRevision(ledgerId: string): number | undefined {
    const revision = this.#getModels().byId.get(ledgerId)?.[4];
    return revision === NO_REVISION ? undefined : revision;
  }

  getKey(ledgerId: string): string | undefined {
    return this.#getModels().byId.get(ledgerId)?.[2];
  }

  put(models: readonly SearchedModel[], onDone = doNothing): Promise<void> {
    return this.#write(this.#putModels(models), onDone);
  }

  remove(ledgerIds: readonly string[], onDone = doNothing): Promise<void> {
    return this.#write(this.#removeModels(ledgerIds), onDone);
  }

  /** Removes the revision of a model. Its rows stay until it is put again. */
  forget(ledgerId: string, onDone = doNothing): Promise<void> {
    return this.#write(this.#removeRevision(ledgerId), onDone);
  }

  /** Finds the first matching rows after a position, in order. May return fewer after checking many rows. */
  async find(look: Look): Promise<Hits> {
    while (this.#writing) await this.#writing.catch(doNothing);
    return this.#reader.find(look);
  }

  *#putModels(models: readonly SearchedModel[]): IndexSteps {
    for (const model of models) {
      const entry = this.#getModels().byId.get(model.ledgerId);
      if (entry && entry[4] >= model.revision) continue;
      yield* this.#writer.put(entry, model);
      this.#models = undefined;
    }
  }

  *#removeModels(ledgerIds: readonly string[]): IndexSteps {
    for (const id of ledgerIds) {
      const entry = this.#getModels().byId.get(id);
      if (entry) yield* this.#writer.remove(entry);
      this.#models = undefined;
    }
  }

  // biome-ignore lint/correctness/useYield: it is one step.
  *#removeRevision(ledgerId: string): IndexSteps {
    const entry = this.#getModels().byId.get(ledgerId);
    if (!entry) return;
    const [n, id, key, name] = entry;
    this.#statements.putModel(n, id, key, name, NO_REVISION);
    this.#models = undefined;
  }

  #getModels(): IndexedModels {
    if (!this.#models) {
      const list = this.#statements.listModels();
      this.#models = { list, byId: new Map(list.map((one) => [one[1], one])) };
    }
    return this.#models;
  }

  #write(steps: IndexSteps, onDone: () => void): Promise<void> {
    const before = this.#writing;
    const work = async () => {
      await before?.catch(doNothing);
      for (let isDone = false; !isDone; ) {
        isDone = this.#runSomeSteps(steps, onDone);
        if (!isDone) await this.#pause();
      }
    };
    const writing = work().finally(() => {
      if (this.#writing === writing) this.#writing = undefined;
    });
    this.#writing = writing;
    return writing;
  }

  #runSomeSteps(steps: IndexSteps, onDone: () => void): boolean {
    this.#models = undefined;
    try {
      return inTransaction(this.#database, () => {
        for (let [rows, characters] = [0, 0]; rows < ROWS_AT_ONCE && characters < CHARACTERS_AT_ONCE; rows++) {
          const step = steps.next();
          if (step.done) {
            onDone();
            return true;
          }
          characters += step.value;
        }
        return false;
      });
    } catch (error) {
      this.#marks.forget();
      throw error;
    }
  }
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

/** Runs one piece of work per id at a time. `waited` is true if another one ran before. */
export type OneAtATime = <T>(id: string, work: (hasWaited: boolean) => Promise<T>) => Promise<T>;

export function createOneAtATime(): OneAtATime {
  const running = new Map<string, Promise<unknown>>();
  return async (id, work) => {
    let hasWaited = false;
    for (let before = running.get(id); before; before = running.get(id)) {
      hasWaited = true;
      await before.catch(() => undefined);
    }
    const promise = work(hasWaited);
    running.set(id, promise);
    try {
      return await promise;
    } finally {
      running.delete(id);
    }
  };
}
