import type { Store } from "../contract/store.ts";
import type { View } from "../contract/view.ts";
import { TAGS_LEDGER } from "../contract/view.ts";

/** The ledgers one attempt of a call reads, each at one revision. */
export interface Ledgers {
  /** The one the call addresses; undefined when it addresses none. */
  readonly view: View | undefined;
  /** The one of tag groups and global tags, opened when it is first asked for. */
  readonly tags: () => Promise<View>;
  /** The same where nothing of it is shown. */
  readonly unshownTags: () => Promise<View>;
  /** That one where it was asked for to be shown, beside the one addressed. */
  readonly opened: () => Promise<View | undefined>;
  /** Another model, beside the one addressed. */
  readonly open: Store["open"];
  /** Every ledger opened so far. */
  readonly all: () => Promise<readonly View[]>;
  /** True when everything that was read in them still held at the moment of asking; `except` are not asked about. */
  readonly confirm: (except?: readonly View[]) => Promise<boolean>;
}

/** The ledgers of an attempt that addresses `view`. */
export function createLedgers(store: Store, view: View | undefined): Ledgers {
  let tags: Promise<View> | undefined;
  let isShown = false;
  const opened = async (): Promise<View | undefined> => (isShown ? tags : undefined);
  const unshownTags = (): Promise<View> => {
    tags ??= store.tags();
    return tags;
  };
  const models: View[] = view ? [view] : [];
  const all = async (): Promise<readonly View[]> => {
    const beside = await opened();
    return beside ? [...models, beside] : models;
  };
  return {
    view,
    tags: () => {
      if (view?.ledgerId === TAGS_LEDGER) return Promise.resolve(view);
      isShown = true;
      return unshownTags();
    },
    unshownTags,
    opened,
    open: async (...named) => {
      const other = await store.open(...named);
      models.push(other);
      return other;
    },
    all,
    confirm: async (except = []) => {
      for (const ledger of await all()) {
        if (!except.includes(ledger) && !(await store.confirm(ledger))) return false;
      }
      return true;
    },
  };
}
