import { isObject, type JsonObject } from "../form/pointer.ts";

/** True for a list of objects, which makes a table. */
export function isRows(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

/** Members that come first where rows have them, as people look for them there. */
const FIRST = ["key", "name", "version", "title"];

/** The members of rows in the order in which they first come, keys and names before the others and ids after them. */
export function columnsOf(rows: readonly JsonObject[]): readonly string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const first = FIRST.filter((name) => names.includes(name));
  const others = names.filter((name) => !first.includes(name) && name !== "id");
  return [...first, ...others, ...names.filter((name) => name === "id")];
}

/** What of an answer makes its table: its one list of rows, where it has nothing else. */
export function tableOf(body: unknown): unknown {
  if (!isObject(body)) return body;
  const members = Object.keys(body);
  return members.length === 1 && Array.isArray(body.items) ? body.items : body;
}
