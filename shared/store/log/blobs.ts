import { crc32, gunzipSync, gzipSync, inflateRawSync } from "node:zlib";
import { LIMITS } from "../../domain/limits.ts";
import { blobKey, blobPartition } from "../table/keys.ts";
import { FORMAT, type Item, readItems, type Table } from "../table/table.ts";

/** The JSON value of a blob. */
export async function readBlob(table: Table, name: string): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(table, name)) chunks.push(chunk);
  return JSON.parse(gunzipSync(Buffer.concat(chunks)).toString("utf8"));
}

/** The bytes of a blob, page after page. */
export async function* readChunks(table: Table, name: string): AsyncGenerator<Uint8Array> {
  let isThere = false;
  for await (const item of readItems(table, { pk: blobPartition(name) })) {
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

/** The elements of a list in a blob, each an object, read part after part as they are asked for. An error when it is not there. */
export async function* readList(table: Table, name: string): AsyncGenerator<object> {
  let text = "";
  let isOver = false;
  for await (const part of readTexts(table, name)) {
    text += part;
    const read = parseElements(text);
    // A member may end inside an element, which the next one completes.
    if (!read) continue;
    yield* read.elements;
    isOver = read.isOver;
    text = "";
  }
  if (!isOver || text !== "") throw new Error(`blob ${name} is no whole list`);
}

/** Elements, and whether the list ends with them. */
interface Elements {
  readonly elements: readonly object[];
  readonly isOver: boolean;
}

/** The elements in a part of a list's text, which begins with a bracket or a comma; undefined where it ends inside of one. */
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

/** The texts that were compressed one by one. */
async function* readTexts(table: Table, name: string): AsyncGenerator<string> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of readChunks(table, name)) {
    bytes = Buffer.concat([bytes, chunk]);
    for (let member = parseFirstMember(bytes); member; member = parseFirstMember(bytes)) {
      yield member.text;
      bytes = bytes.subarray(member.bytes);
    }
  }
  if (bytes.length > 0) throw new Error(`blob ${name} is not there as a whole`);
}

/** Bytes that zlib writes before and after the contents of a member, which has neither name nor comment. */
const HEADER = 10;
const TRAILER = 8;

/** The first member of a gzip file, and how long it is; undefined where it is not there as a whole. */
function parseFirstMember(bytes: Buffer): { readonly text: string; readonly bytes: number } | undefined {
  const inflated = inflate(bytes.subarray(HEADER));
  const end = HEADER + (inflated?.read ?? 0);
  if (!inflated || bytes.length < end + TRAILER) return undefined;
  if (crc32(inflated.contents) !== bytes.readUInt32LE(end))
    throw new Error("a blob has other contents than were written");
  return { text: inflated.contents.toString("utf8"), bytes: end + TRAILER };
}

function inflate(bytes: Buffer): { readonly contents: Buffer; readonly read: number } | undefined {
  try {
    // With `info` it tells how much of the bytes it needed; the types do not know.
    const { buffer, engine } = inflateRawSync(bytes, { info: true }) as unknown as Inflated;
    return { contents: buffer, read: engine.bytesWritten };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "Z_BUF_ERROR") return undefined;
    throw error;
  }
}

interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/** The items of a compressed JSON value, named so that a log or release entry can make them real. */
export function toBlobItems(name: string, value: unknown): Item[] {
  const blob = createBlobWriter(name);
  const items: Item[] = [];
  for (const part of splitJson(value)) items.push(...blob.add(part));
  return [...items, ...blob.end()];
}

/** Collects a list, element by element, into the items that `blobItems` makes of the whole list. */
interface ListBlob {
  /** Takes the next element; answers the items that are full. */
  add(element: unknown): readonly Item[];
  /** The items that are left. */
  end(): readonly Item[];
}

/** Begins a list of which nothing is there yet. */
export function createListBlob(name: string): ListBlob {
  const blob = createBlobWriter(name);
  let slice: unknown[] = [];
  let before = "[";
  const written = (): readonly Item[] => {
    const items = blob.add(before + JSON.stringify(slice).slice(1, -1));
    slice = [];
    before = ",";
    return items;
  };
  return {
    add: (element) => {
      const items = slice.length === SLICE ? written() : [];
      slice.push(element);
      return items;
    },
    end: () => {
      // A short list is written as it is anywhere in a value.
      const items = before === "[" ? [...splitJson(slice)].flatMap(blob.add) : [...written(), ...blob.add("]")];
      return [...items, ...blob.end()];
    },
  };
}

/** The items of a list, made as they are asked for. */
export function* toListItems(name: string, elements: Iterable<unknown>): Generator<Item> {
  const list = createListBlob(name);
  for (const element of elements) yield* list.add(element);
  yield* list.end();
}

/** Characters that are compressed at once: the text of a whole model is never in memory. */
const PART_CHARACTERS = 500_000;

/** A blob on its way into items, as gzip of several members, which is read as one. */
interface BlobWriter {
  /** Takes the next part of the text; answers the items that are full. */
  readonly add: (part: string) => Item[];
  readonly end: () => Item[];
}

function createBlobWriter(name: string): BlobWriter {
  const most = LIMITS.blobChunkBytes;
  let text = "";
  let bytes = Buffer.alloc(0);
  let count = 0;
  const compress = (): void => {
    bytes = Buffer.concat([bytes, gzipSync(text, { level: 1 })]);
    text = "";
  };
  const itemOf = (chunk: Uint8Array): Item => ({ ...blobKey(name, count++), v: FORMAT, bytes: chunk });
  const full = (): Item[] => {
    const items: Item[] = [];
    for (; bytes.length > most; bytes = bytes.subarray(most)) items.push(itemOf(bytes.subarray(0, most)));
    return items;
  };
  return {
    add: (part) => {
      text += part;
      if (text.length < PART_CHARACTERS) return [];
      compress();
      return full();
    },
    end: () => {
      if (text !== "" || (count === 0 && bytes.length === 0)) compress();
      return [...full(), itemOf(bytes)];
    },
  };
}

/** Depth of the lists that may be long: those of a model's document, inside the order of a job. */
const MAX_LIST_DEPTH = 6;
/** Elements of such a list that are written at once. */
const SLICE = 100;

/** The text of a JSON value, as `JSON.stringify` gives it, in parts. */
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

/** False for a value that JSON cannot express. */
function isJsonValue(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}
