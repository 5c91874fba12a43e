import type { Surroundings } from "./surroundings.ts";

/** Constraints that differ in one thing and another, so that changes of them narrow, widen and both. */
const CONSTRAINTS: readonly object[] = [
  { enum: ["a", "b"] },
  { enum: ["b", "a", "c"], default: "a" },
  { const: "a" },
  { enum: [null, { b: 1, a: [2] }], const: { a: [2], b: 1 } },
  { minimum: 0, maximum: 10 },
  { exclusiveMinimum: 0, maximum: 9.5, multipleOf: 0.5, unit: "kg" },
  { minimum: 1, exclusiveMaximum: 10, multipleOf: 1, unit: "g" },
  { minLength: 1, maxLength: 8, pattern: "^[a-z]+$" },
  { minLength: 0, pattern: "^[a-c]+$", format: "email", examples: ["a@example.com"] },
  { format: "date", unique: true },
  { uniqueItems: true, minItems: 1, maxItems: 3 },
  { uniqueItems: false, contentEncoding: "base64", contentMediaType: "image/png" },
  { default: null, examples: [] },
  { const: { actor: "a", primaryKey: ["b"], type: `id:${"0".repeat(8)}-0000-7000-8000-${"0".repeat(12)}` } },
  { default: { constructor: 1, "": [true], toString: 1e300 } },
  { default: "long ".repeat(600) },
];

const NO_CONSTRAINTS: readonly unknown[] = [
  ...["minimum", [], {}, { minimun: 1 }],
  { minimum: "1", maximum: 2 },
  { minimum: 2, maximum: 1 },
  { exclusiveMinimum: 1, maximum: 1 },
  { minLength: 2, maxLength: 1, minItems: 3, maxItems: 2 },
  ...[{ minLength: -1 }, { maxItems: 1.5 }, { multipleOf: 0 }],
  ...[{ enum: [] }, { enum: [1, 2, 1] }, { enum: [1, 2], const: 3 }],
  { pattern: "x".repeat(1_001) },
  { format: "" },
  { unique: "yes", unit: 1 },
  { default: "x".repeat(32_000) },
];

/** Constraints of an attribute. */
export function someConstraints({ chance }: Surroundings): unknown {
  return chance.happens(0.08) ? chance.pick(NO_CONSTRAINTS) : chance.pick(CONSTRAINTS);
}

/** Constraints that a document may give an attribute, or none. */
export function documentConstraints({ chance }: Surroundings): { readonly constraints?: unknown } {
  return chance.happens(0.4) ? { constraints: chance.pick(CONSTRAINTS) } : {};
}
