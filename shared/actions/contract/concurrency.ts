/** Runs `work` for each member with limited concurrency; results in order. Starts no more after a failure. */
export async function mapConcurrently<T, R>(
  all: readonly T[],
  concurrency: number,
  work: (one: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  // All workers share one generator: a worker that fails ends it for the others.
  const entries = iterateEntries(all);
  const consume = async () => {
    for (const [i, one] of entries) results[i] = await work(one);
  };
  await Promise.all(Array.from({ length: concurrency }, consume));
  return results;
}

function* iterateEntries<T>(all: readonly T[]): Generator<[number, T]> {
  yield* all.entries();
}
