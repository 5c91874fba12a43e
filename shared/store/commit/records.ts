import type { AnswerRecord } from "../../actions/contract/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import { recordKey, recordPartKey } from "../table/keys.ts";
import {
  joinValue,
  type PieceKey,
  type SplitValue,
  type StoredValue,
  splitValue,
  writePieces,
} from "../table/pieces.ts";
import { createNoAnswerProblem } from "../table/retry.ts";
import { ConditionFailed, FORMAT, type Item, OutcomeUnknown, type Table, type Write } from "../table/table.ts";
import { TABLE } from "../table/table-schema.ts";

/** An idempotency record, divided into the item and the pieces that are written before it. */
interface SplitRecord {
  readonly split: SplitValue;
  /**
   * Keeps the record unless one is there that has not expired; for the answer of a job it is put in the place of the
   * record that the job runs. `now` in seconds since the epoch.
   */
  readonly write: (now: number, endedJob?: string) => Write;
}

const createRecordPieceKey =
  (id: string): PieceKey =>
  (whole, part) =>
    recordPartKey(id, whole, part);

/** The write of a record, and the pieces of an answer that is too large for it, which are written before. */
export function splitRecord({ id, fingerprint, answer, job, expiresAt }: AnswerRecord): SplitRecord {
  const parts = splitValue(answer, LIMITS.blobChunkBytes, expiresAt, createRecordPieceKey(id));
  const put = {
    ...recordKey(id),
    v: FORMAT,
    fingerprint,
    answer: parts.stored,
    ...(job !== undefined && { job }),
    [TABLE.timeToLive]: expiresAt,
  };
  return {
    split: parts,
    write: (now, endedJob) => ({
      put,
      expect: endedJob === undefined ? { absentOrExpired: now } : { equal: { job: endedJob } },
    }),
  };
}

/** The record of an item; undefined when it has expired, which DynamoDB may notice days later. */
export async function readRecord(
  table: Table,
  item: Item | undefined,
  id: string,
  now: number,
): Promise<AnswerRecord | undefined> {
  if (!item) return undefined;
  // Written by `splitRecord`.
  const stored = item as unknown as Omit<AnswerRecord, "answer"> & { readonly answer: StoredValue };
  const { fingerprint, job, expiresAt } = stored;
  if (expiresAt < now) return undefined;
  const answer = (await joinValue(table, stored.answer, createRecordPieceKey(id))) as AnswerRecord["answer"];
  return { id, fingerprint, expiresAt, ...(job !== undefined && { job }), answer };
}

/** Keeps a record on its own; answers the one in the way when there is one. */
export async function putRecord(table: Table, record: AnswerRecord, now: number): Promise<AnswerRecord | undefined> {
  try {
    const { split, write } = splitRecord(record);
    await writePieces(table, split);
    await table.write(write(now));
    return undefined;
  } catch (error) {
    if (error instanceof OutcomeUnknown) throw createNoAnswerProblem();
    if (!(error instanceof ConditionFailed)) throw error;
    return readRecord(table, await table.get(recordKey(record.id)), record.id, now);
  }
}
