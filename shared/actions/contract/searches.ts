import type { SearchFilters } from "../../domain/search/filters.ts";
import type { Located } from "../../domain/search/rows.ts";
import type { Store } from "./store.ts";
import type { Page, Rows } from "./view.ts";

/** The global tags at one revision of their ledger. */
export interface SearchedTags {
  readonly revision: number;
  /** Ids by `<group>/<tag>`. */
  readonly byKey: ReadonlyMap<string, string>;
  readonly ids: ReadonlySet<string>;
}

/** A model to look into: its id, and its key when it was listed or opened. */
export interface ListedModel {
  readonly id: string;
  readonly key: string;
}

/** The terms of one search. */
export interface SearchTerms {
  readonly filters: SearchFilters<string>;
  /** Ids of the global tags that are there. */
  readonly globalTags: ReadonlySet<string>;
  /** The models to look into, sorted by key; all that the caller may see unless given. */
  readonly models?: readonly ListedModel[];
  readonly page: Page;
}

/**
 * The place where searches look. Implemented by `shared/search`: in the file of the store, which is told of every commit,
 * or in the memory of the process. An index that is kept outside the process is one more.
 */
export interface Searches {
  /**
   * A page of what passes the filters, sorted by the key of the model and the place in it; every commit that was answered
   * before is in it. `too_large` where the models are more than there is room for and none were named, `out_of_time`
   * while the index is built.
   */
  find(terms: SearchTerms, store: Store): Promise<Rows<Located>>;
  /** Has the next search read a model anew: it was changed by something that its log does not tell of. */
  forget(ledgerId: string): Promise<void>;
  /** The global tags as a search of this process read them last. */
  tags: SearchedTags | undefined;
}
