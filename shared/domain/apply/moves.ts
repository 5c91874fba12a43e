/** One item that is put at another place of its list: behind `after`, or before `before` where it comes first. */
export type Move<T> = { readonly item: T } & ({ readonly after: T } | { readonly before: T });

/**
 * The fewest moves that bring a list into another order, to be made one after the other. Both lists have the same items,
 * each once.
 */
export function movesTo<T>(current: readonly T[], wanted: readonly T[]): readonly Move<T>[] {
  const places = new Map(current.map((item, i) => [item, i]));
  const stay = longestRising(wanted.map((item) => places.get(item) ?? 0));
  const moves: Move<T>[] = [];
  for (const [i, item] of wanted.entries()) {
    if (stay.has(i)) continue;
    const after = wanted[i - 1];
    if (after !== undefined) moves.push({ item, after });
    else {
      const first = wanted.find((_, at) => stay.has(at));
      if (first !== undefined) moves.push({ item, before: first });
    }
  }
  return moves;
}

/** The indices of the longest rising run of numbers, with others between them. */
function longestRising(numbers: readonly number[]): ReadonlySet<number> {
  /** The index of the lowest last number of a run of each length. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [i, number] of numbers.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    before[i] = ends[low - 1];
    ends[low] = i;
  }
  const run = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = before[at]) run.add(at);
  return run;
}
