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

/** Assesses each change of constraints: allowing fewer values is breaking, more is additive. */
export const assessConstraints: ChangeRule = (before, after) => {
  // The field has values of this type.
  const [was, is] = [(before ?? {}) as Constraints, (after ?? {}) as Constraints];
  const effects = [
    assessChoices(readChoices(was), readChoices(is)),
    assessBound(findLowerBound(was), findLowerBound(is), (a, b) => a > b),
    assessBound(findUpperBound(was), findUpperBound(is), (a, b) => a < b),
    ...KEYWORD_NAMES.map((name) => assessKeyword(name, was[name], is[name])),
  ].filter((effect) => effect !== undefined);
  return effects.length > 0 ? effects : [{ impact: "cosmetic", reason: "they have the same meaning" }];
};

const toNarrowedEffect = (text: string): Effect => ({
  impact: "breaking",
  reason: `${text}: fewer values are allowed`,
});
const toWidenedEffect = (text: string): Effect => ({ impact: "additive", reason: `${text}: more values are allowed` });

type AssessKeyword = (was: unknown, is: unknown, text: string) => Effect | undefined;

const createNumberRule =
  (absent: number, isLess: (is: number, was: number) => boolean): AssessKeyword =>
  (was = absent, is = absent, text) => {
    if (was === is) return undefined;
    return isLess(Number(is), Number(was)) ? toNarrowedEffect(text) : toWidenedEffect(text);
  };

const KEYWORD_RULES: { readonly [O in Exclude<Order, "lower" | "upper" | "set">]: AssessKeyword } = {
  least: createNumberRule(0, (is, was) => is > was),
  most: createNumberRule(Number.POSITIVE_INFINITY, (is, was) => is < was),
  divisor: (was, is, text) => {
    const allowsAll = is === undefined || (was !== undefined && isMultiple(Number(was), Number(is)));
    return allowsAll ? toWidenedEffect(text) : toNarrowedEffect(text);
  },
  flag: (was = false, is = false, text) => {
    if (was === is) return undefined;
    return is ? toNarrowedEffect(text) : toWidenedEffect(text);
  },
  none: (was, is, text) => {
    if (was === undefined) return toNarrowedEffect(text);
    if (is === undefined) return toWidenedEffect(text);
    return { impact: "breaking", reason: `${text}: it is unclear whether all former values are still allowed` };
  },
  meaning: (was, _, text) =>
    was === undefined
      ? { impact: "additive", reason: `${text}: it was not specified before` }
      : { impact: "breaking", reason: `${text}: it is unclear whether values still have the same meaning` },
  silent: () => DOCUMENTATION_ONLY,
};

function assessKeyword(name: KeywordName, was: unknown, is: unknown): Effect | undefined {
  const { order } = KEYWORDS[name];
  if (order === "lower" || order === "upper" || order === "set" || isSameValue(was, is)) return undefined;
  const toText = (value: unknown): KeywordText | undefined =>
    value === undefined ? undefined : [name, shortenJson(JSON.stringify(value))];
  return KEYWORD_RULES[order](was, is, describeChange(toText(was), toText(is)));
}

function assessBound(
  was: Bound | undefined,
  is: Bound | undefined,
  isTighter: (is: number, was: number) => boolean,
): Effect | undefined {
  const text = describeChange(was && [was.keyword, String(was.at)], is && [is.keyword, String(is.at)]);
  if (!was || !is) return was ? toWidenedEffect(text) : is && toNarrowedEffect(text);
  if (was.at === is.at && was.isOpen === is.isOpen) return undefined;
  return isTighter(is.at, was.at) || (is.at === was.at && is.isOpen) ? toNarrowedEffect(text) : toWidenedEffect(text);
}

interface Choices {
  readonly keyword: "enum" | "const";
  readonly values: ReadonlySet<string>;
}

function readChoices({ const: only, enum: all }: Constraints): Choices | undefined {
  // If both are given, `enum` contains the value of `const`.
  if (only !== undefined) return { keyword: "const", values: new Set([toCanonicalJson(only)]) };
  return all && { keyword: "enum", values: new Set(all.map(toCanonicalJson)) };
}

function assessChoices(was: Choices | undefined, is: Choices | undefined): Effect | undefined {
  if (!was || !is) {
    const text = describeChange(
      was && [was.keyword, formatValues(was.values)],
      is && [is.keyword, formatValues(is.values)],
    );
    return was ? toWidenedEffect(text) : is && toNarrowedEffect(text);
  }
  const gone = was.values.difference(is.values);
  if (gone.size > 0) return toNarrowedEffect(`${is.keyword} no longer allows ${formatValues(gone)}`);
  const added = is.values.difference(was.values);
  return added.size > 0 ? toWidenedEffect(`${is.keyword} allows ${formatValues(added)} as well`) : undefined;
}

type KeywordText = readonly [keyword: KeywordName, value: string];

function describeChange(was: KeywordText | undefined, is: KeywordText | undefined): string {
  if (was && is) return `${is.join(" ")} instead of ${is[0] === was[0] ? was[1] : was.join(" ")}`;
  return is ? `${is.join(" ")} is new` : `${was?.join(" ")} was removed`;
}

function formatValues(values: ReadonlySet<string>): string {
  return shortenJson([...values].join(", "));
}

/** Number exactly as in JSON: `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Tests whether a number is an integer multiple of another, in decimal arithmetic: 0.3 is three times 0.1. */
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
