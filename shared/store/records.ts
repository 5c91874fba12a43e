import { gunzipSync, gzipSync } from "node:zlib";
import type { AnswerRecord } from "../actions/idempotency.ts";
import { noAnswer } from "./answering-seam.ts";
import { recordKey } from "./keys.ts";
import { FORMAT, type Item, Lost, Refused, type Seam, type Write } from "./seam.ts";
import { TABLE } from "./table.ts";

/** Answers longer than this are stored compressed: most are a few hundred bytes, a large import lists many warnings. */
const COMPRESS_ABOVE = 2_048;

/** The write that keeps a record unless one is there that has not expired. `now` in seconds since the epoch. */
export function recordWrite(record: AnswerRecord, now: number): Write {
  const { id, fingerprint, answer, expiresAt } = record;
  const text = JSON.stringify(answer);
  const kept = text.length > COMPRESS_ABOVE ? gzipSync(text, { level: 1 }) : text;
  return {
    put: { ...recordKey(id), v: FORMAT, fingerprint, answer: kept, [TABLE.timeToLive]: expiresAt },
    expect: { absentOrExpired: now },
  };
}

/** The record of an item; undefined when it has expired, which DynamoDB may notice days later. */
export function recordOf(item: Item | undefined, id: string, now: number): AnswerRecord | undefined {
  if (!item) return undefined;
  // Written by `recordWrite`.
  const { fingerprint, answer, expiresAt } = item as unknown as Omit<AnswerRecord, "answer"> & {
    answer: string | Uint8Array;
  };
  if (expiresAt < now) return undefined;
  const text = typeof answer === "string" ? answer : gunzipSync(answer).toString("utf8");
  return { id, fingerprint, expiresAt, answer: JSON.parse(text) as AnswerRecord["answer"] };
}

/** Keeps a record on its own; answers the one in the way when there is one. */
export async function keepRecord(seam: Seam, record: AnswerRecord, now: number): Promise<AnswerRecord | undefined> {
  try {
    await seam.write(recordWrite(record, now));
    return undefined;
  } catch (error) {
    if (error instanceof Lost) throw noAnswer();
    if (!(error instanceof Refused)) throw error;
    return recordOf(await seam.get(recordKey(record.id)), record.id, now);
  }
}
