import type { SearchedModel } from "./index-writer.ts";

/** The quota during one search. Models used by searches under way are not evicted for others. */
export interface SearchQuota {
  use(ledgerId: string): void;
  /** Reserves space and returns models to evict; "full" if this search is too large, "busy" if others hold it. */
  take(model: SearchedModel): readonly string[] | "full" | "busy";
  forget(ledgerId: string): void;
  end(): void;
}

interface Usage {
  readonly size: number;
  readonly usedBy: number;
}

/** Creates a memory quota for the models of a process, counted in objects. */
export function createModelQuota(most: number) {
  /** Models in memory, the least recently used first. */
  const shares = new Map<string, Usage>();
  const running = new Set<number>();
  let size = 0;
  let searches = 0;
  const forget = (ledgerId: string) => {
    size -= shares.get(ledgerId)?.size ?? 0;
    shares.delete(ledgerId);
  };
  const put = (ledgerId: string, one: Usage) => {
    shares.set(ledgerId, one);
    size += one.size;
  };
  const listEvictions = (count: number): readonly string[] | undefined => {
    const oldest = Math.min(...running);
    const evictions: string[] = [];
    let left = size + count;
    for (const [ledgerId, one] of shares) {
      if (left <= most || one.usedBy >= oldest) break;
      left -= one.size;
      evictions.push(ledgerId);
    }
    return left <= most ? evictions : undefined;
  };
  const begin = (): SearchQuota => {
    searches += 1;
    const search = searches;
    running.add(search);
    const own = new Map<string, number>();
    let ownSize = 0;
    const note = (ledgerId: string, count: number) => {
      ownSize += count - (own.get(ledgerId) ?? 0);
      own.set(ledgerId, count);
    };
    return {
      use: (ledgerId) => {
        const one = shares.get(ledgerId);
        if (!one) return;
        note(ledgerId, one.size);
        forget(ledgerId);
        put(ledgerId, { size: one.size, usedBy: Math.max(one.usedBy, search) });
      },
      take: (model) => {
        const count = computeSize(model);
        forget(model.ledgerId);
        note(model.ledgerId, count);
        if (ownSize > most) return "full";
        const evictions = listEvictions(count);
        if (!evictions) return "busy";
        for (const ledgerId of evictions) forget(ledgerId);
        put(model.ledgerId, { size: count, usedBy: search });
        return evictions;
      },
      forget: (ledgerId) => {
        note(ledgerId, 0);
        forget(ledgerId);
      },
      end: () => {
        running.delete(search);
      },
    };
  };
  return { begin };
}

const CHARACTERS_PER_OBJECT = 500;

function computeSize({ rows }: SearchedModel) {
  return rows.reduce((sum, { text, properties = "" }) => {
    return sum + Math.max(1, Math.ceil((text.length + properties.length) / CHARACTERS_PER_OBJECT));
  }, 0);
}
