import { PROBLEMS, Problem } from "../../domain/problems.ts";
import { isWrite } from "../contract/action.ts";
import type { Answer } from "../contract/call.ts";
import { IDENTITY_LEDGER, type ReadView } from "../contract/view.ts";
import { type CallContext, OpenedModels } from "./call-context.ts";
import { resolveCallerRights } from "./caller-rights.ts";
import { answerFromRecord, commitOrConfirm, outOfTries, resolvePendingCommits } from "./commit-decision.ts";
import { checkPreconditions, findCurrentCopy, formatReading, withoutKnownBody } from "./controls.ts";
import { createIdempotencyRequest, replayAnswer } from "./idempotency.ts";
import { type DecisionOrReading, decide, openForCall } from "./resolve.ts";
import { createQueueSlot } from "./write-queue.ts";

/**
 * Answers an authorized call. A read has no queue, no idempotency record and no commit. Both kinds decide again when a
 * model they read has changed meanwhile. Throws `contention` when other writers were faster for too long, and `out_of_time`
 * when the outcome of a commit stays unknown.
 */
export function answerCall(context: CallContext, opening?: Promise<ReadView>): Promise<Answer> {
  return isWrite(context.action) ? answerWrite(context, opening) : answerRead(context, opening);
}

async function answerRead(context: CallContext, opening: Promise<ReadView> | undefined): Promise<Answer> {
  await context.prepare();
  for (let repeats = 0; ; repeats++) {
    const answer = await attemptRead(context, repeats === 0 ? opening : undefined);
    if (answer) return answer;
    if (context.service.ambient.now() >= context.giveUpAt) throw outOfTries(context);
    await context.backOff(repeats);
    context.call.repeat();
  }
}

/** One attempt of a read. Returns undefined when a ledger it read has changed meanwhile. */
async function attemptRead(context: CallContext, opening: Promise<ReadView> | undefined): Promise<Answer | undefined> {
  // 1. Open the ledger addressed.
  const models = await openModels(context, opening);
  // 2. Compare it with the copy that the caller has.
  const current = context.controls.ifNoneMatch.length > 0 && (await findCurrentCopy(context));
  if (current) return current;
  // 3. Decide.
  const { value, failure } = await captureOutcome(decideOn(context));
  // 4. Confirm. A refusal holds only at the revisions that were read, like any other answer.
  if (!(await models.confirm())) return undefined;
  if (failure) throw failure.error;
  // 5. Answer. A read decides on a reading.
  const answer = await formatReading(context, value?.reading ?? { body: undefined });
  return context.controls.ifNoneMatch.length > 0 ? withoutKnownBody(context, answer) : answer;
}

async function answerWrite(context: CallContext, opening: Promise<ReadView> | undefined): Promise<Answer> {
  const { job, controls, service, payload, call, ports } = context;
  const key = controls.idempotencyKey;
  if (job) context.idempotency = job.claim;
  else if (key !== undefined) {
    context.idempotency = await createIdempotencyRequest(payload, key, call, ports.digest);
  }
  const recorded = !job && (await findRecordedAnswer(context, opening));
  if (recorded) return recorded;
  await context.prepare();
  if (!controls.dryRun) {
    context.queueSlot = createQueueSlot(service.writeQueue, service.ambient, context.giveUpAt);
  }
  try {
    return await repeatWrite(context, opening);
  } catch (error) {
    // A commit that may still be applied must not be answered like a call that can simply be sent again.
    const mayBeApplied = context.pendingCommits.length > 0;
    throw mayBeApplied && error instanceof Problem && PROBLEMS[error.code].retryable ? outOfTries(context) : error;
  } finally {
    context.queueSlot?.release();
    // Also when the call decided otherwise in the end, or was refused: nobody else would close its staged generation.
    if (context.hasStaged) await context.ports.store.abandon();
  }
}

/** Returns the answer of an earlier call with the same idempotency key; undefined if there was none. */
async function findRecordedAnswer(
  { idempotency, scoping, payload, ports }: CallContext,
  opening: Promise<ReadView> | undefined,
): Promise<Answer | undefined> {
  if (!idempotency) return undefined;
  // After the head, so that a record written before that head is found. A failure to open it is raised by the first attempt.
  const opened = await opening?.catch(() => undefined);
  if (opened) await scoping?.open(payload, opening);
  const record = await ports.store.getRecord(idempotency.id);
  return record && replayAnswer(idempotency, record, ports.store, opened);
}

/** Attempts a write until there is an answer or the time is up. */
async function repeatWrite(context: CallContext, opening: Promise<ReadView> | undefined): Promise<Answer> {
  const { service, job, idempotency, ports, call } = context;
  for (let repeats = 0; ; repeats++) {
    try {
      const answer = await attemptWrite(context, repeats === 0 ? opening : undefined);
      if (answer) return answer;
    } catch (error) {
      const committed = await resolvePendingCommits(context);
      if (committed) return committed;
      // Another call, or a late commit of this one, may have written the record meanwhile.
      const record = !job && idempotency && (await ports.store.getRecord(idempotency.id));
      if (record) return answerFromRecord(context, record);
      // A commit of a job cannot be applied once the job has ended.
      if (job || !mayBeOutdated(error, context)) throw error;
    }
    if (service.ambient.now() >= (context.hasStaged ? call.deadline : context.giveUpAt)) {
      const committed = await resolvePendingCommits(context);
      if (committed) return committed;
      throw outOfTries(context);
    }
    // A call that waited in the queue has let others go first already.
    const hasWaited = await context.queueSlot?.take();
    if (!hasWaited) await context.backOff(repeats);
    call.repeat();
  }
}

/** One attempt of a write. Returns undefined when a ledger it read has changed meanwhile. */
async function attemptWrite(context: CallContext, opening: Promise<ReadView> | undefined): Promise<Answer | undefined> {
  const { controls } = context;
  context.isCommitting = false;
  // 1. Open the ledger addressed, after the writers of this process that came before.
  const models = await openModels(context, opening);
  // 2. Check the revisions that the caller named.
  if (controls.ifMatch.length > 0) await checkPreconditions(context);
  // 3. Decide.
  const { value, failure } = await captureOutcome(decideOn(context));
  // 4. Resolve pending commits. An earlier attempt may have been applied after the last look for it. What this attempt has
  //    read of it was there before this look, so that no answer rests on the call's own work.
  const committed = await resolvePendingCommits(context);
  if (committed) return committed;
  // 5. Check the revisions again: reading may have advanced a view, and a call that names a revision is decided at no other.
  const outdated =
    controls.ifMatch.length > 0 ? (await captureOutcome(checkPreconditions(context))).failure : undefined;
  if (outdated ?? failure) {
    // A refusal holds only at the revisions that were read. The revision of a single ledger needs no confirmation.
    const isCertain = outdated !== undefined && (await models.all()).length === 1;
    if (!isCertain && !(await models.confirm())) return undefined;
    throw (outdated ?? failure)?.error;
  }
  // 6. Commit or confirm, then answer. A write decides on a commit.
  context.isCommitting = true;
  return commitOrConfirm(context, value?.decision as NonNullable<DecisionOrReading["decision"]>);
}

/** Opens the ledger addressed for the current attempt. */
async function openModels(context: CallContext, opening: Promise<ReadView> | undefined): Promise<OpenedModels> {
  context.models = new OpenedModels(context.ports.store, await openForCall(context, opening));
  return context.models;
}

/** Has the action decide on the ledgers that are open. */
async function decideOn(context: CallContext): Promise<DecisionOrReading> {
  const { action, payload, call, ports, prepared, models } = context;
  const { view, openTags: tags, open } = models;
  // The rights may have changed since the call was authorized, and accounts must not be changed with former rights.
  const isOfAccounts = view?.ledgerId === IDENTITY_LEDGER && isWrite(action);
  const caller = isOfAccounts ? await resolveCallerRights(view, call, action) : undefined;
  const accounts = () => ports.store.openIdentity();
  return decide(action, payload, { view, tags, open, prepared, call, ports, caller, accounts });
}

/** The value of a step, or the error that it failed with. */
interface StepOutcome<T> {
  readonly value?: T;
  readonly failure?: { readonly error: unknown };
}

function captureOutcome<T>(step: Promise<T>): Promise<StepOutcome<T>> {
  return step.then(
    (value) => ({ value }),
    (error: unknown) => ({ failure: { error } }),
  );
}

/**
 * Returns true for a refusal that follows from what was read of one model, while a pending commit to another model may still
 * be applied. A commit that the table refuses is refused for the pending commits as well.
 */
function mayBeOutdated(error: unknown, { pendingCommits, isCommitting }: CallContext): boolean {
  const isRefusal = error instanceof Problem && !PROBLEMS[error.code].retryable;
  return isRefusal && !isCommitting && pendingCommits.some(({ readsOthers }) => readsOthers);
}
