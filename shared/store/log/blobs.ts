import { crc32, gunzipSync, gzipSync, inflateRawSync } from "node:zlib";
import { LIMITS } from "../../domain/limits.ts";
import { blobKey, blobPartition } from "../table/keys.ts";
import { FORMAT, type Item, readItems, type Table } from "../table/table.ts";

/** A blob is missing, incomplete, or not what was written. */
export class BlobBroken extends Error {}

/** Reads the JSON value of a blob. Throws `BlobBroken` if it is missing. */
export async function readBlob(table: Table, name: string): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(table, name)) chunks.push(chunk);
  return JSON.parse(gunzipSync(Buffer.concat(chunks)).toString("utf8"));
}

/** Reads the chunks of a blob lazily, page by page. */
export async function* readChunks(table: Table, name: string): AsyncGenerator<Uint8Array> {
  let isThere = false;
  for await (const item of readItems(table, { pk: blobPartition(name) })) {
    isThere = true;
    // Written by `toBlobItems`.
    yield item.bytes as Uint8Array;
  }
  if (isThere) return;
  // A blob written by its commit's transaction may still be invisible to a reader that saw the commit. This read waits
  // for it.
  const [chunk] = await table.transactGet([blobKey(name, 0)]);
  if (!chunk) throw new BlobBroken(`blob ${name} is missing`);
  yield chunk.bytes as Uint8Array;
}

/** Reads the elements of a list in a blob lazily; each is an object. Throws `BlobBroken`. */
export async function* readList(table: Table, name: string): AsyncGenerator<object> {
  let text = "";
  let isOver = false;
  for await (const part of readTexts(table, name)) {
    text += part;
    const chunk = parseElements(text);
    // A gzip member may end inside an element, which the next member completes.
    if (!chunk) continue;
    yield* chunk.elements;
    isOver = chunk.isOver;
    text = "";
  }
  if (!isOver || text !== "") throw new BlobBroken(`blob ${name} is not a complete list`);
}

interface Elements {
  readonly elements: readonly object[];
  readonly isOver: boolean;
}

/** Parses a part of a list that begins with a bracket or a comma; undefined if it ends inside an element. */
function parseElements(text: string): Elements | undefined {
  if (text === "]") return { elements: [], isOver: true };
  const isOver = text.endsWith("]");
  try {
    const elements: readonly object[] = JSON.parse(`[${text.slice(1)}${isOver ? "" : "]"}`);
    return { elements, isOver };
  } catch {
    return undefined;
  }
}

async function* readTexts(table: Table, name: string): AsyncGenerator<string> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of readChunks(table, name)) {
    bytes = Buffer.concat([bytes, chunk]);
    for (let member = parseFirstMember(name, bytes); member; member = parseFirstMember(name, bytes)) {
      yield member.text;
      bytes = bytes.subarray(member.bytes);
    }
  }
  if (bytes.length > 0) throw new BlobBroken(`blob ${name} is incomplete`);
}

/** Bytes around the contents of a gzip member without name and comment. */
const HEADER = 10;
const TRAILER = 8;

function parseFirstMember(name: string, bytes: Buffer): { readonly text: string; readonly bytes: number } | undefined {
  const body = inflate(bytes.subarray(HEADER));
  const end = HEADER + (body?.bytes ?? 0);
  if (!body || bytes.length < end + TRAILER) return undefined;
  if (crc32(body.contents) !== bytes.readUInt32LE(end))
    throw new BlobBroken(`blob ${name} does not match its checksum`);
  return { text: body.contents.toString("utf8"), bytes: end + TRAILER };
}

function inflate(bytes: Buffer): { readonly contents: Buffer; readonly bytes: number } | undefined {
  try {
    // With `info` zlib also returns the number of bytes read. The types lack this.
    const { buffer, engine } = inflateRawSync(bytes, { info: true }) as unknown as ZlibInfo;
    return { contents: buffer, bytes: engine.bytesWritten };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "Z_BUF_ERROR") return undefined;
    throw error;
  }
}

interface ZlibInfo {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/** Returns the items of a blob. They count once a log or release entry names the blob. */
export function toBlobItems(name: string, value: unknown): Item[] {
  const blob = new BlobWriter(name);
  const items: Item[] = [];
  for (const part of splitJson(value)) items.push(...blob.add(part));
  return [...items, ...blob.end()];
}

/** Collects the elements of a list into the items of a blob. */
export class ListBlob {
  readonly #blob: BlobWriter;
  #slice: unknown[] = [];
  #before = "[";

  constructor(name: string) {
    this.#blob = new BlobWriter(name);
  }

  add(element: unknown): readonly Item[] {
    const items = this.#slice.length === SLICE ? this.#write() : [];
    this.#slice.push(element);
    return items;
  }

  end(): readonly Item[] {
    const blob = this.#blob;
    // A short list is written like any other value.
    const isShort = this.#before === "[";
    const items = isShort
      ? [...splitJson(this.#slice)].flatMap((part) => blob.add(part))
      : [...this.#write(), ...blob.add("]")];
    return [...items, ...blob.end()];
  }

  #write(): readonly Item[] {
    const items = this.#blob.add(this.#before + JSON.stringify(this.#slice).slice(1, -1));
    this.#slice = [];
    this.#before = ",";
    return items;
  }
}

/** Creates the items of a list lazily. */
export function* toListItems(name: string, elements: Iterable<unknown>): Generator<Item> {
  const list = new ListBlob(name);
  for (const element of elements) yield* list.add(element);
  yield* list.end();
}

/** Characters that are compressed at a time, so that the text of a whole model is never in memory. */
const PART_CHARACTERS = 500_000;

class BlobWriter {
  readonly #name: string;
  #text = "";
  #bytes = Buffer.alloc(0);
  #count = 0;

  constructor(name: string) {
    this.#name = name;
  }

  add(part: string): Item[] {
    this.#text += part;
    if (this.#text.length < PART_CHARACTERS) return [];
    this.#compress();
    return this.#takeFull();
  }

  end(): Item[] {
    if (this.#text !== "" || (this.#count === 0 && this.#bytes.length === 0)) this.#compress();
    return [...this.#takeFull(), this.#toItem(this.#bytes)];
  }

  #compress(): void {
    this.#bytes = Buffer.concat([this.#bytes, gzipSync(this.#text, { level: 1 })]);
    this.#text = "";
  }

  #takeFull(): Item[] {
    const most = LIMITS.blobChunkBytes;
    const items: Item[] = [];
    for (; this.#bytes.length > most; this.#bytes = this.#bytes.subarray(most)) {
      items.push(this.#toItem(this.#bytes.subarray(0, most)));
    }
    return items;
  }

  #toItem(bytes: Uint8Array): Item {
    return { ...blobKey(this.#name, this.#count++), v: FORMAT, bytes };
  }
}

/** Depth of lists that may be long: those of a model's document inside the order of a job. */
const MAX_LIST_DEPTH = 6;
const SLICE = 100;

/** Yields the JSON text of a value in parts. The whole is the text of `JSON.stringify`. */
function* splitJson(value: unknown, depth = 0): Generator<string> {
  if (typeof value !== "object" || value === null || depth > MAX_LIST_DEPTH) {
    yield JSON.stringify(value);
  } else if (!Array.isArray(value)) {
    let before = "{";
    for (const [name, member] of Object.entries(value)) {
      if (!isJsonValue(member)) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* splitJson(member, depth + 1);
      before = ",";
    }
    yield before === "{" ? "{}" : "}";
  } else if (value.length <= SLICE) {
    yield "[";
    for (const [i, element] of value.entries()) {
      if (i > 0) yield ",";
      yield* splitJson(isJsonValue(element) ? element : null, depth + 1);
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

function isJsonValue(value: unknown) {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}
