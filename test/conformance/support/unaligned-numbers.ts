import { countItemBytes } from "../../../shared/store/table/dynamo-rules.ts";

/** Tests for a number that takes one byte more than its digits, such as 0.015 and 120, unlike 0.15 and 12. */
export function isUnaligned(value: unknown): boolean {
  if (typeof value !== "number" || value === 0) return false;
  const [digits = "", exponent] = Math.abs(value).toExponential().split("e");
  const count = digits.replace(".", "").length;
  const [first, last] = [Number(exponent), Number(exponent) - count + 1];
  const straddles = first >= 0 && last < 0;
  const least = 1 + Math.ceil(count / 2) + (value < 0 ? 1 : 0);
  return !straddles && countItemBytes({ n: value }) - 1 !== least;
}
