import { countItemBytes } from "../../../shared/store/table/dynamo-rules.ts";

/**
 * True for a number that takes a byte more than its digits need, because all of them lie on one side of the point and no two
 * of them are a pair from there: 0.015 and 120, and not 0.15 and 12.
 */
export function isUnaligned(value: unknown): boolean {
  if (typeof value !== "number" || value === 0) return false;
  const [digits = "", exponent] = Math.abs(value).toExponential().split("e");
  const count = digits.replace(".", "").length;
  const [first, last] = [Number(exponent), Number(exponent) - count + 1];
  const straddles = first >= 0 && last < 0;
  const least = 1 + Math.ceil(count / 2) + (value < 0 ? 1 : 0);
  return !straddles && countItemBytes({ n: value }) - 1 !== least;
}
