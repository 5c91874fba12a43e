const RESAMPLES = 2_000;

export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = q * (sorted.length - 1);
  const [low = 0, high = 0] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at % 1);
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The Mann-Whitney test, two-sided, by its normal approximation: `p` is small where one sample tends to be larger. */
export function mannWhitney(a: readonly number[], b: readonly number[]): { readonly z: number; readonly p: number } {
  const all = [...a.map((value) => ({ value, first: true })), ...b.map((value) => ({ value, first: false }))];
  all.sort((one, other) => one.value - other.value);
  let rankSum = 0;
  let ties = 0;
  for (let from = 0; from < all.length; ) {
    let to = from;
    while (to < all.length && all[to]?.value === all[from]?.value) to += 1;
    // Equal values share the mean of their ranks.
    const rank = (from + to + 1) / 2;
    rankSum += rank * all.slice(from, to).filter(({ first }) => first).length;
    ties += (to - from) ** 3 - (to - from);
    from = to;
  }
  const n = all.length;
  const u = rankSum - (a.length * (a.length + 1)) / 2;
  const variance = ((a.length * b.length) / 12) * (n + 1 - ties / (n * (n - 1)));
  const z = (u - (a.length * b.length) / 2) / Math.sqrt(variance);
  return { z, p: 2 * upperTail(Math.abs(z)) };
}

/** The 95 % bootstrap interval of the difference of the medians. */
export function shiftInterval(
  a: readonly number[],
  b: readonly number[],
  next: () => number,
): readonly [low: number, high: number] {
  const resampled = (values: readonly number[]) => values.map(() => values[Math.floor(next() * values.length)] ?? 0);
  const shifts = Array.from({ length: RESAMPLES }, () => median(resampled(a)) - median(resampled(b)));
  return [quantile(shifts, 0.025), quantile(shifts, 0.975)];
}

/** The probability of a standard normal value beyond `z` (Abramowitz and Stegun 26.2.17, to 7.5e-8). */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const coefficients = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153];
  const sum = coefficients.reduce((rest, coefficient) => rest * t + coefficient, 0) * t;
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}
