import { gunzipSync, gzipSync } from "node:zlib";
import { LIMITS } from "../../domain/limits.ts";
import { blobKey, blobPartition } from "../table/keys.ts";
import { FORMAT, type Item, type Seam } from "../table/table.ts";

/** The items of a compressed JSON value, named so that a log or release entry can make them real. */
export function blobItems(name: string, value: unknown): Item[] {
  const bytes = compressed(value);
  const items: Item[] = [];
  for (let at = 0; at < bytes.length; at += LIMITS.blobChunkBytes) {
    items.push({ ...blobKey(name, items.length), v: FORMAT, bytes: bytes.subarray(at, at + LIMITS.blobChunkBytes) });
  }
  return items;
}

/** Characters that are compressed at once: the text of a whole model is never in memory. */
const PART_CHARACTERS = 500_000;

/** A JSON value as gzip of several members, which is read as one. */
function compressed(value: unknown): Buffer {
  const members: Buffer[] = [];
  let text = "";
  for (const part of jsonParts(value)) {
    text += part;
    if (text.length < PART_CHARACTERS) continue;
    members.push(gzipSync(text, { level: 1 }));
    text = "";
  }
  if (text !== "" || members.length === 0) members.push(gzipSync(text, { level: 1 }));
  return Buffer.concat(members);
}

/** How deep the lists lie that may be long: those of a model's document, in what a job was prepared from. */
const LISTS_LIE = 6;
/** Elements of such a list that are written at once. */
const SLICE = 100;

/** The text of a JSON value, as `JSON.stringify` gives it, in parts. */
function* jsonParts(value: unknown, depth = 0): Generator<string> {
  if (typeof value !== "object" || value === null || depth > LISTS_LIE) {
    yield JSON.stringify(value);
  } else if (!Array.isArray(value)) {
    let before = "{";
    for (const [name, member] of Object.entries(value)) {
      if (!isValue(member)) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* jsonParts(member, depth + 1);
      before = ",";
    }
    yield before === "{" ? "{}" : "}";
  } else if (value.length <= SLICE) {
    yield "[";
    for (const [i, element] of value.entries()) {
      if (i > 0) yield ",";
      yield* jsonParts(isValue(element) ? element : null, depth + 1);
    }
    yield "]";
  } else {
    yield "[";
    for (let at = 0; at < value.length; at += SLICE) {
      const text = JSON.stringify(value.slice(at, at + SLICE));
      yield (at > 0 ? "," : "") + text.slice(1, -1);
    }
    yield "]";
  }
}

/** False for what JSON has no text for. */
function isValue(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
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
