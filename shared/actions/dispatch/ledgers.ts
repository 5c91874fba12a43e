import type { Store } from "../contract/store.ts";
import type { View } from "../contract/view.ts";
import { TAGS_LEDGER } from "../contract/view.ts";

/** The ledgers one attempt of a call reads, each at one revision. */
export interface Ledgers {
  /** The ledger the call addresses; undefined when it addresses none. */
  readonly view: View | undefined;
  /** Opens the ledger of tag groups and global tags, whose tags the answer then shows. */
  readonly tags: () => Promise<View>;
  /** Opens the ledger of tag groups and global tags for a comparison alone, of which the answer shows nothing. */
  readonly unshownTags: () => Promise<View>;
  /** The ledger of tag groups and global tags, if its tags are shown in the answer and the call does not address it. */
  readonly opened: () => Promise<View | undefined>;
  /** Opens another model, beside the ledger addressed. */
  readonly open: Store["open"];
  /** Every ledger opened so far, but the one of tags where nothing of it is shown. */
  readonly all: () => Promise<readonly View[]>;
  /** True when everything that was read in these ledgers still held at the moment of asking; those of `except` are left out. */
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
