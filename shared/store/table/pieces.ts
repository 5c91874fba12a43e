import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { LIMITS } from "../../domain/limits.ts";
import type { ItemKey } from "./keys.ts";
import { FORMAT, type Item, type Table } from "./table.ts";
import { TABLE } from "./table-schema.ts";

/** JSON value inside an item: packed, or in pieces under a digest of the whole. */
export type StoredValue = PackedJson | { readonly whole: string; readonly parts: number };

/** Builds the item key of a piece. */
export type PieceKey = (digest: string, part: number) => ItemKey;

/** A split value: the member for its item, and the pieces to write before. */
export interface SplitValue {
  readonly value: StoredValue;
  readonly pieces: readonly Item[];
}

/** Seconds that pieces outlive their item, so that the item never exists without them. */
const MARGIN = 3_600;

/** Splits a value of more than `most` bytes. The pieces outlive `expiresAt`, in seconds since the epoch. */
export function splitValue(value: unknown, most: number, expiresAt: number, keyOf: PieceKey): SplitValue {
  const data = pack(value);
  if (typeof data === "string" || data.length <= most) return { value: data, pieces: [] };
  const digest = createHash("sha256").update(data).digest("base64url");
  const pieces: Item[] = [];
  for (let at = 0; at < data.length; at += LIMITS.blobChunkBytes) {
    const piece = data.slice(at, at + LIMITS.blobChunkBytes);
    pieces.push({ ...keyOf(digest, pieces.length), v: FORMAT, bytes: piece, [TABLE.timeToLive]: expiresAt + MARGIN });
  }
  return { value: { whole: digest, parts: pieces.length }, pieces };
}

/** Writes the pieces of a value. Repeated writes give the same items. */
export async function writePieces(table: Table, { pieces }: SplitValue): Promise<void> {
  for (const put of pieces) await table.write({ put, expect: { anything: true } });
}

/** Reads the value that an item holds. */
export async function joinValue(table: Table, value: StoredValue, keyOf: PieceKey): Promise<unknown> {
  if (typeof value === "string" || value instanceof Uint8Array) return unpack(value);
  const { whole, parts } = value;
  const pieces = await Promise.all(Array.from({ length: parts }, (_, part) => table.get(keyOf(whole, part))));
  return unpack(
    Buffer.concat(
      pieces.map((piece, part) => {
        if (!piece) throw new Error(`the item ${keyOf(whole, part).pk} ${keyOf(whole, part).sk} is missing`);
        // Written by `splitValue`.
        return piece.bytes as Uint8Array;
      }),
    ),
  );
}

/** JSON text, or gzip if it is long: a write unit covers one kilobyte. */
export type PackedJson = string | Uint8Array;

const COMPRESS_ABOVE = 2_048;

/** Packs a JSON value for storage. */
export function pack(value: unknown): PackedJson {
  const text = JSON.stringify(value);
  return text.length > COMPRESS_ABOVE ? gzipSync(text, { level: 1 }) : text;
}

/** Unpacks a stored JSON value. */
export function unpack(data: PackedJson): unknown {
  return JSON.parse(typeof data === "string" ? data : gunzipSync(data).toString("utf8"));
}
