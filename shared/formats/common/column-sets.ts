/** The sets of names that differ from those before them, in whatever order their names stand. */
export function removeEqualSets(sets: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const first = new Map<string, readonly string[]>();
  for (const set of sets) {
    const text = toSetId(set);
    if (!first.has(text)) first.set(text, set);
  }
  return [...first.values()];
}

/** True where each of some sets is among others. */
export function areSetsAmong(some: readonly (readonly string[])[], others: readonly (readonly string[])[]): boolean {
  return new Set(some.map(toSetId)).isSubsetOf(new Set(others.map(toSetId)));
}

function toSetId(set: readonly string[]): string {
  return [...new Set(set)].sort().join("\n");
}

/**
 * Tells whether the values of some columns tell the rows of a table apart: whether one of its unique sets is among them. Each set is
 * looked for under the column of it that the fewest sets have, so that neither many sets nor many questions cost their product.
 */
export function createUniquenessTest(sets: readonly (readonly string[])[]): (keys: Iterable<string>) => boolean {
  const counts = new Map<string, number>();
  for (const key of sets.flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
  const count = (key: string): number => counts.get(key) ?? 0;
  const byKey = new Map<string, (readonly string[])[]>();
  for (const set of sets) {
    const rarest = set.reduce((best, key) => (count(key) < count(best) ? key : best), set[0] ?? "");
    const others = byKey.get(rarest);
    if (others) others.push(set);
    else byKey.set(rarest, [set]);
  }
  return (keys) => {
    const given = new Set(keys);
    for (const key of given) if (byKey.get(key)?.some((set) => set.every((one) => given.has(one)))) return true;
    return false;
  };
}
