/** Pieces of one side that replace the pieces of the base from `from` up to `to`. */
export interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly pieces: readonly string[];
}

/** Maximum number of compared pairs. Beyond it, everything between the first and the last change counts as changed. */
const MOST_PAIRS = 4_000_000;

/** Splits a text into lines with their ends, or words with the preceding spaces. */
export const splitPieces = (text: string, byLine: boolean): readonly string[] =>
  text.match(byLine ? /[^\n]*\n|[^\n]+$/g : /\s*\S+|\s+/g) ?? [];

/** Finds the runs in which a side differs from the base, by the longest common subsequence. */
export function findHunks(base: readonly string[], side: readonly string[]): readonly Hunk[] {
  let start = 0;
  while (start < base.length && start < side.length && base[start] === side[start]) start++;
  let [baseEnd, sideEnd] = [base.length, side.length];
  while (baseEnd > start && sideEnd > start && base[baseEnd - 1] === side[sideEnd - 1]) [baseEnd--, sideEnd--];
  if (baseEnd === start && sideEnd === start) return [];
  if ((baseEnd - start) * (sideEnd - start) > MOST_PAIRS)
    return [{ from: start, to: baseEnd, pieces: side.slice(start, sideEnd) }];
  return findHunksBetween(base.slice(start, baseEnd), side.slice(start, sideEnd)).map(({ from, to, pieces }) => ({
    from: from + start,
    to: to + start,
    pieces,
  }));
}

function findHunksBetween(base: readonly string[], side: readonly string[]): readonly Hunk[] {
  const width = side.length + 1;
  const lengths = new Uint32Array((base.length + 1) * width);
  const getLength = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = base.length - 1; i >= 0; i--) {
    for (let j = side.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        base[i] === side[j] ? getLength(i + 1, j + 1) + 1 : Math.max(getLength(i + 1, j), getLength(i, j + 1));
    }
  }
  const hunks: Hunk[] = [];
  let [i, j] = [0, 0];
  while (i < base.length || j < side.length) {
    const [from, first] = [i, j];
    while ((i < base.length || j < side.length) && !(i < base.length && j < side.length && base[i] === side[j])) {
      if (j >= side.length || (i < base.length && getLength(i + 1, j) >= getLength(i, j + 1))) i++;
      else j++;
    }
    if (i > from || j > first) hunks.push({ from, to: i, pieces: side.slice(first, j) });
    while (i < base.length && j < side.length && base[i] === side[j]) [i, j] = [i + 1, j + 1];
  }
  return hunks;
}
