import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PROPERTY_LIMITS } from "../../shared/domain/limits.ts";
import { compilePattern } from "../../shared/domain/text/linear-pattern.ts";
import { PatternBudget } from "../../shared/domain/text/pattern-budget.ts";
import { seedOf } from "../support/chance.ts";

function matches(pattern: string, text: string): boolean {
  const compiled = compilePattern(pattern);
  if (typeof compiled === "string") throw new Error(`${pattern}: ${compiled}`);
  return compiled(text, new PatternBudget());
}

const patterns: fc.Arbitrary<string> = fc.letrec<{ choice: string; atom: string; sequence: string }>((tie) => ({
  choice: fc.array(tie("sequence"), { minLength: 1, maxLength: 3 }).map((all) => all.join("|")),
  sequence: fc
    .array(
      fc
        .tuple(tie("atom"), fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?"))
        .map(([atom, count]) => (/^[$^]$/.test(atom) ? atom : atom + count)),
      { maxLength: 4 },
    )
    .map((all) => all.join("")),
  atom: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.constantFrom(
      ...["a", "b", "🙂", ".", "\\d", "\\W", "\\s", "[ab]", "[^a]", "[a-c\\d]", "[^\\w-]", "^", "$", "\\.", "\\u0061"],
      ...["[\\D1]", "[\\Sa-c]", "[\\W\\d]"],
    ),
    tie("choice").map((inner) => `(${inner})`),
    tie("choice").map((inner) => `(?:${inner})`),
  ),
})).choice;

describe("a pattern", () => {
  test("matches like a regular expression", () => {
    fc.assert(
      fc.property(
        patterns,
        fc.string({ unit: fc.constantFrom("a", "b", "c", "1", " ", "-", "🙂", ".", "\n"), maxLength: 10 }),
        (pattern, text) => {
          fc.pre(pattern.length < 60);
          expect(matches(pattern, text)).toBe(new RegExp(pattern, "u").test(text));
        },
      ),
      { numRuns: 5_000, seed: seedOf("linear-pattern") },
    );
  });

  test.each([
    ...["(a*)*$", "(a|a)*b", "(a+)+$", "(.*)*x", "^(([a-z])+.)+[A-Z]([a-z])+$"],
  ])("%s is decided, although backtracking never ends on it", (pattern) => {
    // A million steps at most for each, where backtracking takes 2 to the power of 10,000.
    expect(matches(pattern, `${"a".repeat(10_000)}!`)).toBe(new RegExp(pattern, "u").test("aaa!"));
  });

  test.each([
    ...[
      "(•?=a)",
      "(•?<=a)b",
      "(•?<n>a)",
      "(a)\\1•",
      "\\b•word",
      "a**•",
      "(•",
      "a•)",
      "[a•",
      "[a-•",
      "[b-a•]",
      "•*",
      "a{3,1}•",
    ],
    ...["\\•", "[\\d-z•]", "[a-\\S•]"],
  ])("%s is refused with the position up to which it was read", (marked) =>
    expect(compilePattern(marked.replace("•", ""))).toMatch(new RegExp(` at character ${marked.indexOf("•") + 1}$`)));

  test("is accepted with the maximum of steps and groups, and refused with one more", () => {
    const { patternSteps, patternDepth } = PROPERTY_LIMITS;
    expect(compilePattern(`a{${patternSteps - 1}}`)).toBeTypeOf("function");
    expect(compilePattern(`a{${patternSteps}}`)).toContain(String(patternSteps));
    const nested = (depth: number) => `${"(".repeat(depth)}a${")".repeat(depth)}`;
    expect(compilePattern(nested(patternDepth))).toBeTypeOf("function");
    expect(compilePattern(nested(patternDepth + 1))).toContain(String(patternDepth));
    expect(compilePattern("((a{999}){999}){999}")).toContain(String(patternSteps));
  });

  test("decides with the maximum of work on all values together, and refuses one character more", () => {
    const pattern = compilePattern("b");
    if (typeof pattern === "string") throw new Error(pattern);
    const budget = new PatternBudget();
    // Two steps for each character, and two at the end of each text.
    const half = "a".repeat(PROPERTY_LIMITS.patternWork / 4 - 1);
    expect(pattern(half, budget)).toBe(false);
    expect(pattern(half, budget)).toBe(false);
    expect(() => pattern("", budget)).toThrow("limit patternWork");
    expect(pattern("", new PatternBudget())).toBe(false);
  });

  test("finds the range of a character among many, sorted or not, that overlap or touch", () => {
    const pattern = "^[x-za-ce-gb-d\\u4e00-\\u4e08\\u4e05-\\u4e20]$";
    for (const char of [..."abcdefgh`wxyz{", "\u4dff", "\u4e00", "\u4e10", "\u4e20", "\u4e21"])
      expect(matches(pattern, char), char).toBe(new RegExp(pattern, "u").test(char));
  });
});
