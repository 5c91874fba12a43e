import { closeSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";

const HEADER = 32;
const FRAME_HEADER = 24;
/** SQLite begins to copy the log into the database after a commit that makes it this long. */
const CHECKPOINT_FRAMES = 1_000;

/** The end of the frames in a write-ahead log, in one of the generations that follow one another in the file. */
export interface Filled {
  readonly generation: string;
  readonly end: number;
}

type Sums = readonly [number, number];

/** Follows a write-ahead log that SQLite writes, by the checksums of its frames. */
export function followLog(path: string): { filled(): Filled; tear(since: Filled, random: () => number): string } {
  let known: Filled & { readonly sums: Sums } = { generation: "", end: 0, sums: [0, 0] };
  const look = (fd: number): Filled => {
    const header = read(fd, 0, HEADER);
    const size = header.readUInt32BE(8);
    const isBig = (header.readUInt32BE(0) & 1) === 1;
    const generation = header.toString("hex", 16, 24);
    if (known.generation !== generation)
      known = { generation, end: HEADER, sums: [header.readUInt32BE(24), header.readUInt32BE(28)] };
    for (;;) {
      const frame = read(fd, known.end, FRAME_HEADER + size);
      if (frame.length < FRAME_HEADER + size || frame.toString("hex", 8, 16) !== generation) break;
      const sums = summed(frame.subarray(FRAME_HEADER), summed(frame.subarray(0, 8), known.sums, isBig), isBig);
      if (sums[0] !== frame.readUInt32BE(16) || sums[1] !== frame.readUInt32BE(20)) break;
      known = { generation, end: known.end + frame.length, sums };
    }
    return { generation, end: known.end };
  };
  return {
    filled: () => within(path, look),
    /** Tears the frames written since, which nobody was told of, and answers how. No process may have the log open. */
    tear: (since, random) =>
      within(path, (fd) => {
        const now = look(fd);
        const from = since.generation === now.generation ? since.end : HEADER;
        // The frames that a checkpoint copies were synced before, so no crash can tear them.
        if (now.end > HEADER + CHECKPOINT_FRAMES * (FRAME_HEADER + PAGE_BYTES)) return "whole";
        const upTo = (most: number) => Math.floor(random() * most);
        const cut = from + upTo(now.end - from);
        const garbage = Buffer.from(Array.from({ length: 1 + upTo(20_000) }, () => upTo(256)));
        // The next look reads the log from its beginning.
        known = { generation: "", end: 0, sums: [0, 0] };
        const told = `of ${now.end - from} bytes`;
        const way = upTo(3);
        if (way === 0) {
          ftruncateSync(fd, cut);
          return `${told} kept ${cut - from}`;
        }
        writeSync(fd, garbage, 0, garbage.length, way === 1 ? cut : now.end);
        return `${told} garbled from ${way === 1 ? cut - from : now.end - from} on`;
      }),
  };
}

const PAGE_BYTES = 4_096;

function within<T>(path: string, work: (fd: number) => T): T {
  const fd = openSync(path, "r+");
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
}

function read(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(fd, buffer, 0, length, position));
}

/** The chain of checksums after some more bytes, as SQLite's file format defines it. */
function summed(bytes: Buffer, [first, second]: Sums, isBig: boolean): Sums {
  let [a, b] = [first, second];
  for (let i = 0; i < bytes.length; i += 8) {
    a = (a + (isBig ? bytes.readUInt32BE(i) : bytes.readUInt32LE(i)) + b) >>> 0;
    b = (b + (isBig ? bytes.readUInt32BE(i + 4) : bytes.readUInt32LE(i + 4)) + a) >>> 0;
  }
  return [a, b];
}
