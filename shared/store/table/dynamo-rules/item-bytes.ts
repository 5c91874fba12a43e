import type { ItemKey } from "../keys.ts";

/**
 * Bytes DynamoDB counts for an item: names and values in UTF-8, a little for every list and map, and two digits of a
 * number in a byte. Members that are `undefined` are not stored and count nothing.
 */
export function itemBytes(item: Readonly<Record<string, unknown>>): number {
  let bytes = 0;
  for (const name in item) {
    const value = item[name];
    if (value !== undefined) bytes += Buffer.byteLength(name) + valueBytes(value);
  }
  return bytes;
}

/** Bytes DynamoDB counts for a key where no item comes with it. */
export function keyBytes({ pk, sk }: ItemKey): number {
  return "pk".length + Buffer.byteLength(pk) + "sk".length + Buffer.byteLength(sk);
}

const CONTAINER_BYTES = 3;
const MEMBER_BYTES = 1;

function valueBytes(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value === "number") return numberBytes(value);
  if (value === null || typeof value === "boolean") return 1;
  if (value instanceof Uint8Array) return value.byteLength;
  let bytes = CONTAINER_BYTES;
  if (Array.isArray(value)) {
    for (const one of value) if (one !== undefined) bytes += MEMBER_BYTES + valueBytes(one);
    return bytes;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) {
    const one = members[name];
    if (one !== undefined) bytes += MEMBER_BYTES + Buffer.byteLength(name) + valueBytes(one);
  }
  return bytes;
}

/** Bytes of a number: one for two digits, in pairs on both sides of the point; one for the exponent, and one for a minus sign. */
function numberBytes(value: number): number {
  if (value === 0) return 1;
  const sign = value < 0 ? 1 : 0;
  const [digits = "", exponent] = Math.abs(value).toExponential().split("e");
  const count = digits.length === 1 ? 1 : digits.length - 1;
  // With an even exponent the first digit has a pair of its own.
  const pairs = Number(exponent) % 2 === 0 ? 1 + Math.ceil((count - 1) / 2) : Math.ceil(count / 2);
  return sign + pairs + 1;
}
