import { crc32, inflateRawSync } from "node:zlib";
import type { Table } from "../table/table.ts";
import { chunksOf } from "./blobs.ts";

/** The elements of a list in a blob, each an object, read part after part as they are asked for. An error when it is not there. */
export async function* listOf(table: Table, name: string): AsyncGenerator<object> {
  let text = "";
  let isOver = false;
  for await (const part of textsOf(table, name)) {
    text += part;
    const read = elementsOf(text);
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
function elementsOf(text: string): Elements | undefined {
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
async function* textsOf(table: Table, name: string): AsyncGenerator<string> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of chunksOf(table, name)) {
    bytes = Buffer.concat([bytes, chunk]);
    for (let member = firstMember(bytes); member; member = firstMember(bytes)) {
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
function firstMember(bytes: Buffer): { readonly text: string; readonly bytes: number } | undefined {
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
