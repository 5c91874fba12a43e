/** A set of sort keys whose ranges are read in order; it is put in order when the next range is read. */
export interface SortedKeys {
  add(key: string): void;
  remove(key: string): void;
  /** Keys with a prefix, after a key, at most so many. */
  range(prefix: string, after: string | undefined, limit: number): readonly string[];
}

export function createSortedKeys(first: Iterable<string> = []): SortedKeys {
  let keys: readonly string[] = [...first].sort();
  const added = new Set<string>();
  const removed = new Set<string>();
  const settle = (): void => {
    if (added.size === 0 && removed.size === 0) return;
    // Sorting what is in order but for its end takes little more than going through it.
    keys = [...keys.filter((key) => !removed.has(key) && !added.has(key)), ...added].sort();
    added.clear();
    removed.clear();
  };
  return {
    add: (key) => {
      removed.delete(key);
      added.add(key);
    },
    remove: (key) => {
      added.delete(key);
      removed.add(key);
    },
    range: (prefix, after, limit) => {
      settle();
      const found: string[] = [];
      for (let at = firstNotBefore(keys, after !== undefined && after > prefix ? after : prefix); ; at++) {
        const key = keys[at];
        if (key === undefined || found.length >= limit || !key.startsWith(prefix)) return found;
        if (after === undefined || key > after) found.push(key);
      }
    },
  };
}

function firstNotBefore(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? "") < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
