interface Shapes {
  readonly number: number;
  /** Above 0. */
  readonly positive: number;
  readonly count: number;
  readonly flag: boolean;
  readonly line: string;
  readonly pattern: string;
  readonly value: unknown;
  readonly values: readonly unknown[];
  /** At least one value, without duplicates. */
  readonly choices: readonly unknown[];
}

export type Shape = keyof Shapes;

/** Effect of a keyword's value on the allowed values. */
export type Order =
  /** Lower bound of a range, set by two keywords together. */
  | "lower"
  /** Upper bound of a range. */
  | "upper"
  /** A greater value allows less. */
  | "least"
  /** A greater value allows more. */
  | "most"
  /** Multiples of the value are allowed. */
  | "divisor"
  /** Its members are allowed; two keywords work together. */
  | "set"
  /** `true` allows less than `false`, which has the same meaning as no value. */
  | "flag"
  /** `true` refuses duplicates. */
  | "uniqueness"
  /** Unordered: the effect of a change is unclear. */
  | "none"
  /** Gives values a meaning. Adding it is additive; changing or removing it is breaking. */
  | "meaning"
  /** The value of records that are written without one; see `assessDefault`. */
  | "fallback"
  /** No effect on the values. */
  | "silent";

interface Keyword {
  readonly shape: Shape;
  readonly order: Order;
  readonly text: string;
}

/** All keywords: those of JSON Schema validation 2020-12 with their standard meaning, and `unique` and `unit`. */
export const KEYWORDS = {
  enum: { shape: "choices", order: "set", text: "The values that are allowed" },
  const: { shape: "value", order: "set", text: "The only value that is allowed" },
  minimum: { shape: "number", order: "lower", text: "The smallest number" },
  maximum: { shape: "number", order: "upper", text: "The largest number" },
  exclusiveMinimum: { shape: "number", order: "lower", text: "The exclusive lower bound of numbers" },
  exclusiveMaximum: { shape: "number", order: "upper", text: "The exclusive upper bound of numbers" },
  multipleOf: { shape: "positive", order: "divisor", text: "The divisor of all numbers" },
  minLength: { shape: "count", order: "least", text: "The minimum number of characters of a text" },
  maxLength: { shape: "count", order: "most", text: "The maximum number of characters of a text" },
  pattern: {
    shape: "pattern",
    order: "none",
    text: "A regular expression that texts match; stored but never executed",
  },
  format: { shape: "line", order: "none", text: "The name of a format that texts have, such as `email`" },
  minItems: { shape: "count", order: "least", text: "The minimum number of items of a list" },
  maxItems: { shape: "count", order: "most", text: "The maximum number of items of a list" },
  uniqueItems: { shape: "flag", order: "flag", text: "True if the items of a list are unique" },
  default: { shape: "value", order: "fallback", text: "The default value" },
  examples: { shape: "values", order: "silent", text: "Example values" },
  contentEncoding: { shape: "line", order: "none", text: "The encoding of bytes in a text, such as `base64`" },
  contentMediaType: { shape: "line", order: "none", text: "The media type of the content of a text" },
  unique: { shape: "flag", order: "uniqueness", text: "True if all records of the entity have different values" },
  unit: { shape: "line", order: "meaning", text: "The unit of numbers, such as `kg`" },
} as const satisfies Readonly<Record<string, Keyword>>;

export type KeywordName = keyof typeof KEYWORDS;

export const KEYWORD_NAMES = Object.keys(KEYWORDS) as [KeywordName, ...KeywordName[]];

/** Constraints of an attribute: at least one keyword of JSON Schema with its value. */
export type Constraints = { readonly [K in KeywordName]?: Shapes[(typeof KEYWORDS)[K]["shape"]] };

/** Tests whether a text is the name of a keyword. */
export function isKeyword(name: string): name is KeywordName {
  return Object.hasOwn(KEYWORDS, name);
}

/** One bound of a range of numbers, with the keyword that sets it. */
export interface Bound {
  readonly keyword: "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum";
  readonly at: number;
  readonly isOpen: boolean;
}

/** Returns the effective lower bound: the higher one if two are given. */
export function findLowerBound({ minimum, exclusiveMinimum }: Constraints): Bound | undefined {
  return chooseBound(["minimum", minimum], ["exclusiveMinimum", exclusiveMinimum], (open, closed) => open >= closed);
}

/** Returns the effective upper bound: the lower one if two are given. */
export function findUpperBound({ maximum, exclusiveMaximum }: Constraints): Bound | undefined {
  return chooseBound(["maximum", maximum], ["exclusiveMaximum", exclusiveMaximum], (open, closed) => open <= closed);
}

type GivenBound = readonly [keyword: Bound["keyword"], at: number | undefined];

function chooseBound(
  [closedKeyword, closed]: GivenBound,
  [openKeyword, open]: GivenBound,
  isTighter: (open: number, closed: number) => boolean,
): Bound | undefined {
  if (open !== undefined && (closed === undefined || isTighter(open, closed))) {
    return { keyword: openKeyword, at: open, isOpen: true };
  }
  return closed === undefined ? undefined : { keyword: closedKeyword, at: closed, isOpen: false };
}
