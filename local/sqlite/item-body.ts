import { deserialize, serialize } from "node:v8";
import type { Item } from "../../shared/store/table/table.ts";

/** An item without its key, as a column holds it: JSON, or bytes where JSON cannot tell all of it. */
export type Body = string | Uint8Array;

/** The body of an item that DynamoDB takes. Members that are `undefined` are left out. */
export function bodyOf({ pk: _pk, sk: _sk, ...members }: Item): Body {
  return isJson(members) ? JSON.stringify(members) : serialize(storable(members));
}

/** The item that a row holds: each time another object. */
export function itemOf(pk: string, sk: string, body: Body): Item {
  const item = typeof body === "string" ? JSON.parse(body) : deserialize(body);
  item.pk = pk;
  item.sk = sk;
  return item;
}

/** True for a value that JSON gives back as it was: without bytes, and without lists that have an empty place. */
function isJson(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (value instanceof Uint8Array) return false;
  if (Array.isArray(value)) return value.every((one) => one !== undefined && isJson(one));
  for (const name in value) if (!isJson((value as Readonly<Record<string, unknown>>)[name])) return false;
  return true;
}

/** A copy of a value as DynamoDB keeps it: without `undefined`, without -0, and with bytes of one kind. */
function storable(value: unknown): unknown {
  if (value === 0) return 0;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (Array.isArray(value)) return value.filter((one) => one !== undefined).map(storable);
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(members.map(([name, one]) => [name, storable(one)]));
}
