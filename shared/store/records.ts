import type { AnswerRecord } from "../actions/idempotency.ts";
import { noAnswer } from "./answering-seam.ts";
import { recordKey } from "./keys.ts";
import { type Packed, pack, unpack } from "./packed.ts";
import { FORMAT, type Item, Lost, Refused, type Seam, type Write } from "./seam.ts";
import { TABLE } from "./table.ts";

/**
 * The write that keeps a record unless one is there that has not expired; for the answer of a job, the write that puts it
 * in the place of the record that the job runs. `now` in seconds since the epoch.
 */
export function recordWrite(record: AnswerRecord, now: number, endedJob?: string): Write {
  const { id, fingerprint, answer, job, expiresAt } = record;
  return {
    put: {
      ...recordKey(id),
      v: FORMAT,
      fingerprint,
      answer: pack(answer),
      ...(job !== undefined && { job }),
      [TABLE.timeToLive]: expiresAt,
    },
    expect: endedJob === undefined ? { absentOrExpired: now } : { equal: { job: endedJob } },
  };
}

/** The record of an item; undefined when it has expired, which DynamoDB may notice days later. */
export function recordOf(item: Item | undefined, id: string, now: number): AnswerRecord | undefined {
  if (!item) return undefined;
  // Written by `recordWrite`.
  const { fingerprint, answer, job, expiresAt } = item as unknown as Omit<AnswerRecord, "answer"> & { answer: Packed };
  if (expiresAt < now) return undefined;
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
    await seam.write(recordWrite(record, now));
    return undefined;
  } catch (error) {
    if (error instanceof Lost) throw noAnswer();
    if (!(error instanceof Refused)) throw error;
    return recordOf(await seam.get(recordKey(record.id)), record.id, now);
  }
}
