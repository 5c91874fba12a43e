import { LIMITS } from "../../domain/limits.ts";
import type { SearchCache, SearchedModel, SearchedTags, SearchMemory } from "../contract/search-cache.ts";

interface Kept {
  readonly model: SearchedModel;
  readonly size: number;
  /** Number of the newest search that used the model. */
  readonly usedBy: number;
}

/** A cache for so many objects; see `LIMITS.searchObjects`. */
export function createSearchCache(most: number = LIMITS.searchObjects): SearchCache {
  /** The cached models, the least recently used first. */
  const kept = new Map<string, Kept>();
  const reading = new Map<string, Promise<unknown>>();
  let size = 0;
  let searches = 0;
  let tags: SearchedTags | undefined;
  const forget = (modelId: string): void => {
    size -= kept.get(modelId)?.size ?? 0;
    kept.delete(modelId);
  };
  const put = (one: Kept): void => {
    kept.set(one.model.ledgerId, one);
    size += one.size;
  };
  const begin = (): SearchMemory => {
    searches += 1;
    const search = searches;
    return {
      get tags() {
        return tags;
      },
      set tags(newer) {
        tags = newer;
      },
      get: (modelId) => {
        const found = kept.get(modelId);
        if (!found) return undefined;
        forget(modelId);
        put({ ...found, usedBy: Math.max(found.usedBy, search) });
        return found.model;
      },
      keep: (model) => {
        const known = kept.get(model.ledgerId);
        if (known && known.model.revision >= model.revision) return;
        forget(model.ledgerId);
        const one = { model, size: sizeOf(model), usedBy: search };
        if (one.size > most) return;
        for (const [modelId, { usedBy }] of kept) {
          // Dropping these would have every search of more than there is room for read all of it anew.
          if (size + one.size <= most || usedBy >= search) break;
          forget(modelId);
        }
        if (size + one.size <= most) put(one);
      },
      forget,
      exclusively: async (modelId, read) => {
        let waited = false;
        for (let before = reading.get(modelId); before; before = reading.get(modelId)) {
          waited = true;
          await before.catch(() => undefined);
        }
        const mine = read(waited);
        reading.set(modelId, mine);
        try {
          return await mine;
        } finally {
          reading.delete(modelId);
        }
      },
    };
  };
  return { begin };
}

/** Characters of text up to which an object counts as one. */
const TEXT_OF_ONE = 500;

/** How many objects a model counts as: one with a long text takes the room of several. */
function sizeOf({ rows }: SearchedModel): number {
  return rows.reduce((sum, { text, properties = "" }) => {
    return sum + Math.max(1, Math.ceil((text.length + properties.length) / TEXT_OF_ONE));
  }, 0);
}
