import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import type { Answer, AnswerRecord, IdempotencyRequest } from "../contract/call.ts";
import type { CallContext } from "./call-context.ts";

/** Returns the bytes of a value as JSON in UTF-8. */
export function measureJson(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

const sizes = new WeakMap<Answer, number>();

/** Returns the bytes of the body of an answer, which are counted once. */
function measureBody(answer: Answer) {
  const bytes = sizes.get(answer) ?? measureJson(answer.body);
  sizes.set(answer, bytes);
  return bytes;
}

/** Bytes that every transport delivers: no character takes more than six bytes in an escaped body. */
const DELIVERABLE_BYTES = Math.floor(LIMITS.responseBytes / 6);

/** Throws `result_too_large` for an undeliverable answer, before anything is written. */
export async function checkDelivery({ checkAnswer }: Pick<CallContext, "checkAnswer">, answer: Answer): Promise<void> {
  if (measureBody(answer) > DELIVERABLE_BYTES) await checkAnswer?.(answer);
}

/** Tests for a size that holds at one revision only: another may have more digits. */
export function isLarge(answer: Answer): boolean {
  return measureBody(answer) > LIMITS.idempotencyRecordBytes / 2;
}

/**
 * Returns the idempotency record of a call with the part of its answer that a replay returns. Throws `too_large` for an
 * answer that a record cannot hold. The client relies on the begin of this message.
 */
export function createRecord(request: IdempotencyRequest, { recorded, ...answer }: Answer): AnswerRecord {
  const storedAnswer = recorded === undefined ? answer : { ...answer, body: recorded };
  const bytes = measureJson(storedAnswer.body);
  if (bytes <= LIMITS.idempotencyRecordBytes) return { ...request, answer: storedAnswer };
  const detail =
    `Idempotency-Key: the answer has ${bytes} bytes without the results of reads, and a stored answer has at most ${LIMITS.idempotencyRecordBytes} (limit idempotencyRecordBytes). ` +
    `Split the call, or send it without the header`;
  throw new Problem("too_large", detail);
}
