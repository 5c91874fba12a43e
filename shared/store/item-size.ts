import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import type { Item } from "./seam.ts";

/** Bytes DynamoDB counts for an item: names and values in UTF-8, a little for every list, map and number. */
export function itemBytes(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);
}

function valueBytes(value: unknown): number {
  if (value === undefined) return 0;
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value === "number") return Math.ceil(String(Math.abs(value)).length / 2) + 1;
  if (value === null || typeof value === "boolean") return 1;
  if (value instanceof Uint8Array) return value.byteLength;
  if (Array.isArray(value)) return value.reduce((sum: number, v) => sum + 1 + valueBytes(v), 3);
  if (typeof value === "object") {
    return Object.entries(value).reduce((sum, [k, v]) => sum + 1 + Buffer.byteLength(k) + valueBytes(v), 3);
  }
  return 0;
}

/** `too_large` for an object that would not fit one item. */
export function checkObjectSize(item: Item): void {
  if (itemBytes(item) <= LIMITS.objectBytes) return;
  throw new Problem("too_large", `an object may hold at most ${LIMITS.objectBytes} bytes; shorten its texts`);
}
