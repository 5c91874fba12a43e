import { toEffect } from "../change-kinds.ts";
import type { Effect } from "../differences.ts";
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

/** Assesses each change of constraints, except that of the default: allowing fewer values is breaking, more is additive. */
export function assessConstraints(before: Constraints, after: Constraints): readonly Effect[] {
  const effects = [
    assessChoices(readChoices(before), readChoices(after)),
    assessBound(findLowerBound(before), findLowerBound(after), (a, b) => a > b),
    assessBound(findUpperBound(before), findUpperBound(after), (a, b) => a < b),
    ...KEYWORD_NAMES.map((name) => assessKeyword(name, before[name], after[name])),
  ].filter((effect) => effect !== undefined);
  return effects.length > 0 ? effects : [toEffect("valuesUnchanged")];
}

const toNarrowedEffect = (text: string) => toEffect("valuesNarrowed", text);
const toWidenedEffect = (text: string) => toEffect("valuesWidened", text);

type AssessKeyword = (before: unknown, after: unknown, text: string) => Effect | undefined;

const createNumberRule =
  (absent: number, isLess: (after: number, before: number) => boolean): AssessKeyword =>
  (before = absent, after = absent, text) => {
    if (before === after) return undefined;
    return isLess(Number(after), Number(before)) ? toNarrowedEffect(text) : toWidenedEffect(text);
  };

const KEYWORD_RULES: { readonly [O in Exclude<Order, "lower" | "upper" | "set" | "fallback">]: AssessKeyword } = {
  least: createNumberRule(0, (after, before) => after > before),
  most: createNumberRule(Number.POSITIVE_INFINITY, (after, before) => after < before),
  divisor: (before, after, text) => {
    const allowsAll = after === undefined || (before !== undefined && isMultiple(Number(before), Number(after)));
    return allowsAll ? toWidenedEffect(text) : toNarrowedEffect(text);
  },
  flag: (before = false, after = false, text) => {
    if (before === after) return undefined;
    return after ? toNarrowedEffect(text) : toWidenedEffect(text);
  },
  uniqueness: (before = false, after = false) =>
    before === after ? undefined : toEffect(after ? "addedUnique" : "removedUnique", "unique"),
  none: (before, after, text) => {
    if (before === undefined) return toNarrowedEffect(text);
    if (after === undefined) return toWidenedEffect(text);
    return toEffect("valuesUnclear", text);
  },
  meaning: (before, _, text) => toEffect(before === undefined ? "meaningAdded" : "meaningUnclear", text),
  silent: () => toEffect("documentationChanged"),
};

function assessKeyword(name: KeywordName, before: unknown, after: unknown): Effect | undefined {
  const { order }: { readonly order: Order } = KEYWORDS[name];
  if (order === "lower" || order === "upper" || order === "set" || order === "fallback" || isSameValue(before, after))
    return undefined;
  const toText = (value: unknown): KeywordText | undefined =>
    value === undefined ? undefined : [name, shortenJson(JSON.stringify(value))];
  return KEYWORD_RULES[order](before, after, describeChange(toText(before), toText(after)));
}

function assessBound(
  a: Bound | undefined,
  b: Bound | undefined,
  isTighter: (after: number, before: number) => boolean,
): Effect | undefined {
  const text = describeChange(a && [a.keyword, String(a.at)], b && [b.keyword, String(b.at)]);
  if (!a || !b) return a ? toWidenedEffect(text) : b && toNarrowedEffect(text);
  if (a.at === b.at && a.isOpen === b.isOpen) return undefined;
  return isTighter(b.at, a.at) || (b.at === a.at && b.isOpen) ? toNarrowedEffect(text) : toWidenedEffect(text);
}

interface Choices {
  readonly keyword: "enum" | "const";
  readonly values: ReadonlySet<string>;
}

function readChoices({ const: value, enum: all }: Constraints): Choices | undefined {
  // If both are given, `enum` contains the value of `const`.
  if (value !== undefined) return { keyword: "const", values: new Set([toCanonicalJson(value)]) };
  return all && { keyword: "enum", values: new Set(all.map(toCanonicalJson)) };
}

function assessChoices(before: Choices | undefined, after: Choices | undefined): Effect | undefined {
  if (!before || !after) {
    const text = describeChange(
      before && [before.keyword, formatValues(before.values)],
      after && [after.keyword, formatValues(after.values)],
    );
    return before ? toWidenedEffect(text) : after && toNarrowedEffect(text);
  }
  const removals = before.values.difference(after.values);
  if (removals.size > 0) return toNarrowedEffect(`${after.keyword} no longer allows ${formatValues(removals)}`);
  const additions = after.values.difference(before.values);
  return additions.size > 0 ? toWidenedEffect(`${after.keyword} allows ${formatValues(additions)} as well`) : undefined;
}

type KeywordText = readonly [keyword: KeywordName, value: string];

function describeChange(before: KeywordText | undefined, after: KeywordText | undefined) {
  if (before && after) return `${after.join(" ")} instead of ${after[0] === before[0] ? before[1] : before.join(" ")}`;
  return after ? `${after.join(" ")} is new` : `${before?.join(" ")} was removed`;
}

function formatValues(values: ReadonlySet<string>) {
  return shortenJson([...values].join(", "));
}

/** Number exactly as in JSON: `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Tests whether a number is an integer multiple of another, in decimal arithmetic: 0.3 is three times 0.1. */
export function isMultiple(value: number, divisor: number): boolean {
  const [a, b] = [parseDecimal(value), parseDecimal(divisor)];
  const least = Math.min(a.exponent, b.exponent);
  return scaleDecimal(a, least) % scaleDecimal(b, least) === 0n;
}

function parseDecimal(value: number): Decimal {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [integer = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(integer + fraction), exponent: Number(exponent) - fraction.length };
}

function scaleDecimal({ digits, exponent }: Decimal, least: number): bigint {
  return digits * 10n ** BigInt(exponent - least);
}
