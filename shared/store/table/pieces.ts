import { createHash } from "node:crypto";
import { LIMITS } from "../../domain/limits.ts";
import type { ItemKey } from "./keys.ts";
import { type Packed, pack, unpack } from "./packed.ts";
import { FORMAT, type Item, type Table } from "./table.ts";
import { TABLE } from "./table-schema.ts";

/** A JSON value as an item holds it: packed in a member, or in pieces that lie beside it under a digest of the whole. */
export type Held = Packed | { readonly whole: string; readonly parts: number };

/** The item key of a piece. */
export type PieceKey = (whole: string, part: number) => ItemKey;

/** A value on its way into an item: the member that stands for it, and the pieces that are written before the item. */
export interface Split {
  readonly held: Held;
  readonly pieces: readonly Item[];
}

/** Seconds by which pieces outlive their item, so that no clock finds the item without them. */
const MARGIN = 3_600;

/** Splits a value that takes more than `most` bytes in an item; its pieces expire after it, in seconds since the epoch. */
export function split(value: unknown, most: number, expiresAt: number, keyOf: PieceKey): Split {
  const packed = pack(value);
  if (typeof packed === "string" || packed.length <= most) return { held: packed, pieces: [] };
  const whole = createHash("sha256").update(packed).digest("base64url");
  const pieces: Item[] = [];
  for (let at = 0; at < packed.length; at += LIMITS.blobChunkBytes) {
    const piece = packed.slice(at, at + LIMITS.blobChunkBytes);
    pieces.push({ ...keyOf(whole, pieces.length), v: FORMAT, bytes: piece, [TABLE.timeToLive]: expiresAt + MARGIN });
  }
  return { held: { whole, parts: pieces.length }, pieces };
}

/** Writes the pieces of a value; they are the same however often they are written. */
export async function writePieces(table: Table, { pieces }: Split): Promise<void> {
  for (const put of pieces) await table.write({ put, expect: { anything: true } });
}

/** The value that an item holds. */
export async function joined(table: Table, held: Held, keyOf: PieceKey): Promise<unknown> {
  if (typeof held === "string" || held instanceof Uint8Array) return unpack(held);
  const { whole, parts } = held;
  const pieces = await Promise.all(Array.from({ length: parts }, (_, part) => table.get(keyOf(whole, part))));
  return unpack(
    Buffer.concat(
      pieces.map((piece, part) => {
        if (!piece) throw new Error(`there is no ${keyOf(whole, part).pk} ${keyOf(whole, part).sk}`);
        // Written by `split`.
        return piece.bytes as Uint8Array;
      }),
    ),
  );
}
