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
  attempts.isDecided = false;
  const view = await openQueued(r, opening, attempts.slot);
  const ledgers = createLedgers(r.ports.store, view);
  const notModified = await notModifiedAnswer(r, ledgers);
  if (notModified) return notModified;
  await checkPreconditions(r, ledgers);
  const deciding = decideOn(r, ledgers, attempts.prepared);
  const failed = await errorOf(deciding);
  // An earlier attempt may have become a revision after it was looked for. Whatever was read of it was there before this
  // look, so that no answer rests on the call's own work.
  const settled = await settle(r, attempts);
  if (settled) return settled;
  // Reading may have advanced the view, and a call that names its revision is decided at no other.
  const outdated = await errorOf(checkPreconditions(r, ledgers));
  const failure = outdated ?? failed;
  if (failure) {
    // The revision of one ledger is that of one moment.
    const isSure = failure === outdated && (await ledgers.all()).length === 1;
    if (!isSure && !(await ledgers.confirm())) return undefined;
    throw failure.error;
  }
  const made = await deciding;
  attempts.isDecided = true;
  if (made.decision) return commitOrConfirm(r, ledgers, made.decision, attempts);
  if (!(await ledgers.confirm())) return undefined;
  return unlessKnown(r, await answerOf(r.action, made.reading, ledgers));
}

/** The decision or reading that the action makes of the ledgers. */
async function decideOn(r: Running, ledgers: Ledgers, prepared: unknown): Promise<Made> {
  const { action, payload, call, ports } = r;
  const { view, tags, open } = ledgers;
  const caller = view?.ledgerId === IDENTITY_LEDGER && isWrite(action) ? await judged(r, view) : undefined;
  const accounts = () => ports.store.identity();
  return decide(action, payload, { view, tags, open, prepared, call, ports, caller, accounts });
}

/**
 * The error that a step ended in. It stands only at the revisions that were read: a refusal may be of what is no longer so,
 * and where parts of a model are of different moments even what can never be may have been read.
 */
function errorOf(step: Promise<unknown>): Promise<{ readonly error: unknown } | undefined> {
  return step.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
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
