/** The sets of names that differ from those before them, in whatever order their names stand. */
export function differentSets(sets: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const first = new Map<string, readonly string[]>();
  for (const set of sets) {
    const text = nameOfSet(set);
    if (!first.has(text)) first.set(text, set);
  }
  return [...first.values()];
}

/** True where each of some sets is among others. */
export function areAmong(some: readonly (readonly string[])[], others: readonly (readonly string[])[]): boolean {
  return new Set(some.map(nameOfSet)).isSubsetOf(new Set(others.map(nameOfSet)));
}

function nameOfSet(set: readonly string[]): string {
  return [...new Set(set)].sort().join("\n");
}
