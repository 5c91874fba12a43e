import { createHash } from "node:crypto";
import type { AnswerRecord } from "../actions/idempotency.ts";
import { LIMITS } from "../domain/limits.ts";
import { recordKey, recordPartKey } from "./keys.ts";
import { type Packed, pack, unpack } from "./packed.ts";
import { noAnswer } from "./retry.ts";
import { FORMAT, type Item, Lost, Refused, type Seam, type Write } from "./seam.ts";
import { TABLE } from "./table.ts";

/**
 * The write that keeps a record unless one is there that has not expired; for the answer of a job, the write that puts it
 * in the place of the record that the job runs. `now` in seconds since the epoch.
 */
export function recordWrite(record: AnswerRecord, now: number, endedJob?: string): Write {
  const { id, fingerprint, answer, job, expiresAt } = record;
  const packed = pack(answer);
  return {
    put: {
      ...recordKey(id),
      v: FORMAT,
      fingerprint,
      ...(isSmall(packed) ? { answer: packed } : { parts: Math.ceil(packed.length / PART), whole: nameOf(packed) }),
      ...(job !== undefined && { job }),
      [TABLE.timeToLive]: expiresAt,
    },
    expect: endedJob === undefined ? { absentOrExpired: now } : { equal: { job: endedJob } },
  };
}

/** Bytes of one piece of an answer that does not fit its record. */
const PART = LIMITS.blobChunkBytes;

const isSmall = (packed: Packed): boolean => packed.length <= PART;

function nameOf(packed: Packed): string {
  return createHash("sha256").update(packed).digest("base64url");
}

/** Writes the pieces of an answer that is too large for one item, before the record that makes them real. */
export async function writeParts(seam: Seam, { id, answer, expiresAt }: AnswerRecord): Promise<void> {
  const packed = pack(answer);
  if (isSmall(packed)) return;
  const name = nameOf(packed);
  for (let at = 0; at < packed.length; at += PART) {
    const key = recordPartKey(id, name, at / PART);
    const put = { ...key, v: FORMAT, bytes: packed.slice(at, at + PART), [TABLE.timeToLive]: expiresAt };
    await seam.write({ put, expect: { anything: true } });
  }
}

async function joinedParts(seam: Seam, id: string, name: string, count: number): Promise<Packed> {
  const keys = Array.from({ length: count }, (_, part) => recordPartKey(id, name, part));
  const parts = await Promise.all(keys.map((key) => seam.get(key)));
  // Written by `writeParts`.
  return Buffer.concat(parts.map((part) => part?.bytes as Uint8Array));
}

/** The record of an item; undefined when it has expired, which DynamoDB may notice days later. */
export async function recordOf(
  seam: Seam,
  item: Item | undefined,
  id: string,
  now: number,
): Promise<AnswerRecord | undefined> {
  if (!item) return undefined;
  // Written by `recordWrite`.
  const stored = item as unknown as Omit<AnswerRecord, "answer"> & { answer: Packed; parts?: number; whole?: string };
  const { fingerprint, job, expiresAt, parts, whole = "" } = stored;
  if (expiresAt < now) return undefined;
  const answer = parts === undefined ? stored.answer : await joinedParts(seam, id, whole, parts);
  return {
    id,
    fingerprint,
    expiresAt,
    ...(job !== undefined && { job }),
    answer: unpack(answer) as AnswerRecord["answer"],
  };
}

/** Keeps a record on its own; answers the one in the way when there is one. */
export async function keepRecord(seam: Seam, record: AnswerRecord, now: number): Promise<AnswerRecord | undefined> {
  try {
    await writeParts(seam, record);
    await seam.write(recordWrite(record, now));
    return undefined;
  } catch (error) {
    if (error instanceof Lost) throw noAnswer();
    if (!(error instanceof Refused)) throw error;
    return recordOf(seam, await seam.get(recordKey(record.id)), record.id, now);
  }
}
