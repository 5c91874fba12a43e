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

interface SplitRecord {
  readonly parts: SplitValue;
  /** Creates the write, unless an unexpired record exists. `endedJob` replaces the record of that job. */
  readonly write: (now: number, endedJob?: string) => Write;
}

const createRecordPieceKey =
  (id: string): PieceKey =>
  (digest, part) =>
    recordPartKey(id, digest, part);

/** Splits a record: the answer goes to pieces if it is too large for the item. */
export function splitRecord({ id, fingerprint, answer, job, expiresAt }: AnswerRecord): SplitRecord {
  const parts = splitValue(answer, LIMITS.blobChunkBytes, expiresAt, createRecordPieceKey(id));
  const put = {
    ...recordKey(id),
    v: FORMAT,
    fingerprint,
    answer: parts.value,
    ...(job !== undefined && { job }),
    [TABLE.timeToLive]: expiresAt,
  };
  return {
    parts,
    write: (now, endedJob) => ({
      put,
      expect: endedJob === undefined ? { absentOrExpired: now } : { equal: { job: endedJob } },
    }),
  };
}

/** Reads the record of an item; undefined if it has expired, because DynamoDB may delete it days later. */
export async function readRecord(
  table: Table,
  item: Item | undefined,
  id: string,
  now: number,
): Promise<AnswerRecord | undefined> {
  if (!item) return undefined;
  // Written by `splitRecord`.
  const record = item as unknown as Omit<AnswerRecord, "answer"> & { readonly answer: StoredValue };
  const { fingerprint, job, expiresAt } = record;
  if (expiresAt < now) return undefined;
  const answer = (await joinValue(table, record.answer, createRecordPieceKey(id))) as AnswerRecord["answer"];
  return { id, fingerprint, expiresAt, ...(job !== undefined && { job }), answer };
}

/** Writes a record alone. Returns the existing record if there is one. */
export async function putRecord(table: Table, record: AnswerRecord, now: number): Promise<AnswerRecord | undefined> {
  try {
    const { parts, write } = splitRecord(record);
    await writePieces(table, parts);
    await table.write(write(now));
    return undefined;
  } catch (error) {
    if (error instanceof OutcomeUnknown) throw createNoAnswerProblem();
    if (!(error instanceof ConditionFailed)) throw error;
    return readRecord(table, await table.get(recordKey(record.id)), record.id, now);
  }
}
