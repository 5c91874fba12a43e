import { gzipSync } from "node:zlib";
import { LIMITS } from "../../domain/limits.ts";
import { blobKey } from "../table/keys.ts";
import { FORMAT, type Item } from "../table/table.ts";

/** The items of a compressed JSON value, named so that a log or release entry can make them real. */
export function blobItems(name: string, value: unknown): Item[] {
  const blob = beginBlob(name);
  const items: Item[] = [];
  for (const part of jsonParts(value)) items.push(...blob.add(part));
  return [...items, ...blob.end()];
}

/** Collects a list, element by element, into the items that `blobItems` makes of the whole list. */
export interface ListBlob {
  /** Takes the next element; answers the items that are full. */
  add(element: unknown): readonly Item[];
  /** The items that are left. */
  end(): readonly Item[];
}

/** Begins a list of which nothing is there yet. */
export function beginList(name: string): ListBlob {
  const blob = beginBlob(name);
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
      const items = before === "[" ? [...jsonParts(slice)].flatMap(blob.add) : [...written(), ...blob.add("]")];
      return [...items, ...blob.end()];
    },
  };
}

/** The items of a list, made as they are asked for. */
export function* listItems(name: string, elements: Iterable<unknown>): Generator<Item> {
  const list = beginList(name);
  for (const element of elements) yield* list.add(element);
  yield* list.end();
}

/** Characters that are compressed at once: the text of a whole model is never in memory. */
const PART_CHARACTERS = 500_000;

/** A blob on its way into items, as gzip of several members, which is read as one. */
interface Blob {
  /** Takes the next part of the text; answers the items that are full. */
  readonly add: (part: string) => Item[];
  readonly end: () => Item[];
}

function beginBlob(name: string): Blob {
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

/** False for a value that JSON cannot express. */
function isValue(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}
