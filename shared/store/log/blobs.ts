import { gunzipSync } from "node:zlib";
import { blobKey, blobPartition } from "../table/keys.ts";
import { itemsOf } from "../table/pages.ts";
import type { Table } from "../table/table.ts";

/** The JSON value of a blob. */
export async function readBlob(table: Table, name: string): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of chunksOf(table, name)) chunks.push(chunk);
  return JSON.parse(gunzipSync(Buffer.concat(chunks)).toString("utf8"));
}

/** The bytes of a blob, page after page. */
export async function* chunksOf(table: Table, name: string): AsyncGenerator<Uint8Array> {
  let isThere = false;
  for await (const item of itemsOf(table, { pk: blobPartition(name) })) {
    isThere = true;
    // Written by `blobItems`.
    yield item.bytes as Uint8Array;
  }
  if (isThere) return;
  // A blob written by its commit's transaction may not be visible yet to a reader that saw the commit: this read waits
  // for it.
  const [only] = await table.transactGet([blobKey(name, 0)]);
  if (!only) throw new Error(`blob ${name} is not there`);
  yield only.bytes as Uint8Array;
}
