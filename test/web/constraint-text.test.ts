import { describe, expect, test } from "vitest";
import { KEYWORD_NAMES, KEYWORDS } from "../../shared/domain/constraints/keywords.ts";
import {
  formatConstraintValue,
  formatFieldText,
  parseConstraintValue,
  parseFieldValue,
  summarizeConstraints,
} from "../../ui/parts/constraints/constraint-text.ts";

const VALUES = ["a", "", " a", "a\nb", "1", "true", "null", '"a"', "{}", 1, -0.5, true, null, [1, "a"], { a: ["b"] }];

test.each(VALUES.map((value) => [JSON.stringify(value), value]))("the value %s is parsed from its text", (_, value) => {
  expect(parseConstraintValue(formatConstraintValue(value))).toEqual(value);
});

const example = {
  number: -1.5,
  positive: 0.01,
  count: 3,
  flag: true,
  line: "1",
  pattern: " ^[0-9]$",
  value: "1",
  values: ["a", 1, "1", null, "two\nlines"],
  choices: ["a", 1, "1", [2]],
};
test.each(KEYWORD_NAMES)("a constraint is parsed from its field: %s", (keyword) => {
  const value = example[KEYWORDS[keyword].shape];
  expect(parseFieldValue(keyword, formatFieldText(keyword, value))).toEqual(value);
});

describe("the summary of constraints", () => {
  test.each([
    [{ minimum: 1 }, "≥ 1"],
    [{ minimum: 0, maximum: 10, multipleOf: 0.01, unit: "EUR" }, "0 … 10 × 0.01 EUR"],
    [{ minLength: 13, maxLength: 13, unique: true, pattern: "^x$" }, "unique · length = 13 · pattern ^x$"],
    [{ enum: ["a", "b", "c", "d", "e"], default: "a" }, "enum a, b, c, … 5 · default a"],
    [{ keywordOfTomorrow: 1 }, "keywordOfTomorrow"],
    [undefined, ""],
  ])("of %j", (constraints, text) => expect(summarizeConstraints(constraints)).toBe(text));

  test("includes every keyword", () => {
    // Examples say nothing of the values that are allowed.
    expect(KEYWORD_NAMES.filter((keyword) => summarizeConstraints({ [keyword]: true }) === "")).toEqual(["examples"]);
  });
});
