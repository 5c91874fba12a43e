import type { JsonObject } from "./json-object.ts";

/** A database type: name without arguments, constraints of the arguments, and other facts. */
export interface ParsedSqlType {
  readonly type: string;
  readonly constraints: JsonObject;
  /** `precision` and `scale` of a number, or `arguments` of other types. */
  readonly rest: JsonObject;
}

const TEXTS = /char|text|string|binary|varying/i;
const NUMBERS = /^(dec|decimal|numeric|number|bignumeric)$/i;

/** Parses a type: `varchar(160)` is the type `varchar` with `maxLength` 160. */
export function parseSqlType(text: string): ParsedSqlType {
  const [, name = "", list = "", after = ""] = /^\s*([^()[\]]+?)\s*[([]([^()[\]]*)[)\]]\s*(.*)$/s.exec(text) ?? [];
  if (list.trim() === "") return { type: text.trim(), constraints: {}, rest: {} };
  const type = [name, after.trim()].filter(Boolean).join(" ");
  const numbers = list.split(",").map((one) => Number(one.trim()));
  const [first = Number.NaN, second] = numbers;
  const areCounts = numbers.every((one) => Number.isSafeInteger(one) && one >= 0);
  if (areCounts && numbers.length === 1 && TEXTS.test(name))
    return { type, constraints: { maxLength: first }, rest: {} };
  if (areCounts && numbers.length <= 2 && NUMBERS.test(name)) {
    return { type, constraints: {}, rest: { precision: first, ...(second !== undefined && { scale: second }) } };
  }
  return { type, constraints: {}, rest: { arguments: list.trim() } };
}
