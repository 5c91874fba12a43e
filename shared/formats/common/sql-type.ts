import type { JsonObject } from "./json-object.ts";

/** A type of a database column: its name without its arguments, the constraints they mean, and what else they say. */
export interface ParsedSqlType {
  readonly type: string;
  readonly constraints: JsonObject;
  /** `precision` and `scale` of a number, or `arguments` of anything else, as properties. */
  readonly kept: JsonObject;
}

const TEXTS = /char|text|string|binary|varying/i;
const NUMBERS = /^(dec|decimal|numeric|number|bignumeric)$/i;

/** Reads a type as a column has it: `varchar(160)` is the type `varchar` with `maxLength` 160. */
export function parseSqlType(text: string): ParsedSqlType {
  const [, name, list, after = ""] = /^\s*([^()[\]]+?)\s*[([]([^()[\]]*)[)\]]\s*(.*)$/s.exec(text) ?? [];
  if (name === undefined || list === undefined || list.trim() === "") {
    return { type: text.trim(), constraints: {}, kept: {} };
  }
  const type = [name, after.trim()].filter(Boolean).join(" ");
  const numbers = list.split(",").map((one) => Number(one.trim()));
  const [first = Number.NaN, second] = numbers;
  const areCounts = numbers.every((one) => Number.isSafeInteger(one) && one >= 0);
  if (areCounts && numbers.length === 1 && TEXTS.test(name))
    return { type, constraints: { maxLength: first }, kept: {} };
  if (areCounts && numbers.length <= 2 && NUMBERS.test(name)) {
    return { type, constraints: {}, kept: { precision: first, ...(second !== undefined && { scale: second }) } };
  }
  return { type, constraints: {}, kept: { arguments: list.trim() } };
}
