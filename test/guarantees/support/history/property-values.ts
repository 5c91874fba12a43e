import type { Chance } from "../../../support/chance.ts";

/** Names of properties, few of them, so that calls meet each other; some that every object of JavaScript inherits. */
export const PROPERTY_NAMES = [
  ...["a", "b", "frictionless:missingValues", "dbt:meta", "toString", "hasOwnProperty", "a/b~c"],
];

const nested = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

const RIGHT: readonly unknown[] = [
  ...[null, "", "Sales", "null", 0, -1.5, 1e300, true, [], {}, ["", "NA", null]],
  { title: "T", path: "https://example.com/" },
  { path: "https://example.com/", title: "T" },
  { valueOf: { a: 1 }, b: [{ c: null }], constructor: 1, prototype: {} },
  nested(16),
];

const WRONG: readonly unknown[] = [
  "a\u001b[2J",
  ["a\u0000"],
  { "a\u0080": 1 },
  nested(17),
  { a: [{ b: "\u009f" }] },
  { constructor: [7], a: { constructor: { prototype: 1 } } },
];

const SCHEMAS: readonly unknown[] = [
  { type: "string" },
  { type: ["string", "null"], pattern: "^[A-Z]" },
  { type: "integer", minimum: 0, maximum: 10 },
  { enum: [null, "", { title: "T", path: "https://example.com/" }] },
  { type: "array", items: { type: ["string", "null"] } },
  {},
];

const NOT_SCHEMAS: readonly unknown[] = [
  7,
  { type: "text" },
  { properties: {} },
  { minimum: 2, maximum: 1 },
  { pattern: "(?=a)" },
  { items: { enum: [] } },
];

export function aSchema({ chance }: { readonly chance: Chance }): unknown {
  return chance.pick(chance.happens(0.05) ? NOT_SCHEMAS : SCHEMAS);
}

const LARGE: readonly unknown[] = ["x".repeat(30_000), { text: "é".repeat(20_000) }];

/** The value of a property: mostly one of a small stock, so that a value is set that is there already. */
export function aPropertyValue({ chance }: { readonly chance: Chance }): unknown {
  if (chance.happens(0.04)) return chance.pick(WRONG);
  return chance.pick(chance.happens(0.04) ? LARGE : RIGHT);
}

export function someProperties(chance: Chance): Readonly<Record<string, unknown>> {
  const names = PROPERTY_NAMES.filter(() => chance.happens(0.3));
  return Object.fromEntries(names.map((name) => [name, chance.pick(RIGHT)]));
}
