import type { Impact } from "../../shared/domain/differences.ts";

/** A change of constraints with the impact and the sentences that a person gave it; undefined where there are none. */
export type JudgedPair = readonly [
  what: string,
  before: object | undefined,
  after: object | undefined,
  impact: Impact,
  ...reasons: (string | RegExp)[],
];

const FEWER = "fewer values are allowed";
const MORE = "more values are allowed";
const UNCLEAR = "it is unclear whether all former values are still allowed";
const MEANING = "it is unclear whether values still have the same meaning";
const SAME = "they have the same meaning";

/** Judged by hand, one by one; docs/constraints.md gives the rules. */
export const JUDGED_PAIRS: readonly JudgedPair[] = [
  // enum and const
  [
    "a tightened enum",
    { enum: ["a", "b", "c"] },
    { enum: ["a", "b"] },
    "breaking",
    `enum no longer allows "c": ${FEWER}`,
  ],
  ["a longer enum", { enum: ["a"] }, { enum: ["a", "b"] }, "additive", `enum allows "b" as well: ${MORE}`],
  [
    "one value for another",
    { enum: ["a", "b"] },
    { enum: ["a", "c"] },
    "breaking",
    `enum no longer allows "b": ${FEWER}`,
  ],
  ["an enum in another order", { enum: ["a", "b"] }, { enum: ["b", "a"] }, "cosmetic", SAME],
  ["an enum where none was", undefined, { enum: ["a"] }, "breaking", `enum "a" is new: ${FEWER}`],
  ["no enum any more", { enum: ["a"] }, undefined, "additive", `enum "a" was removed: ${MORE}`],
  ["1 and the text 1", { enum: [1] }, { enum: ["1"] }, "breaking", `enum no longer allows 1: ${FEWER}`],
  [
    "lists with other order",
    { enum: [[1, 2]] },
    { enum: [[2, 1]] },
    "breaking",
    `enum no longer allows [1,2]: ${FEWER}`,
  ],
  ["null no longer", { enum: ["a", null] }, { enum: ["a"] }, "breaking", `enum no longer allows null: ${FEWER}`],
  ["an enum for its const", { const: "a" }, { enum: ["a", "b"] }, "additive", `enum allows "b" as well: ${MORE}`],
  ["a const for its enum", { enum: ["a", "b"] }, { const: "a" }, "breaking", `const no longer allows "b": ${FEWER}`],
  ["a const for an enum of one", { enum: ["a"] }, { const: "a" }, "cosmetic", SAME],
  ["another const", { const: 1 }, { const: 2 }, "breaking", `const no longer allows 1: ${FEWER}`],
  ["a const where none was", undefined, { const: null }, "breaking", `const null is new: ${FEWER}`],
  ["no const any more", { const: null }, undefined, "additive", `const null was removed: ${MORE}`],
  [
    "a const within the enum",
    { enum: [1, 2] },
    { enum: [1, 2], const: 1 },
    "breaking",
    `const no longer allows 2: ${FEWER}`,
  ],
  // ranges
  ["a higher minimum", { minimum: 0 }, { minimum: 1 }, "breaking", `minimum 1 instead of 0: ${FEWER}`],
  ["a lower minimum", { minimum: 0 }, { minimum: -1 }, "additive", `minimum -1 instead of 0: ${MORE}`],
  ["a new minimum", { maximum: 9 }, { minimum: 0, maximum: 9 }, "breaking", `minimum 0 is new: ${FEWER}`],
  ["no minimum any more", { minimum: 0 }, undefined, "additive", `minimum 0 was removed: ${MORE}`],
  ["a lower maximum", { maximum: 10 }, { maximum: 9.5 }, "breaking", `maximum 9.5 instead of 10: ${FEWER}`],
  ["a higher maximum", { maximum: 10 }, { maximum: 1e300 }, "additive", `maximum 1e+300 instead of 10: ${MORE}`],
  [
    "an end left out",
    { minimum: 5 },
    { exclusiveMinimum: 5 },
    "breaking",
    `exclusiveMinimum 5 instead of minimum 5: ${FEWER}`,
  ],
  [
    "an end taken in",
    { exclusiveMaximum: 5 },
    { maximum: 5 },
    "additive",
    `maximum 5 instead of exclusiveMaximum 5: ${MORE}`,
  ],
  [
    "a lower open end",
    { minimum: 5 },
    { exclusiveMinimum: 4 },
    "additive",
    `exclusiveMinimum 4 instead of minimum 5: ${MORE}`,
  ],
  ["an idle second end", { minimum: 5 }, { minimum: 5, exclusiveMinimum: 3 }, "cosmetic", SAME],
  [
    "a second end that binds",
    { maximum: 5 },
    { maximum: 5, exclusiveMaximum: 5 },
    "breaking",
    `exclusiveMaximum 5 instead of maximum 5: ${FEWER}`,
  ],
  [
    "a moved range",
    { minimum: 0, maximum: 5 },
    { minimum: 2, maximum: 9 },
    "breaking",
    `minimum 2 instead of 0: ${FEWER}`,
  ],
  [
    "a wider range",
    { minimum: 1, maximum: 5 },
    { minimum: 0, maximum: 9 },
    "additive",
    `minimum 0 instead of 1: ${MORE}`,
    `maximum 9 instead of 5: ${MORE}`,
  ],
  [
    "a narrower range",
    { minimum: 0, maximum: 9 },
    { minimum: 1, maximum: 5 },
    "breaking",
    `minimum 1 instead of 0: ${FEWER}`,
    `maximum 5 instead of 9: ${FEWER}`,
  ],
  // multiples
  ["finer steps", { multipleOf: 2 }, { multipleOf: 1 }, "additive", `multipleOf 1 instead of 2: ${MORE}`],
  ["coarser steps", { multipleOf: 2 }, { multipleOf: 4 }, "breaking", `multipleOf 4 instead of 2: ${FEWER}`],
  ["other steps", { multipleOf: 4 }, { multipleOf: 6 }, "breaking", `multipleOf 6 instead of 4: ${FEWER}`],
  ["steps in decimals", { multipleOf: 0.3 }, { multipleOf: 0.1 }, "additive", `multipleOf 0.1 instead of 0.3: ${MORE}`],
  ["tiny steps", { multipleOf: 1 }, { multipleOf: 1e-7 }, "additive", `multipleOf 1e-7 instead of 1: ${MORE}`],
  ["steps where none were", undefined, { multipleOf: 5 }, "breaking", `multipleOf 5 is new: ${FEWER}`],
  ["no steps any more", { multipleOf: 5 }, undefined, "additive", `multipleOf 5 was removed: ${MORE}`],
  // lengths and items
  ["a longer text asked for", { minLength: 1 }, { minLength: 2 }, "breaking", `minLength 2 instead of 1: ${FEWER}`],
  ["a least length of 0", undefined, { minLength: 0 }, "cosmetic", SAME],
  ["a shorter text", { maxLength: 8 }, { maxLength: 7 }, "breaking", `maxLength 7 instead of 8: ${FEWER}`],
  ["a longer text", { maxLength: 8 }, { maxLength: 80 }, "additive", `maxLength 80 instead of 8: ${MORE}`],
  ["a most length", { minLength: 1 }, { minLength: 1, maxLength: 8 }, "breaking", `maxLength 8 is new: ${FEWER}`],
  ["no most length", { maxLength: 8 }, undefined, "additive", `maxLength 8 was removed: ${MORE}`],
  ["more items asked for", { minItems: 1 }, { minItems: 2 }, "breaking", `minItems 2 instead of 1: ${FEWER}`],
  ["fewer items", { maxItems: 3 }, { maxItems: 2 }, "breaking", `maxItems 2 instead of 3: ${FEWER}`],
  ["more items", { maxItems: 2 }, { maxItems: 3 }, "additive", `maxItems 3 instead of 2: ${MORE}`],
  // flags
  ["items that all differ", undefined, { uniqueItems: true }, "breaking", `uniqueItems true is new: ${FEWER}`],
  [
    "items that may be alike",
    { uniqueItems: true },
    { uniqueItems: false },
    "additive",
    `uniqueItems false instead of true: ${MORE}`,
  ],
  ["a flag that says nothing", undefined, { uniqueItems: false }, "cosmetic", SAME],
  ["unique", { unique: false }, { unique: true }, "breaking", `unique true instead of false: ${FEWER}`],
  ["unique no longer", { unique: true }, undefined, "additive", `unique true was removed: ${MORE}`],
  // what has no order
  ["a changed pattern", { pattern: "^a" }, { pattern: "^a*" }, "breaking", `pattern "^a*" instead of "^a": ${UNCLEAR}`],
  ["a new pattern", undefined, { pattern: ".*" }, "breaking", `pattern ".*" is new: ${FEWER}`],
  ["no pattern any more", { pattern: "^a" }, undefined, "additive", `pattern "^a" was removed: ${MORE}`],
  ["a long pattern", { pattern: "x".repeat(99) }, undefined, "additive", /^pattern "x{59}… was removed: /],
  [
    "another format",
    { format: "email" },
    { format: "idn-email" },
    "breaking",
    `format "idn-email" instead of "email": ${UNCLEAR}`,
  ],
  ["a new format", undefined, { format: "uri" }, "breaking", `format "uri" is new: ${FEWER}`],
  ["no format any more", { format: "uri" }, undefined, "additive", `format "uri" was removed: ${MORE}`],
  [
    "another encoding",
    { contentEncoding: "base64" },
    { contentEncoding: "base32" },
    "breaking",
    `contentEncoding "base32" instead of "base64": ${UNCLEAR}`,
  ],
  [
    "another media type",
    { contentMediaType: "image/png" },
    { contentMediaType: "image/*" },
    "breaking",
    `contentMediaType "image/*" instead of "image/png": ${UNCLEAR}`,
  ],
  // what gives values a meaning
  ["another unit", { unit: "kg" }, { unit: "g" }, "breaking", `unit "g" instead of "kg": ${MEANING}`],
  ["a unit that is told", undefined, { unit: "kg" }, "additive", 'unit "kg" is new: it was not specified before'],
  ["a unit told no more", { unit: "kg" }, undefined, "breaking", `unit "kg" was removed: ${MEANING}`],
  ["another default", { default: 1 }, { default: 2 }, "breaking", `default 2 instead of 1: ${MEANING}`],
  ["null as the default", undefined, { default: null }, "additive", "default null is new: it was not specified before"],
  ["no default any more", { default: null }, undefined, "breaking", `default null was removed: ${MEANING}`],
  // what says nothing about values
  ["other examples", { examples: [1] }, { examples: [2] }, "cosmetic", "documentation only"],
  // several at once: the gravest impact with its reasons
  [
    "wider and narrower",
    { enum: ["a"], maxLength: 9 },
    { enum: ["a", "b"], maxLength: 8 },
    "breaking",
    `maxLength 8 instead of 9: ${FEWER}`,
  ],
  [
    "two of a kind",
    { pattern: "a", unit: "m" },
    { pattern: "b", unit: "s" },
    "breaking",
    `pattern "b" instead of "a": ${UNCLEAR}`,
    `unit "s" instead of "m": ${MEANING}`,
  ],
  [
    "wider, with examples",
    { maximum: 1 },
    { maximum: 2, examples: [2] },
    "additive",
    `maximum 2 instead of 1: ${MORE}`,
  ],
  [
    "a range for an enum",
    { enum: [1, 2] },
    { minimum: 1, maximum: 2 },
    "breaking",
    `minimum 1 is new: ${FEWER}`,
    `maximum 2 is new: ${FEWER}`,
  ],
];
