import { PROBLEMS, Problem } from "../../domain/problems.ts";
import { isWrite } from "../contract/action.ts";
import type { Answer } from "../contract/answer.ts";
import type { View } from "../contract/view.ts";
import { attempt } from "./attempt.ts";
import { earlierAnswer, recordedAnswer, requestOf } from "./earlier-answer.ts";
import { allowed } from "./open-ledger.ts";
import { type Attempts, giveUpAt, type Running } from "./running.ts";
import { settle } from "./unsettled.ts";
import { createQueueSlot } from "./write-queue.ts";

/**
 * Prepares a call and decides on what is there, and again on what is there then, until the answer stands or the commit
 * succeeds. `contention` when other writers were faster for too long, `out_of_time` when the outcome of a commit stays
 * unknown.
 */
export async function answerCall(r: Running, opening: Promise<View> | undefined): Promise<Answer> {
  const claim = r.job ? r.job.claim : await requestOf(r);
  // After the head, so that a record written before that head was is seen; a failure to open it is told below.
  const opened = claim && (await opening?.catch(() => undefined));
  if (opened) await allowed(r, opening);
  const known = claim && !r.job && (await earlierAnswer(r, claim, opened));
  if (known) return known;
  const { payload, ports, call, request, service } = r;
  const prepared = r.job ? r.job.prepared : await r.action.prepare?.({ input: payload.input, ports, call });
  const giveUp = giveUpAt(r);
  const writes = isWrite(r.action) && !request.controls.dryRun;
  const slot = writes ? createQueueSlot(service.writeQueue, service.ambient, giveUp) : undefined;
  const attempts: Attempts = { prepared, claim, unsettled: [], slot, giveUp, isDecided: false, staged: false };
  try {
    return await untilAnswered(r, opening, attempts);
  } catch (error) {
    // A commit that may still be applied must not be answered like a call that can simply be sent again.
    const isDoubtful = attempts.unsettled.length > 0 && error instanceof Problem && PROBLEMS[error.code].retryable;
    throw isDoubtful ? await tooLate(attempts) : error;
  } finally {
    slot?.release();
    // Also where the call decided otherwise in the end, or was refused: nobody else would close what it staged.
    if (attempts.staged) await ports.store.giveUp();
  }
}

/** One attempt after the other, until there is an answer or the time is up. */
async function untilAnswered(r: Running, opening: Promise<View> | undefined, attempts: Attempts): Promise<Answer> {
  const { ambient } = r.service;
  for (let repeats = 0; ; repeats++) {
    try {
      const answer = await attempt(r, repeats === 0 ? opening : undefined, attempts);
      if (answer) return answer;
    } catch (error) {
      const instead = (await settle(r, attempts)) ?? (!r.job && (await answerOnRecord(r, attempts)));
      if (instead) return instead;
      // A commit of a job cannot be applied once the job has ended.
      if (r.job || !isPremature(error, attempts)) throw error;
    }
    if (ambient.now() >= (attempts.staged ? r.request.deadline : attempts.giveUp)) {
      const settled = await settle(r, attempts);
      if (settled) return settled;
      throw await tooLate(attempts);
    }
    // A call that waited in the queue has let others go first already.
    const waited = await attempts.slot?.take();
    if (!waited) await ambient.sleep(ambient.random() * Math.min(1_000, 20 * 2 ** repeats));
    r.call.repeat();
  }
}

/** The answer of the record that the call asked for, if another call or a late commit of its own has written one meanwhile. */
async function answerOnRecord(r: Running, attempts: Attempts): Promise<Answer | undefined> {
  const { claim } = attempts;
  const record = claim && (await r.ports.store.getRecord(claim.id));
  return record && recordedAnswer(r, claim, record, attempts);
}

/**
 * True for a refusal that came of what was read of one model, while a commit to another may still be applied. What the table
 * refuses to write it refuses to earlier commits as well.
 */
function isPremature(error: unknown, { unsettled, isDecided }: Attempts): boolean {
  const isRefusal = error instanceof Problem && !PROBLEMS[error.code].retryable;
  return isRefusal && !isDecided && unsettled.some(({ restsOnOthers }) => restsOnOthers);
}

/** The problem of a call whose time was up; few calls end in it. */
async function tooLate(attempts: Attempts): Promise<Problem> {
  return (await import("./too-late.ts")).tooLate(attempts);
}
