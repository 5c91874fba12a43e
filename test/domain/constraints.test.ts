import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { isMultiple } from "../../shared/domain/constraints/assess.ts";
import { constraints } from "../../shared/domain/constraints/check.ts";

function faults(value: unknown): readonly string[] {
  const { error } = z.safeParse(constraints.schema(), value);
  return (error?.issues ?? []).map(({ path, message }) => `/${path.join("/")}: ${message}`);
}

describe("constraints", () => {
  test.each([
    [{ enum: [null, 0, "", false, {}, []], const: {} }],
    [{ minimum: 1, maximum: 1, multipleOf: 5e-324 }],
    [{ exclusiveMinimum: -1e300, exclusiveMaximum: 1e300 }],
    [{ minLength: 0, maxLength: 0, minItems: 3, maxItems: 3, uniqueItems: false }],
    [{ pattern: "((((a+)+)+)+)+$", format: "Any name of a format" }],
    [{ default: null, examples: [], contentEncoding: "base64", contentMediaType: "image/png; q=1" }],
    [{ unique: true, unit: "µm²" }],
  ])("may be %j", (value) => {
    expect(faults(value)).toEqual([]);
    // They are handed on as they are, and not copied.
    expect(z.parse(constraints.schema(), value)).toBe(value);
  });

  test.each<readonly [unknown, ...string[]]>([
    ["enum", "/: expected an object, got a string"],
    [[], "/: expected an object, got a list"],
    [{}, "/: contains no keyword; omit it to have no constraints"],
    [{ minimun: 1 }, "/minimun: is not a known keyword of constraints; did you mean minimum?"],
    [{ max_length: 1 }, "/max_length: is not a known keyword of constraints; did you mean maxLength?"],
    [
      { required: true, unit: 1 },
      expect.stringMatching(/^\/required: is not a known keyword.*; use one of enum, const/) as never,
      "/unit: expected a string, got a number",
    ],
    [{ enum: "a" }, "/enum: expected a list, got a string"],
    [{ enum: [] }, "/enum: must contain at least one value"],
    [
      {
        enum: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      },
      '/enum: contains {"a":1,"b":2} twice',
    ],
    [{ enum: [1, 2], const: 3 }, "/const: is not one of the values of enum"],
    [{ minimum: "1" }, "/minimum: expected a number, got a string"],
    [{ maximum: Number.POSITIVE_INFINITY }, "/maximum: is a number outside the range of IEEE 754; use a text instead"],
    [{ multipleOf: 0 }, "/multipleOf: must be greater than 0"],
    [
      { minLength: -1, maxItems: 0.5 },
      "/minLength: must be a whole number, 0 or more",
      "/maxItems: must be a whole number, 0 or more",
    ],
    [{ unique: 1 }, "/unique: expected true or false, got a number"],
    [{ pattern: ["a"] }, "/pattern: expected a string, got a list"],
    [
      { pattern: "a\u0000" },
      "/pattern: contains the control character U+0000; remove NUL, ESC and C1 controls (U+0080 to U+009F)",
    ],
    [{ format: "two\nlines" }, "/format: must be one line"],
    [{ unit: " " }, "/unit: must not be blank"],
    [{ examples: { a: 1 } }, "/examples: expected a list, got an object"],
    [
      { default: [{ "\u009b": 1 }] },
      "/default/0/\u009b: contains the control character U+009B; remove NUL, ESC and C1 controls (U+0080 to U+009F)",
    ],
    [{ minimum: 2, maximum: 1 }, "/maximum: 1 must be at least minimum, which is 2"],
    [{ exclusiveMinimum: 1, maximum: 1 }, "/maximum: 1 must be greater than exclusiveMinimum, which is 1"],
    [{ minimum: 1, exclusiveMaximum: 1 }, "/exclusiveMaximum: 1 must be greater than minimum, which is 1"],
    [
      { minimum: 0, exclusiveMinimum: 5, maximum: 9, exclusiveMaximum: 4 },
      "/exclusiveMaximum: 4 must be greater than exclusiveMinimum, which is 5",
    ],
    [
      { minLength: 2, maxLength: 1, minItems: 2, maxItems: 1 },
      "/maxLength: 1 must be at least minLength, which is 2",
      "/maxItems: 1 must be at least minItems, which is 2",
    ],
  ])("may not be %j", (value, ...expected) => expect(faults(value)).toEqual(expected));

  test("compare multiples in decimal arithmetic", () => {
    expect([isMultiple(0.3, 0.1), isMultiple(1.1, 0.1), isMultiple(1e300, 1e-300), isMultiple(6, 4)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect([isMultiple(1e-7, 1e-7), isMultiple(2.5e-7, 1e-7), isMultiple(-9, 3)]).toEqual([true, false, true]);
  });
});
