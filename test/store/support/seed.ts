/** The seed of a random test, told so that the run can be repeated: METACTION_TEST_SEED chooses it. */
export function seedFor(test: string): number {
  const given = Number(process.env.METACTION_TEST_SEED);
  const seed = Number.isSafeInteger(given) && given > 0 ? given : Math.floor(Math.random() * 2 ** 31) + 1;
  process.stdout.write(`${test}: METACTION_TEST_SEED=${seed}\n`);
  return seed;
}
