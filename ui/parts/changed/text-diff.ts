import { findHunks, splitPieces } from "../text/pieces.ts";

/** A run of characters in a line; marked if it differs. */
export interface Run {
  readonly text: string;
  readonly isMarked: boolean;
}

/** A line of a diff: equal, deleted or added, with its line numbers counted from 1. */
export interface DiffLine {
  readonly sign: "same" | "gone" | "new";
  readonly runs: readonly Run[];
  readonly before?: number;
  readonly after?: number;
}

/** A number of omitted equal lines. */
export interface Gap {
  readonly left: number;
  /** Position of its first line in the whole diff. */
  readonly at: number;
}

/** Minimum share of common characters for two lines to count as one changed line. */
const MIN_SIMILARITY = 0.3;

/** Compares two texts by lines, and changed lines by words. */
export function diffTexts(before: string, after: string): readonly DiffLine[] {
  const [base, side] = [splitLines(before), splitLines(after)];
  const lines: DiffLine[] = [];
  let [left, right] = [0, 0];
  const createSameLine = (to: number) => {
    for (; left < to; left++, right++) {
      lines.push({ sign: "same", runs: [createPlainRun(base[left] ?? "")], before: left + 1, after: right + 1 });
    }
  };
  for (const { from, to, pieces } of findHunks(base, side)) {
    createSameLine(from);
    const change = pairLines(base.slice(from, to), pieces);
    lines.push(...change.gone.map((runs): DiffLine => ({ sign: "gone", runs, before: ++left })));
    lines.push(...change.made.map((runs): DiffLine => ({ sign: "new", runs, after: ++right })));
  }
  createSameLine(base.length);
  return lines;
}

/** Omits equal lines more than `context` lines away from a change, if there are at least two. */
export function addGaps(lines: readonly DiffLine[], context = 3): readonly (DiffLine | Gap)[] {
  const changes = lines.flatMap(({ sign }, at) => (sign === "same" ? [] : [at]));
  const isNearChange = (at: number) => changes.some((change) => Math.abs(change - at) <= context);
  const result: (DiffLine | Gap)[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (end < lines.length && !isNearChange(end)) end++;
    if (end - at > 1) result.push({ left: end - at, at });
    else end = at;
    at = end;
    const line = lines[at];
    if (line) result.push(line);
    at++;
  }
  return result;
}

function splitLines(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

const createPlainRun = (text: string): Run => ({ text, isMarked: false });

function pairLines(oldLines: readonly string[], newLines: readonly string[]) {
  const pairs = oldLines.map((line, at) => diffWords(line, newLines[at]));
  return {
    gone: oldLines.map((line, at) => pairs[at]?.gone ?? [createPlainRun(line)]),
    made: newLines.map((line, at) => pairs[at]?.made ?? [createPlainRun(line)]),
  };
}

function diffWords(before: string, after: string | undefined) {
  if (after === undefined) return undefined;
  const [base, side] = [splitPieces(before, false), splitPieces(after, false)];
  const hunks = findHunks(base, side);
  const oldRuns: Run[] = [];
  const newRuns: Run[] = [];
  let at = 0;
  let sum = 0;
  const put = (runs: Run[], pieces: readonly string[], isMarked: boolean) => {
    if (pieces.length > 0) runs.push({ text: pieces.join(""), isMarked });
  };
  for (const { from, to, pieces } of [...hunks, { from: base.length, to: base.length, pieces: [] }]) {
    const same = base.slice(at, from);
    sum += same.join("").length;
    for (const runs of [oldRuns, newRuns]) put(runs, same, false);
    put(oldRuns, base.slice(from, to), true);
    put(newRuns, pieces, true);
    at = to;
  }
  return sum >= MIN_SIMILARITY * Math.max(before.length, after.length) ? { gone: oldRuns, made: newRuns } : undefined;
}
