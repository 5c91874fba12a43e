/** Milliseconds of the reference loop on one undisturbed core of a server of 2024. */
const REFERENCE_MS = 50;
/** Longest time that a call may delay `/health` there, in milliseconds. */
const MOST_DELAY_MS = 1_000;

const TEXT = JSON.stringify(
  Array.from({ length: 2_000 }, (_, i) => ({ key: `k${i}`, type: "key:text", list: [i, `${i}`] })),
);

/** Runs a fixed work that resembles that of the service, and returns its time in milliseconds: parse, walk, print. */
export function runReferenceLoop(): number {
  const began = performance.now();
  let length = 0;
  for (let round = 0; round < 60; round++) {
    const rows: { key: string }[] = JSON.parse(TEXT);
    const keys = new Map(rows.map((row) => [row.key, row]));
    length += JSON.stringify([...keys.values()]).length;
  }
  if (length !== 60 * TEXT.length) throw new Error("the reference loop made another text");
  return performance.now() - began;
}

/**
 * Returns the longest delay of `/health` that is accepted, in milliseconds: one second on a machine whose reference loop
 * takes `REFERENCE_MS`, and in proportion more on a slower or busier one. A faster machine gets no less.
 */
export function getAllowedDelay(referenceMs: number): number {
  return MOST_DELAY_MS * Math.max(1, referenceMs / REFERENCE_MS);
}
