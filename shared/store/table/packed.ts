import { gunzipSync, gzipSync } from "node:zlib";

/** JSON as an item holds it: text, or gzip where it is long, because a unit is paid for every kilobyte. */
export type Packed = string | Uint8Array;

const COMPRESS_ABOVE = 2_048;

/** A JSON value in its stored form. */
export function pack(value: unknown): Packed {
  const text = JSON.stringify(value);
  return text.length > COMPRESS_ABOVE ? gzipSync(text, { level: 1 }) : text;
}

/** The value of a stored form. */
export function unpack(packed: Packed): unknown {
  return JSON.parse(typeof packed === "string" ? packed : gunzipSync(packed).toString("utf8"));
}
