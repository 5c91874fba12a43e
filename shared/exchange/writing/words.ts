import type { Constraints } from "../../domain/constraints/keywords.ts";
import { KEYWORDS, type KeywordName } from "../../domain/constraints/keywords.ts";
import type { Cardinality } from "../../domain/structure-types.ts";

/** Cardinalities as people read them. */
export const CARDINALITY_WORDS: Readonly<Record<Cardinality, string>> = {
  one: "exactly one",
  zeroOrOne: "at most one",
  many: "any number",
  unknown: "not known",
};

/** Constraints as people read them, one text for each keyword. */
export function constraintTexts(constraints: Constraints = {}): readonly string[] {
  return (Object.keys(KEYWORDS) as KeywordName[]).flatMap((keyword) => {
    const value = constraints[keyword];
    if (value === undefined) return [];
    if (typeof value === "boolean" && (keyword === "unique" || keyword === "uniqueItems"))
      return value ? [WORDS[keyword]] : [];
    return [`${WORDS[keyword]} ${shown(value)}`];
  });
}

function shown(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map((one) => JSON.stringify(one)).join(", ") : JSON.stringify(value);
}

const WORDS: Readonly<Record<KeywordName, string>> = {
  enum: "one of",
  const: "always",
  minimum: "at least",
  maximum: "at most",
  exclusiveMinimum: "more than",
  exclusiveMaximum: "less than",
  multipleOf: "a multiple of",
  minLength: "characters, at least",
  maxLength: "characters, at most",
  pattern: "pattern",
  format: "format",
  minItems: "items, at least",
  maxItems: "items, at most",
  uniqueItems: "no item twice",
  default: "default",
  examples: "for example",
  contentEncoding: "encoded as",
  contentMediaType: "of the media type",
  unique: "unique",
  unit: "unit",
};
