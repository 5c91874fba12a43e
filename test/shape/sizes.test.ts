import { describe, expect, test } from "vitest";
import { type Source, sources } from "./support/sources.ts";

const MOST_LINES = 400;
const P95_LINES = 300;
const MEDIAN_LINES = { from: 60, to: 110 };

const linesOf = ({ text }: Source): number => text.trimEnd().split("\n").length;

/** The number of which a share of a list is at most as large (nearest rank). */
function percentile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

const tooLong = (files: readonly Source[]): readonly string[] =>
  files.filter((f) => linesOf(f) > MOST_LINES).map((f) => `${f.path} has ${linesOf(f)} lines`);

describe("the files of the repository", () => {
  test(`have at most ${MOST_LINES} lines each`, () => {
    expect(tooLong(sources())).toEqual([]);
  });

  test(`have under ${P95_LINES} lines in 95 of 100 cases`, () => {
    expect(percentile(sources().map(linesOf), 0.95)).toBeLessThan(P95_LINES);
  });

  test(`have ${MEDIAN_LINES.from} to ${MEDIAN_LINES.to} lines in the middle`, () => {
    const median = percentile(sources().map(linesOf), 0.5);
    expect(median).toBeGreaterThanOrEqual(MEDIAN_LINES.from);
    expect(median).toBeLessThanOrEqual(MEDIAN_LINES.to);
  });
});

describe("the check of sizes", () => {
  const ofLines = (count: number): Source => ({ path: "x.ts", text: "line\n".repeat(count) });

  test("counts lines as an editor shows them", () => {
    expect(linesOf(ofLines(1))).toBe(1);
    expect(linesOf({ path: "x.ts", text: "a\nb" })).toBe(2);
  });

  test("finds a file one line too long, and not one that just fits", () => {
    expect(tooLong([ofLines(MOST_LINES), ofLines(MOST_LINES + 1)])).toEqual(["x.ts has 401 lines"]);
  });

  test("takes the middle and the 95th of a hundred", () => {
    const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
    expect([percentile(hundred, 0.5), percentile(hundred, 0.95), percentile([7], 0.5)]).toEqual([50, 95, 7]);
  });

  test("looks at more than a handful of files", () => {
    expect(sources().length).toBeGreaterThan(100);
    expect(sources().map((s) => s.path)).toContain("shared/actions/dispatch/dispatch.ts");
  });
});
