/** A proposal from two texts that were made of one: `clashes` counts the places that both changed differently. */
export interface MergedText {
  readonly text: string;
  readonly clashes: number;
}

/** A run of pieces that one side put in the place of pieces of the base. */
interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly pieces: readonly string[];
}

/** Lines with their ends, or words with the spaces after them where there is one line only. */
const piecesOf = (text: string, byLine: boolean): readonly string[] =>
  text.match(byLine ? /[^\n]*\n|[^\n]+$/g : /\s*\S+|\s+/g) ?? [];

/** What a side changed, by the longest common subsequence of pieces. */
function hunksOf(base: readonly string[], side: readonly string[]): readonly Hunk[] {
  const width = side.length + 1;
  const lengths = new Uint32Array((base.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = base.length - 1; i >= 0; i--) {
    for (let j = side.length - 1; j >= 0; j--) {
      lengths[i * width + j] = base[i] === side[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const hunks: Hunk[] = [];
  let [i, j] = [0, 0];
  while (i < base.length || j < side.length) {
    const [from, first] = [i, j];
    while ((i < base.length || j < side.length) && !(i < base.length && j < side.length && base[i] === side[j])) {
      if (j >= side.length || (i < base.length && at(i + 1, j) >= at(i, j + 1))) i++;
      else j++;
    }
    if (i > from || j > first) hunks.push({ from, to: i, pieces: side.slice(first, j) });
    while (i < base.length && j < side.length && base[i] === side[j]) [i, j] = [i + 1, j + 1];
  }
  return hunks;
}

/** What one side has of a stretch of the base. */
function sideOf(base: readonly string[], hunks: readonly Hunk[], from: number, to: number): string {
  let at = from;
  let text = "";
  for (const hunk of hunks) {
    text += base.slice(at, hunk.from).join("") + hunk.pieces.join("");
    at = hunk.to;
  }
  return text + base.slice(at, to).join("");
}

/**
 * Merges two changes of one text, by lines, or by words where all three are one line. Where both changed the same place
 * differently, the proposal has theirs and then ours.
 */
export function mergedText(base: string, theirs: string, ours: string): MergedText {
  const byLine = [base, theirs, ours].some((text) => text.includes("\n"));
  const pieces = piecesOf(base, byLine);
  const left = [...hunksOf(pieces, piecesOf(theirs, byLine))];
  const right = [...hunksOf(pieces, piecesOf(ours, byLine))];
  let [at, text, clashes] = [0, "", 0];
  while (left.length > 0 || right.length > 0) {
    const from = Math.min(left[0]?.from ?? Number.POSITIVE_INFINITY, right[0]?.from ?? Number.POSITIVE_INFINITY);
    let to = from;
    const [ofLeft, ofRight]: [Hunk[], Hunk[]] = [[], []];
    for (let grew = true; grew; ) {
      grew = false;
      for (const [side, taken] of [
        [left, ofLeft],
        [right, ofRight],
      ] as const) {
        const next = side[0];
        if (!next || next.from > to) continue;
        to = Math.max(to, next.to);
        taken.push(...side.splice(0, 1));
        grew = true;
      }
    }
    const [a, b] = [sideOf(pieces, ofLeft, from, to), sideOf(pieces, ofRight, from, to)];
    text += pieces.slice(at, from).join("");
    if (ofRight.length === 0 || a === b) text += a;
    else if (ofLeft.length === 0) text += b;
    else {
      clashes++;
      text += joined(a, b, byLine);
    }
    at = to;
  }
  return { text: text + pieces.slice(at).join(""), clashes };
}

/** Theirs, then ours, apart from each other. */
function joined(theirs: string, ours: string, byLine: boolean): string {
  const gap = byLine
    ? theirs === "" || theirs.endsWith("\n")
      ? ""
      : "\n"
    : /\s$/.test(theirs) || theirs === ""
      ? ""
      : " ";
  return `${theirs}${gap}${byLine ? ours : ours.trimStart()}`;
}
