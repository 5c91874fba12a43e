import type { SearchRow } from "../../domain/search/rows.ts";

/** The rows of a model at one revision, as searches look at them. */
export interface SearchedModel {
  readonly ledgerId: string;
  readonly revision: number;
  /** Sorted by place. */
  readonly rows: readonly SearchRow[];
}

/** The global tags at one revision of their ledger. */
export interface SearchedTags {
  readonly revision: number;
  /** Ids by `<group>/<tag>`. */
  readonly byKey: ReadonlyMap<string, string>;
  readonly ids: ReadonlySet<string>;
}

/**
 * The models that searches of one process have read, each at the revision at which it was read. Its user asks the log
 * whether the model still is at that.
 */
export interface SearchCache {
  /** Begins a search: the cache as that search sees it. */
  begin(): SearchMemory;
}

/** The cache for one search: what the search uses is not dropped to make room for what it reads after that. */
export interface SearchMemory {
  get(ledgerId: string): SearchedModel | undefined;
  /** Keeps a model where there is room for it, dropping what was not used for the longest time. */
  keep(model: SearchedModel): void;
  forget(ledgerId: string): void;
  /**
   * Reads a model while no other search of the process does: `waited` is true where another one read it before, so that
   * `read` can look in the cache first.
   */
  exclusively<T>(ledgerId: string, read: (waited: boolean) => Promise<T>): Promise<T>;
  tags: SearchedTags | undefined;
}
