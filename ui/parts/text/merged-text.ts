import { findHunks, type Hunk, splitPieces } from "./pieces.ts";

/** Merge of two texts with a common base; `clashes` counts the conflicting changes. */
export interface MergedText {
  readonly text: string;
  readonly clashes: number;
}

function applyHunks(base: readonly string[], hunks: readonly Hunk[], from: number, to: number) {
  let at = from;
  let text = "";
  for (const hunk of hunks) {
    text += base.slice(at, hunk.from).join("") + hunk.pieces.join("");
    at = hunk.to;
  }
  return text + base.slice(at, to).join("");
}

/** Merges two versions of a text by lines, or a single line by words. A conflict has both, theirs first. */
export function mergeTexts(base: string, remoteText: string, localText: string): MergedText {
  const byLine = [base, remoteText, localText].some((text) => text.includes("\n"));
  const pieces = splitPieces(base, byLine);
  const left = [...findHunks(pieces, splitPieces(remoteText, byLine))];
  const right = [...findHunks(pieces, splitPieces(localText, byLine))];
  let [at, text, clashes] = [0, "", 0];
  while (left.length > 0 || right.length > 0) {
    const from = Math.min(left[0]?.from ?? Number.POSITIVE_INFINITY, right[0]?.from ?? Number.POSITIVE_INFINITY);
    let to = from;
    const [ofLeft, ofRight]: [Hunk[], Hunk[]] = [[], []];
    for (let hasGrown = true; hasGrown; ) {
      hasGrown = false;
      for (const [side, hunks] of [
        [left, ofLeft],
        [right, ofRight],
      ] as const) {
        const next = side[0];
        if (!next || next.from > to) continue;
        to = Math.max(to, next.to);
        hunks.push(...side.splice(0, 1));
        hasGrown = true;
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

function mergePieces(remoteText: string, localText: string, byLine: boolean) {
  const gap = byLine
    ? remoteText === "" || remoteText.endsWith("\n")
      ? ""
      : "\n"
    : /\s$/.test(remoteText) || remoteText === ""
      ? ""
      : " ";
  return `${remoteText}${gap}${byLine ? localText : localText.trimStart()}`;
}
