/** The JSON form of a keyword's value, as TypeScript sees it. */
interface Shapes {
  readonly number: number;
  /** Above 0. */
  readonly positive: number;
  /** A whole number that is not negative. */
  readonly count: number;
  readonly flag: boolean;
  /** One line of text. */
  readonly line: string;
  readonly pattern: string;
  /** Any JSON. */
  readonly value: unknown;
  readonly values: readonly unknown[];
  /** One value at least, and no two alike. */
  readonly choices: readonly unknown[];
}

export type Shape = keyof Shapes;

/** How two values of a keyword are ordered by what they allow. */
export type Order =
  /** The lower end of a range, which two keywords set together. */
  | "lower"
  /** The upper end of one. */
  | "upper"
  /** A greater value allows less. */
  | "least"
  /** A greater value allows more. */
  | "most"
  /** A value allows its multiples. */
  | "divisor"
  /** What is in it is allowed; two keywords say it together. */
  | "set"
  /** `true` allows less than `false`, which says as much as nothing. */
  | "flag"
  /** Not at all: whether another value allows more or less cannot be told. */
  | "none"
  /** It gives a meaning to values instead of allowing them: new it tells more, changed or gone it misleads. */
  | "meaning"
  /** It says nothing about values. */
  | "silent";

/** A keyword of constraints as plain data. */
interface Keyword {
  readonly shape: Shape;
  readonly order: Order;
  /** A sentence for people, without an end. */
  readonly text: string;
}

/** Every keyword of constraints: those of JSON Schema validation 2020-12, with its meaning of them, and two of our own. */
export const KEYWORDS = {
  enum: { shape: "choices", order: "set", text: "The values that are allowed" },
  const: { shape: "value", order: "set", text: "The only value that is allowed" },
  minimum: { shape: "number", order: "lower", text: "The smallest number" },
  maximum: { shape: "number", order: "upper", text: "The largest number" },
  exclusiveMinimum: { shape: "number", order: "lower", text: "A number that all are larger than" },
  exclusiveMaximum: { shape: "number", order: "upper", text: "A number that all are smaller than" },
  multipleOf: { shape: "positive", order: "divisor", text: "A number that all are multiples of" },
  minLength: { shape: "count", order: "least", text: "The fewest characters of a text" },
  maxLength: { shape: "count", order: "most", text: "The most characters of a text" },
  pattern: { shape: "pattern", order: "none", text: "A regular expression that texts match; kept, never run" },
  format: { shape: "line", order: "none", text: "The name of a format that texts have, such as `email`" },
  minItems: { shape: "count", order: "least", text: "The fewest items of a list" },
  maxItems: { shape: "count", order: "most", text: "The most items of a list" },
  uniqueItems: { shape: "flag", order: "flag", text: "Whether no two items of a list are alike" },
  default: { shape: "value", order: "meaning", text: "The value that is meant where none is given" },
  examples: { shape: "values", order: "silent", text: "Values for people to see" },
  contentEncoding: { shape: "line", order: "none", text: "How a text encodes bytes, such as `base64`" },
  contentMediaType: { shape: "line", order: "none", text: "The media type of what a text holds" },
  unique: { shape: "flag", order: "flag", text: "Whether no two records of the entity have the same value" },
  unit: { shape: "line", order: "meaning", text: "The unit that numbers are in, such as `kg`" },
} as const satisfies Readonly<Record<string, Keyword>>;

export type KeywordName = keyof typeof KEYWORDS;

/** The names of all keywords, in the order of pages. */
export const KEYWORD_NAMES = Object.keys(KEYWORDS) as [KeywordName, ...KeywordName[]];

/** The values that an attribute may have, in the vocabulary of JSON Schema; at least one keyword. */
export type Constraints = { readonly [K in KeywordName]?: Shapes[(typeof KEYWORDS)[K]["shape"]] };

/** True for the name of a keyword. */
export function isKeyword(name: string): name is KeywordName {
  return Object.hasOwn(KEYWORDS, name);
}

/** One end of a range of numbers, with the keyword that sets it. */
export interface Bound {
  readonly keyword: "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum";
  readonly at: number;
  /** True where the number itself is left out. */
  readonly isOpen: boolean;
}

/** The lower end of the numbers that are allowed: the higher of the two that may be given. */
export function findLowerBound({ minimum, exclusiveMinimum }: Constraints): Bound | undefined {
  if (exclusiveMinimum !== undefined && (minimum === undefined || exclusiveMinimum >= minimum)) {
    return { keyword: "exclusiveMinimum", at: exclusiveMinimum, isOpen: true };
  }
  return minimum === undefined ? undefined : { keyword: "minimum", at: minimum, isOpen: false };
}

/** The upper end of the numbers that are allowed: the lower of the two that may be given. */
export function findUpperBound({ maximum, exclusiveMaximum }: Constraints): Bound | undefined {
  if (exclusiveMaximum !== undefined && (maximum === undefined || exclusiveMaximum <= maximum)) {
    return { keyword: "exclusiveMaximum", at: exclusiveMaximum, isOpen: true };
  }
  return maximum === undefined ? undefined : { keyword: "maximum", at: maximum, isOpen: false };
}
