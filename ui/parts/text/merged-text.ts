import { findHunks, type Hunk, splitPieces } from "./pieces.ts";

/** Merge of two texts with a common base; `clashes` counts the conflicting changes. */
export interface MergedText {
  readonly text: string;
  readonly clashes: number;
}

function applyHunks(base: readonly string[], hunks: readonly Hunk[], from: number, to: number): string {
  let at = from;
  let text = "";
  for (const hunk of hunks) {
    text += base.slice(at, hunk.from).join("") + hunk.pieces.join("");
    at = hunk.to;
  }
  return text + base.slice(at, to).join("");
}

/** Merges two versions of a text by lines, or a single line by words. A conflict has both, theirs first. */
export function mergeTexts(base: string, theirs: string, ours: string): MergedText {
  const byLine = [base, theirs, ours].some((text) => text.includes("\n"));
  const pieces = splitPieces(base, byLine);
  const left = [...findHunks(pieces, splitPieces(theirs, byLine))];
  const right = [...findHunks(pieces, splitPieces(ours, byLine))];
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
    const [a, b] = [applyHunks(pieces, ofLeft, from, to), applyHunks(pieces, ofRight, from, to)];
    text += pieces.slice(at, from).join("");
    if (ofRight.length === 0 || a === b) text += a;
    else if (ofLeft.length === 0) text += b;
    else {
      clashes++;
      text += mergePieces(a, b, byLine);
    }
    at = to;
  }
  return { text: text + pieces.slice(at).join(""), clashes };
}

function mergePieces(theirs: string, ours: string, byLine: boolean): string {
  const gap = byLine
    ? theirs === "" || theirs.endsWith("\n")
      ? ""
      : "\n"
    : /\s$/.test(theirs) || theirs === ""
      ? ""
      : " ";
  return `${theirs}${gap}${byLine ? ours : ours.trimStart()}`;
}
