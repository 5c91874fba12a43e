import { gunzipSync, gzipSync } from "node:zlib";
import { LIMITS } from "../domain/limits.ts";
import { blobKey, blobPartition } from "./keys.ts";
import { FORMAT, type Item, type Seam } from "./seam.ts";

/** The items of a compressed JSON value, named so that a log or release entry can make them real. */
export function blobItems(name: string, value: unknown): Item[] {
  const bytes = gzipSync(JSON.stringify(value), { level: 1 });
  const items: Item[] = [];
  for (let at = 0; at < bytes.length; at += LIMITS.blobChunkBytes) {
    items.push({ ...blobKey(name, items.length), v: FORMAT, bytes: bytes.subarray(at, at + LIMITS.blobChunkBytes) });
  }
  return items;
}

/** The JSON value of a blob. */
export async function readBlob(seam: Seam, name: string): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let after: string | undefined;
  do {
    const page = await seam.query({ pk: blobPartition(name), ...(after !== undefined && { after }) });
    // Written by `blobItems`.
    for (const item of page.items) chunks.push(item.bytes as Uint8Array);
    after = page.more;
  } while (after !== undefined);
  // One that goes with its commit may not be visible yet to whoever saw the commit: this question waits for it.
  if (chunks.length === 0) {
    const [only] = await seam.transactGet([blobKey(name, 0)]);
    if (!only) throw new Error(`blob ${name} is not there`);
    chunks.push(only.bytes as Uint8Array);
  }
  return JSON.parse(gunzipSync(Buffer.concat(chunks)).toString("utf8"));
}
