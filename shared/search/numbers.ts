/** Greatest number of a model, and greatest position of a row in its model. */
export const MOST = 2 ** 31 - 1;

/** Greatest distance of two numbers that are given out one after the other, where nothing follows. */
const STEP = 2 ** 16;

/** A number between two others, which stand for the ends where there is none; undefined where none is free. */
export function numberBetween(before: number | undefined, after: number | undefined): number | undefined {
  if (before === undefined && after === undefined) return MOST >> 1;
  const [low, high] = [before ?? 0, after ?? MOST + 1];
  const half = Math.floor((high - low) / 2);
  if (half < 1) return undefined;
  if (after === undefined) return low + Math.min(STEP, half);
  if (before === undefined) return high - Math.min(STEP, half);
  return low + half;
}

/** So many numbers between two others, both excluded, as far apart as there is room; undefined where there is none. */
export function numbersAcross(count: number, low: number, high: number): readonly number[] | undefined {
  const step = Math.floor((high - low) / (count + 1));
  if (step < 1) return undefined;
  return Array.from({ length: count }, (_, i) => low + (i + 1) * step);
}

/**
 * Positions for rows that come between two others. They leave most of the room behind them, because what is made later
 * mostly belongs there.
 */
export function positionsBetween(count: number, low: number, high: number): readonly number[] | undefined {
  return numbersAcross(count, low, low + Math.ceil((high - low) / 64)) ?? numbersAcross(count, low, high);
}
