/** Does `work` on each member, so many at the same time, and answers the results in order; after a failure it begins no other. */
export async function mapConcurrently<T, R>(
  all: readonly T[],
  lanes: number,
  work: (one: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  // One generator for all lanes: the lane that fails ends it for the others.
  const entries = iterateEntries(all);
  const lane = async (): Promise<void> => {
    for (const [i, one] of entries) results[i] = await work(one);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

function* iterateEntries<T>(all: readonly T[]): Generator<[number, T]> {
  yield* all.entries();
}
