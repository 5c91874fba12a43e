import { type ChangeRule, type Effect, UNSEEN_BY_PROGRAMS } from "../differences.ts";
import { canonicalJson, sameValue } from "../text/json-values.ts";
import { shown } from "./check.ts";
import {
  type Bound,
  type Constraints,
  KEYWORD_NAMES,
  KEYWORDS,
  type KeywordName,
  lowerBound,
  type Order,
  upperBound,
} from "./keywords.ts";

/**
 * Judges a change of constraints, with an effect for each thing that they say otherwise than before: fewer values are
 * breaking, more are additive, and what cannot be told is breaking.
 */
export const judgeConstraints: ChangeRule = (before, after) => {
  // The field has values of this type.
  const [was, is] = [(before ?? {}) as Constraints, (after ?? {}) as Constraints];
  const effects = [
    choicesEffect(choicesOf(was), choicesOf(is)),
    boundEffect(lowerBound(was), lowerBound(is), (a, b) => a > b),
    boundEffect(upperBound(was), upperBound(is), (a, b) => a < b),
    ...KEYWORD_NAMES.map((name) => keywordEffect(name, was[name], is[name])),
  ].filter((effect) => effect !== undefined);
  return effects.length > 0 ? effects : [{ impact: "cosmetic", reason: "they say the same in other words" }];
};

const fewer = (said: string): Effect => ({ impact: "breaking", reason: `${said}: fewer values are allowed` });
const more = (said: string): Effect => ({ impact: "additive", reason: `${said}: more values are allowed` });

/** Judges a value of one order that became another one; either may be absent, but not both. */
type Judge = (was: unknown, is: unknown, said: string) => Effect | undefined;

/** The judge by numbers, where `absent` says as much as nothing. */
const byNumber =
  (absent: number, isLess: (is: number, was: number) => boolean): Judge =>
  (was = absent, is = absent, said) => {
    if (was === is) return undefined;
    return isLess(Number(is), Number(was)) ? fewer(said) : more(said);
  };

/** The judges of keywords that are judged by themselves. */
const JUDGES: { readonly [O in Exclude<Order, "lower" | "upper" | "set">]: Judge } = {
  least: byNumber(0, (is, was) => is > was),
  most: byNumber(Number.POSITIVE_INFINITY, (is, was) => is < was),
  divisor: (was, is, said) => {
    const allowsAll = is === undefined || (was !== undefined && isMultiple(Number(was), Number(is)));
    return allowsAll ? more(said) : fewer(said);
  },
  flag: (was = false, is = false, said) => {
    if (was === is) return undefined;
    return is ? fewer(said) : more(said);
  },
  none: (was, is, said) => {
    if (was === undefined) return fewer(said);
    if (is === undefined) return more(said);
    return { impact: "breaking", reason: `${said}: cannot tell whether all former values are still allowed` };
  },
  meaning: (was, _, said) =>
    was === undefined
      ? { impact: "additive", reason: `${said}: what was left open is said now` }
      : { impact: "breaking", reason: `${said}: cannot tell whether values still mean the same` },
  silent: () => UNSEEN_BY_PROGRAMS,
};

function keywordEffect(name: KeywordName, was: unknown, is: unknown): Effect | undefined {
  const { order } = KEYWORDS[name];
  if (order === "lower" || order === "upper" || order === "set" || sameValue(was, is)) return undefined;
  const said = (value: unknown): Said | undefined =>
    value === undefined ? undefined : [name, shown(JSON.stringify(value))];
  return JUDGES[order](was, is, changed(said(was), said(is)));
}

function boundEffect(
  was: Bound | undefined,
  is: Bound | undefined,
  isTighter: (is: number, was: number) => boolean,
): Effect | undefined {
  const said = changed(was && [was.keyword, String(was.at)], is && [is.keyword, String(is.at)]);
  if (!was || !is) return was ? more(said) : is && fewer(said);
  if (was.at === is.at && was.isOpen === is.isOpen) return undefined;
  return isTighter(is.at, was.at) || (is.at === was.at && is.isOpen) ? fewer(said) : more(said);
}

/** The values that are allowed, each as canonical JSON, and the keyword that names them. */
interface Choices {
  readonly keyword: "enum" | "const";
  readonly values: ReadonlySet<string>;
}

function choicesOf({ const: only, enum: all }: Constraints): Choices | undefined {
  // Where both are given, `enum` has the value as well.
  if (only !== undefined) return { keyword: "const", values: new Set([canonicalJson(only)]) };
  return all && { keyword: "enum", values: new Set(all.map(canonicalJson)) };
}

function choicesEffect(was: Choices | undefined, is: Choices | undefined): Effect | undefined {
  if (!was || !is) {
    const said = changed(was && [was.keyword, listed(was.values)], is && [is.keyword, listed(is.values)]);
    return was ? more(said) : is && fewer(said);
  }
  const gone = was.values.difference(is.values);
  if (gone.size > 0) return fewer(`${is.keyword} no longer allows ${listed(gone)}`);
  const added = is.values.difference(was.values);
  return added.size > 0 ? more(`${is.keyword} allows ${listed(added)} as well`) : undefined;
}

/** A keyword with its value in words. */
type Said = readonly [keyword: KeywordName, value: string];

/** The change of a keyword in words; either side may be absent. */
function changed(was: Said | undefined, is: Said | undefined): string {
  if (was && is) return `${is.join(" ")} instead of ${is[0] === was[0] ? was[1] : was.join(" ")}`;
  return is ? `${is.join(" ")} is new` : `${was?.join(" ")} is gone`;
}

function listed(values: ReadonlySet<string>): string {
  return shown([...values].join(", "));
}

/** A number exactly as JSON writes it: `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** True where a number is a whole multiple of another one, counted in decimals: 0.3 is three times 0.1. */
export function isMultiple(of: number, divisor: number): boolean {
  const [a, b] = [decimalOf(of), decimalOf(divisor)];
  const least = Math.min(a.exponent, b.exponent);
  return scaled(a, least) % scaled(b, least) === 0n;
}

function decimalOf(value: number): Decimal {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function scaled({ digits, exponent }: Decimal, least: number): bigint {
  return digits * 10n ** BigInt(exponent - least);
}
