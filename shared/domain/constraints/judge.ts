import { type ChangeRule, DOCUMENTATION_ONLY, type Effect } from "../differences.ts";
import { isSameValue, toCanonicalJson } from "../text/json-values.ts";
import { shortenJson } from "./check.ts";
import {
  type Bound,
  type Constraints,
  findLowerBound,
  findUpperBound,
  KEYWORD_NAMES,
  KEYWORDS,
  type KeywordName,
  type Order,
} from "./keywords.ts";

/**
 * Judges a change of constraints, with an effect for each thing that they say otherwise than before: fewer values are
 * breaking, more are additive, and what cannot be told is breaking.
 */
export const assessConstraints: ChangeRule = (before, after) => {
  // The field has values of this type.
  const [was, is] = [(before ?? {}) as Constraints, (after ?? {}) as Constraints];
  const effects = [
    assessChoices(readChoices(was), readChoices(is)),
    assessBound(findLowerBound(was), findLowerBound(is), (a, b) => a > b),
    assessBound(findUpperBound(was), findUpperBound(is), (a, b) => a < b),
    ...KEYWORD_NAMES.map((name) => assessKeyword(name, was[name], is[name])),
  ].filter((effect) => effect !== undefined);
  return effects.length > 0 ? effects : [{ impact: "cosmetic", reason: "they say the same in other words" }];
};

const toNarrowedEffect = (said: string): Effect => ({
  impact: "breaking",
  reason: `${said}: fewer values are allowed`,
});
const toWidenedEffect = (said: string): Effect => ({ impact: "additive", reason: `${said}: more values are allowed` });

/** Judges a value of one order that became another one; either may be absent, but not both. */
type AssessKeyword = (was: unknown, is: unknown, said: string) => Effect | undefined;

/** The judge by numbers, where `absent` says as much as nothing. */
const createNumberRule =
  (absent: number, isLess: (is: number, was: number) => boolean): AssessKeyword =>
  (was = absent, is = absent, said) => {
    if (was === is) return undefined;
    return isLess(Number(is), Number(was)) ? toNarrowedEffect(said) : toWidenedEffect(said);
  };

/** The judges of keywords that are judged by themselves. */
const KEYWORD_RULES: { readonly [O in Exclude<Order, "lower" | "upper" | "set">]: AssessKeyword } = {
  least: createNumberRule(0, (is, was) => is > was),
  most: createNumberRule(Number.POSITIVE_INFINITY, (is, was) => is < was),
  divisor: (was, is, said) => {
    const allowsAll = is === undefined || (was !== undefined && isMultiple(Number(was), Number(is)));
    return allowsAll ? toWidenedEffect(said) : toNarrowedEffect(said);
  },
  flag: (was = false, is = false, said) => {
    if (was === is) return undefined;
    return is ? toNarrowedEffect(said) : toWidenedEffect(said);
  },
  none: (was, is, said) => {
    if (was === undefined) return toNarrowedEffect(said);
    if (is === undefined) return toWidenedEffect(said);
    return { impact: "breaking", reason: `${said}: cannot tell whether all former values are still allowed` };
  },
  meaning: (was, _, said) =>
    was === undefined
      ? { impact: "additive", reason: `${said}: what was left open is said now` }
      : { impact: "breaking", reason: `${said}: cannot tell whether values still mean the same` },
  silent: () => DOCUMENTATION_ONLY,
};

function assessKeyword(name: KeywordName, was: unknown, is: unknown): Effect | undefined {
  const { order } = KEYWORDS[name];
  if (order === "lower" || order === "upper" || order === "set" || isSameValue(was, is)) return undefined;
  const said = (value: unknown): KeywordText | undefined =>
    value === undefined ? undefined : [name, shortenJson(JSON.stringify(value))];
  return KEYWORD_RULES[order](was, is, describeChange(said(was), said(is)));
}

function assessBound(
  was: Bound | undefined,
  is: Bound | undefined,
  isTighter: (is: number, was: number) => boolean,
): Effect | undefined {
  const said = describeChange(was && [was.keyword, String(was.at)], is && [is.keyword, String(is.at)]);
  if (!was || !is) return was ? toWidenedEffect(said) : is && toNarrowedEffect(said);
  if (was.at === is.at && was.isOpen === is.isOpen) return undefined;
  return isTighter(is.at, was.at) || (is.at === was.at && is.isOpen) ? toNarrowedEffect(said) : toWidenedEffect(said);
}

/** The values that are allowed, each as canonical JSON, and the keyword that names them. */
interface Choices {
  readonly keyword: "enum" | "const";
  readonly values: ReadonlySet<string>;
}

function readChoices({ const: only, enum: all }: Constraints): Choices | undefined {
  // Where both are given, `enum` has the value as well.
  if (only !== undefined) return { keyword: "const", values: new Set([toCanonicalJson(only)]) };
  return all && { keyword: "enum", values: new Set(all.map(toCanonicalJson)) };
}

function assessChoices(was: Choices | undefined, is: Choices | undefined): Effect | undefined {
  if (!was || !is) {
    const said = describeChange(
      was && [was.keyword, formatValues(was.values)],
      is && [is.keyword, formatValues(is.values)],
    );
    return was ? toWidenedEffect(said) : is && toNarrowedEffect(said);
  }
  const gone = was.values.difference(is.values);
  if (gone.size > 0) return toNarrowedEffect(`${is.keyword} no longer allows ${formatValues(gone)}`);
  const added = is.values.difference(was.values);
  return added.size > 0 ? toWidenedEffect(`${is.keyword} allows ${formatValues(added)} as well`) : undefined;
}

/** A keyword with its value in words. */
type KeywordText = readonly [keyword: KeywordName, value: string];

/** The change of a keyword in words; either side may be absent. */
function describeChange(was: KeywordText | undefined, is: KeywordText | undefined): string {
  if (was && is) return `${is.join(" ")} instead of ${is[0] === was[0] ? was[1] : was.join(" ")}`;
  return is ? `${is.join(" ")} is new` : `${was?.join(" ")} is gone`;
}

function formatValues(values: ReadonlySet<string>): string {
  return shortenJson([...values].join(", "));
}

/** A number exactly as JSON writes it: `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** True where a number is a whole multiple of another one, counted in decimals: 0.3 is three times 0.1. */
export function isMultiple(of: number, divisor: number): boolean {
  const [a, b] = [parseDecimal(of), parseDecimal(divisor)];
  const least = Math.min(a.exponent, b.exponent);
  return scaleDecimal(a, least) % scaleDecimal(b, least) === 0n;
}

function parseDecimal(value: number): Decimal {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function scaleDecimal({ digits, exponent }: Decimal, least: number): bigint {
  return digits * 10n ** BigInt(exponent - least);
}
