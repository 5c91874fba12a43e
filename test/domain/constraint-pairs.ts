import type { Impact } from "../../shared/domain/differences.ts";

type Verdict = readonly [impact: Impact, reason: string];

const FEWER: Verdict = ["breaking", "fewer values are allowed"];
const MORE: Verdict = ["additive", "more values are allowed"];
const UNCLEAR: Verdict = ["breaking", "it is unclear whether all former values are still allowed"];
const MEANING: Verdict = ["breaking", "it is unclear whether values still have the same meaning"];
const FIRST: Verdict = ["additive", "it was not specified before"];
const ADDED_UNIQUE: Verdict = ["breaking", "added: duplicates are refused"];
const REMOVED_UNIQUE: Verdict = ["behavioural", "removed: duplicates are possible"];
const DEFAULT: Verdict = ["behavioural", "records written without it get another value"];
const SAME: Verdict = ["cosmetic", "they have the same meaning"];
const DOCUMENTATION: Verdict = ["cosmetic", "documentation only"];

/** A change of constraints, undefined where there are none, with the verdict of a person on its parts. */
export type JudgedPair = readonly [
  what: string,
  before: object | undefined,
  after: object | undefined,
  verdict: Verdict,
  ...parts: (string | readonly [part: string, verdict: Verdict])[],
];

/** Judged by hand, one by one; docs/constraints.md gives the rules. */
export const JUDGED_PAIRS: readonly JudgedPair[] = [
  // enum and const
  ["a tightened enum", { enum: ["a", "b", "c"] }, { enum: ["a", "b"] }, FEWER, 'enum no longer allows "c"'],
  ["a longer enum", { enum: ["a"] }, { enum: ["a", "b"] }, MORE, 'enum allows "b" as well'],
  ["one value for another", { enum: ["a", "b"] }, { enum: ["a", "c"] }, FEWER, 'enum no longer allows "b"'],
  ["an enum in another order", { enum: ["a", "b"] }, { enum: ["b", "a"] }, SAME],
  ["an enum where none was", undefined, { enum: ["a"] }, FEWER, 'enum "a" is new'],
  ["no enum any more", { enum: ["a"] }, undefined, MORE, 'enum "a" was removed'],
  ["1 and the text 1", { enum: [1] }, { enum: ["1"] }, FEWER, "enum no longer allows 1"],
  ["lists with other order", { enum: [[1, 2]] }, { enum: [[2, 1]] }, FEWER, "enum no longer allows [1,2]"],
  ["null no longer", { enum: ["a", null] }, { enum: ["a"] }, FEWER, "enum no longer allows null"],
  ["an enum for its const", { const: "a" }, { enum: ["a", "b"] }, MORE, 'enum allows "b" as well'],
  ["a const for its enum", { enum: ["a", "b"] }, { const: "a" }, FEWER, 'const no longer allows "b"'],
  ["a const for an enum of one", { enum: ["a"] }, { const: "a" }, SAME],
  ["another const", { const: 1 }, { const: 2 }, FEWER, "const no longer allows 1"],
  ["a const where none was", undefined, { const: null }, FEWER, "const null is new"],
  ["no const any more", { const: null }, undefined, MORE, "const null was removed"],
  ["a const within the enum", { enum: [1, 2] }, { enum: [1, 2], const: 1 }, FEWER, "const no longer allows 2"],
  // ranges
  ["a higher minimum", { minimum: 0 }, { minimum: 1 }, FEWER, "minimum 1 instead of 0"],
  ["a lower minimum", { minimum: 0 }, { minimum: -1 }, MORE, "minimum -1 instead of 0"],
  ["a new minimum", { maximum: 9 }, { minimum: 0, maximum: 9 }, FEWER, "minimum 0 is new"],
  ["no minimum any more", { minimum: 0 }, undefined, MORE, "minimum 0 was removed"],
  ["a lower maximum", { maximum: 10 }, { maximum: 9.5 }, FEWER, "maximum 9.5 instead of 10"],
  ["a higher maximum", { maximum: 10 }, { maximum: 1e300 }, MORE, "maximum 1e+300 instead of 10"],
  ["an end left out", { minimum: 5 }, { exclusiveMinimum: 5 }, FEWER, "exclusiveMinimum 5 instead of minimum 5"],
  ["an end taken in", { exclusiveMaximum: 5 }, { maximum: 5 }, MORE, "maximum 5 instead of exclusiveMaximum 5"],
  ["a lower open end", { minimum: 5 }, { exclusiveMinimum: 4 }, MORE, "exclusiveMinimum 4 instead of minimum 5"],
  ["an idle second end", { minimum: 5 }, { minimum: 5, exclusiveMinimum: 3 }, SAME],
  [
    "a second end that binds",
    { maximum: 5 },
    { maximum: 5, exclusiveMaximum: 5 },
    FEWER,
    "exclusiveMaximum 5 instead of maximum 5",
  ],
  ["a moved range", { minimum: 0, maximum: 5 }, { minimum: 2, maximum: 9 }, FEWER, "minimum 2 instead of 0"],
  [
    "a wider range",
    { minimum: 1, maximum: 5 },
    { minimum: 0, maximum: 9 },
    MORE,
    "minimum 0 instead of 1",
    "maximum 9 instead of 5",
  ],
  [
    "a narrower range",
    { minimum: 0, maximum: 9 },
    { minimum: 1, maximum: 5 },
    FEWER,
    "minimum 1 instead of 0",
    "maximum 5 instead of 9",
  ],
  // multiples
  ["finer steps", { multipleOf: 2 }, { multipleOf: 1 }, MORE, "multipleOf 1 instead of 2"],
  ["coarser steps", { multipleOf: 2 }, { multipleOf: 4 }, FEWER, "multipleOf 4 instead of 2"],
  ["other steps", { multipleOf: 4 }, { multipleOf: 6 }, FEWER, "multipleOf 6 instead of 4"],
  ["steps in decimals", { multipleOf: 0.3 }, { multipleOf: 0.1 }, MORE, "multipleOf 0.1 instead of 0.3"],
  ["tiny steps", { multipleOf: 1 }, { multipleOf: 1e-7 }, MORE, "multipleOf 1e-7 instead of 1"],
  ["steps where none were", undefined, { multipleOf: 5 }, FEWER, "multipleOf 5 is new"],
  ["no steps any more", { multipleOf: 5 }, undefined, MORE, "multipleOf 5 was removed"],
  // lengths and items
  ["a longer text asked for", { minLength: 1 }, { minLength: 2 }, FEWER, "minLength 2 instead of 1"],
  ["a least length of 0", undefined, { minLength: 0 }, SAME],
  ["a shorter text", { maxLength: 8 }, { maxLength: 7 }, FEWER, "maxLength 7 instead of 8"],
  ["a longer text", { maxLength: 8 }, { maxLength: 80 }, MORE, "maxLength 80 instead of 8"],
  ["a most length", { minLength: 1 }, { minLength: 1, maxLength: 8 }, FEWER, "maxLength 8 is new"],
  ["no most length", { maxLength: 8 }, undefined, MORE, "maxLength 8 was removed"],
  ["more items asked for", { minItems: 1 }, { minItems: 2 }, FEWER, "minItems 2 instead of 1"],
  ["fewer items", { maxItems: 3 }, { maxItems: 2 }, FEWER, "maxItems 2 instead of 3"],
  ["more items", { maxItems: 2 }, { maxItems: 3 }, MORE, "maxItems 3 instead of 2"],
  // flags
  ["items that all differ", undefined, { uniqueItems: true }, FEWER, "uniqueItems true is new"],
  ["items that may be alike", { uniqueItems: true }, { uniqueItems: false }, MORE, "uniqueItems false instead of true"],
  ["a flag that says nothing", undefined, { uniqueItems: false }, SAME],
  ["unique", { unique: false }, { unique: true }, ADDED_UNIQUE, "unique"],
  ["unique no longer", { unique: true }, undefined, REMOVED_UNIQUE, "unique"],
  // what has no order
  ["a changed pattern", { pattern: "^a" }, { pattern: "^a*" }, UNCLEAR, 'pattern "^a*" instead of "^a"'],
  ["a new pattern", undefined, { pattern: ".*" }, FEWER, 'pattern ".*" is new'],
  ["no pattern any more", { pattern: "^a" }, undefined, MORE, 'pattern "^a" was removed'],
  ["a long pattern", { pattern: "x".repeat(99) }, undefined, MORE, `pattern "${"x".repeat(59)}… was removed`],
  ["another format", { format: "email" }, { format: "idn-email" }, UNCLEAR, 'format "idn-email" instead of "email"'],
  ["a new format", undefined, { format: "uri" }, FEWER, 'format "uri" is new'],
  ["no format any more", { format: "uri" }, undefined, MORE, 'format "uri" was removed'],
  [
    "another encoding",
    { contentEncoding: "base64" },
    { contentEncoding: "base32" },
    UNCLEAR,
    'contentEncoding "base32" instead of "base64"',
  ],
  [
    "another media type",
    { contentMediaType: "image/png" },
    { contentMediaType: "image/*" },
    UNCLEAR,
    'contentMediaType "image/*" instead of "image/png"',
  ],
  // what gives values a meaning
  ["another unit", { unit: "kg" }, { unit: "g" }, MEANING, 'unit "g" instead of "kg"'],
  ["a unit that is told", undefined, { unit: "kg" }, FIRST, 'unit "kg" is new'],
  ["a unit told no more", { unit: "kg" }, undefined, MEANING, 'unit "kg" was removed'],
  ["another default", { default: 1 }, { default: 2 }, DEFAULT, "default 2 instead of 1"],
  ["null as the default", undefined, { default: null }, SAME],
  ["no default any more", { default: "a" }, undefined, DEFAULT, 'default none instead of "a"'],
  // what says nothing about values
  ["other examples", { examples: [1] }, { examples: [2] }, DOCUMENTATION],
  // several at once: the most severe impact with its reasons
  [
    "wider and narrower",
    { enum: ["a"], maxLength: 9 },
    { enum: ["a", "b"], maxLength: 8 },
    FEWER,
    "maxLength 8 instead of 9",
  ],
  [
    "two of a kind",
    { pattern: "a", unit: "m" },
    { pattern: "b", unit: "s" },
    UNCLEAR,
    'pattern "b" instead of "a"',
    ['unit "s" instead of "m"', MEANING],
  ],
  ["wider, with examples", { maximum: 1 }, { maximum: 2, examples: [2] }, MORE, "maximum 2 instead of 1"],
  ["a range for an enum", { enum: [1, 2] }, { minimum: 1, maximum: 2 }, FEWER, "minimum 1 is new", "maximum 2 is new"],
];
