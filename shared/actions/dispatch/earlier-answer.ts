import type { Answer, AnswerRecord, IdempotencyRequest } from "../contract/answer.ts";
import type { View } from "../contract/view.ts";
import type { Attempts, Running } from "./running.ts";
import { settle } from "./unsettled.ts";

/*
 * Few calls bring an idempotency key, so what reads and compares records is loaded for them alone.
 */

/** The record that a call with an idempotency key asks the store for; undefined for every other call. */
export async function requestOf({ payload, request, call, ports }: Running): Promise<IdempotencyRequest | undefined> {
  const key = request.controls.idempotencyKey;
  if (key === undefined) return undefined;
  return (await import("./idempotency.ts")).idempotencyRequestOf(payload, key, call, ports.digest);
}

/** The stored answer of an earlier call with the same idempotency key; undefined where there was none. */
export async function earlierAnswer(r: Running, claim: IdempotencyRequest, opened?: View): Promise<Answer | undefined> {
  const record = await r.ports.store.getRecord(claim.id);
  return record && replayed(r, claim, record, opened);
}

/** The answer that a record holds: the call's own where a commit of it arrived late, otherwise that of an earlier call. */
export async function recordedAnswer(
  r: Running,
  claim: IdempotencyRequest,
  record: AnswerRecord,
  attempts: Attempts,
): Promise<Answer> {
  // Only now: the commit may have arrived between the last look for it and the reading of its record.
  return (await settle(r, attempts)) ?? replayed(r, claim, record);
}

/** The stored answer, for the call that asks again. */
async function replayed(
  { ports }: Running,
  claim: IdempotencyRequest,
  record: AnswerRecord,
  opened?: View,
): Promise<Answer> {
  return (await import("./idempotency.ts")).replay(claim, record, ports.store, opened);
}
