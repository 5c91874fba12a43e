import { Problem } from "../../domain/problems.ts";
import { type CallerNow, isWrite } from "../contract/action.ts";
import type { Answer } from "../contract/answer.ts";
import { IDENTITY_LEDGER, type View } from "../contract/view.ts";
import { commitOrConfirm } from "./commit-decision.ts";
import { answerOf, notModifiedAnswer, unlessKnown } from "./conditional-read.ts";
import { decide, type Made } from "./decide.ts";
import { createLedgers, type Ledgers } from "./ledgers.ts";
import { openQueued } from "./open-ledger.ts";
import type { Attempts, Running } from "./running.ts";
import { settle } from "./unsettled.ts";

/**
 * One attempt of a call: open what it addresses, check what the caller asked to hold, decide, check it once more, then
 * commit or confirm, and answer. Undefined when a ledger it read has changed meanwhile.
 */
export async function attempt(
  r: Running,
  opening: Promise<View> | undefined,
  attempts: Attempts,
): Promise<Answer | undefined> {
  const view = await openQueued(r, opening, attempts.slot);
  const ledgers = createLedgers(r.ports.store, view);
  const notModified = await notModifiedAnswer(r, ledgers);
  if (notModified) return notModified;
  await checkPreconditions(r, ledgers);
  const made = await decideOn(r, ledgers, attempts.prepared);
  // An earlier attempt may have become a revision after it was looked for. Whatever was read of it was there before this
  // look, so that no answer rests on the call's own work.
  const settled = await settle(r, attempts);
  if (settled) return settled;
  // Reading may have advanced the view, and a call that names its revision is decided at no other.
  await checkPreconditions(r, ledgers);
  if (made instanceof Problem) {
    if (!(await ledgers.confirm())) return undefined;
    throw made;
  }
  if (made.decision) return commitOrConfirm(r, ledgers, made.decision, attempts);
  if (!(await ledgers.confirm())) return undefined;
  return unlessKnown(r, await answerOf(r.action, made.reading, ledgers));
}

/**
 * The decision or reading that the action makes of the ledgers, or the problem it ends in, which holds only at their
 * revisions.
 */
async function decideOn(r: Running, ledgers: Ledgers, prepared: unknown): Promise<Made | Problem> {
  const { action, payload, call, ports } = r;
  const { view, tags, open } = ledgers;
  try {
    const caller = view?.ledgerId === IDENTITY_LEDGER && isWrite(action) ? await judged(r, view) : undefined;
    const accounts = () => ports.store.identity();
    return await decide(action, payload, { view, tags, open, prepared, call, ports, caller, accounts });
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** The caller as they are now, before anything that concerns accounts is decided; few calls write to these. */
async function judged({ action, call }: Running, view: View): Promise<CallerNow> {
  return (await import("./caller-now.ts")).judgeCaller(view, call, action);
}

/** Refuses when a ledger is at another revision than the caller named; few calls name any. */
async function checkPreconditions({ action, request, ports }: Running, ledgers: Ledgers): Promise<void> {
  if (request.controls.ifMatch.length === 0) return;
  await (await import("./preconditions.ts")).checkPreconditions(action, request.controls, ledgers, ports.store);
}
