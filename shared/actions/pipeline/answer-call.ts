import type { Principal } from "../../domain/accounts/principal.ts";
import { PROBLEMS, Problem } from "../../domain/problems.ts";
import { type Action, isWrite, type Reading } from "../contract/action.ts";
import { type Answer, type Controls, formatEtag, type IdempotencyRequest } from "../contract/call.ts";
import type { Runs } from "../contract/runs.ts";
import type { Store } from "../contract/store.ts";
import { IDENTITY_LEDGER, type ReadView, TAGS_LEDGER } from "../contract/view.ts";
import { type CallContext, OpenedModels } from "./call-context.ts";
import { resolveCallerRights } from "./caller-rights.ts";
import {
  answerFromRecord,
  commitOrConfirm,
  createIdempotencyRequest,
  replayAnswer,
  resolvePendingCommits,
  revokePendingCommits,
  toFinalProblem,
} from "./commit-decision.ts";
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
    if (context.service.runtime.now() >= context.giveUpAt) throw toFinalProblem(context);
    await context.backOff(repeats);
    context.call.repeat();
  }
}

/** One attempt of a read. Returns undefined when a ledger it read has changed meanwhile. */
async function attemptRead(context: CallContext, opening: Promise<ReadView> | undefined): Promise<Answer | undefined> {
  // 1. Open the ledger addressed.
  context.models = new OpenedModels(context.ports.store, await openForCall(context, opening));
  const { models } = context;
  // 2. Compare it with the copy that the caller has.
  const current = context.controls.ifNoneMatch.length > 0 && (await findCurrentCopy(context));
  if (current) return current;
  // 3. Decide.
  let reading: Reading = { body: undefined };
  try {
    ({ reading = reading } = await decideOn(context));
  } catch (error) {
    // A refusal holds only at the revisions that were read, like any other answer.
    if (await models.confirm()) throw error;
    return undefined;
  }
  // 4. Confirm.
  if (!(await models.confirm())) return undefined;
  // 5. Answer.
  const answer = await formatReading(context, reading);
  return context.controls.ifNoneMatch.length > 0 ? withoutKnownBody(context, answer) : answer;
}

async function answerWrite(context: CallContext, opening: Promise<ReadView> | undefined): Promise<Answer> {
  const { job, controls, service, payload, call, ports } = context;
  const key = controls.idempotencyKey;
  if (job) context.idempotency = job.claim;
  else if (key !== undefined) {
    context.idempotency = await createIdempotencyRequest(payload, key, call, ports.digest);
  }
  const replay = !job && context.idempotency && (await findRecordedAnswer(context, context.idempotency, opening));
  if (replay) return replay;
  await context.prepare();
  if (!controls.dryRun) {
    context.queueSlot = createQueueSlot(service.writeQueue, service.runtime, context.giveUpAt);
  }
  try {
    // The body for the idempotency record is not part of the answer.
    const { recorded: _, ...answer } = await repeatWrite(context, opening);
    return answer;
  } catch (error) {
    // A commit that may still be applied must not be answered like a call that can simply be sent again.
    const mayBeApplied = context.pendingCommits.length > 0;
    throw mayBeApplied && error instanceof Problem && PROBLEMS[error.code].retryable ? toFinalProblem(context) : error;
  } finally {
    context.queueSlot?.release();
    // Also after another decision or a refusal: nobody else would close the staged generation.
    if (context.hasStaged) await context.ports.store.abandon();
  }
}

async function findRecordedAnswer(
  { scoping, payload, ports }: CallContext,
  idempotency: IdempotencyRequest,
  opening: Promise<ReadView> | undefined,
): Promise<Answer | undefined> {
  // After the head, so that a record written before that head is found. A failure to open it is raised by the first attempt.
  const view = await opening?.catch(() => undefined);
  if (view) await scoping?.open(payload, opening);
  const record = await ports.store.getRecord(idempotency.id);
  return record && replayAnswer(idempotency, record, ports.store, view);
}

/** Attempts a write until there is an answer or the time is up. */
async function repeatWrite(context: CallContext, opening: Promise<ReadView> | undefined): Promise<Answer> {
  const { service, job, idempotency, ports, call } = context;
  for (let repeats = 0; ; repeats++) {
    try {
      const answer = await attemptWrite(context, repeats === 0 ? opening : undefined);
      if (answer) return answer;
    } catch (error) {
      const answer = await resolvePendingCommits(context);
      if (answer) return answer;
      // Another call, or a late commit of this one, may have written the record meanwhile.
      const record = !job && idempotency && (await ports.store.getRecord(idempotency.id));
      if (record) return answerFromRecord(context, record);
      // A commit of a job cannot be applied once the job has ended.
      if (job || !mayBeOutdated(error, context)) throw error;
    }
    if (service.runtime.now() >= (context.hasStaged ? call.deadline : context.giveUpAt)) {
      const answer = await revokePendingCommits(context);
      if (answer) return answer;
      throw toFinalProblem(context);
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
  context.models = new OpenedModels(context.ports.store, await openForCall(context, opening));
  const { models } = context;
  // 2. Check the revisions that the caller named.
  if (controls.ifMatch.length > 0) await checkPreconditions(context);
  // 3. Decide.
  let result: DecisionOrReading | undefined;
  let failure: { readonly error: unknown } | undefined;
  try {
    result = await decideOn(context);
  } catch (error) {
    failure = { error };
  }
  // 4. Resolve pending commits. An earlier attempt may have been applied after the last look for it. What this attempt has
  //    read of it was there before this look, so that no answer rests on the call's own work.
  const answer = context.pendingCommits.length > 0 && (await resolvePendingCommits(context));
  if (answer) return answer;
  // 5. Check the revisions again: reading may have advanced a view, and a call that names a revision is decided at no other.
  const mismatch =
    controls.ifMatch.length > 0 ? await checkPreconditions(context).catch((error: unknown) => ({ error })) : undefined;
  if (mismatch ?? failure) {
    // A refusal holds only at the revisions that were read. The revision of a single ledger needs no confirmation.
    const isCertain = mismatch !== undefined && (await models.all()).length === 1;
    if (!isCertain && !(await models.confirm())) return undefined;
    throw (mismatch ?? failure)?.error;
  }
  // 6. Commit or confirm, then answer. A write decides on a commit.
  context.isCommitting = true;
  return commitOrConfirm(context, result?.decision as NonNullable<DecisionOrReading["decision"]>);
}

async function decideOn(context: CallContext): Promise<DecisionOrReading> {
  const { action, payload, call, ports, prepared, models } = context;
  const { view } = models;
  const tags = () => models.openTags();
  const open: Store["open"] = (...parameters) => models.open(...parameters);
  // The rights may have changed meanwhile; accounts must not be changed with former rights.
  const isOfAccounts = view?.ledgerId === IDENTITY_LEDGER && isWrite(action);
  const caller = isOfAccounts ? await resolveCallerRights(view, call, action) : undefined;
  const accounts = () => ports.store.openIdentity();
  return decide(action, payload, { view, tags, open, prepared, call, ports, caller, accounts });
}

/**
 * Returns true for a refusal that follows from what was read of one model, while a pending commit to another model may still
 * be applied. A commit that the table refuses is refused for the pending commits as well.
 */
function mayBeOutdated(error: unknown, { pendingCommits, isCommitting }: CallContext) {
  const isRefusal = error instanceof Problem && !PROBLEMS[error.code].retryable;
  return isRefusal && !isCommitting && pendingCommits.some(({ readsOthers }) => readsOthers);
}

/** Refuses controls that cannot apply to the action (`bad_precondition`); no control is ignored. */
export function checkControls(action: Action, controls: Controls): void {
  const refuse = (header: string, reason: string): never => {
    throw new Problem("bad_precondition", `${header} cannot apply to ${action.group}/${action.name}: ${reason}`);
  };
  const addressesModel = [action.target, action.within, action.ledger].some((address) => address !== undefined);
  const many = action.manyModels === true;
  if (controls.ifMatch.length > 0 && !(isWrite(action) && (addressesModel || many))) {
    refuse("If-Match", "it does not write to an existing model");
  }
  if (controls.ifMatch.length > 1 && !many) refuse("If-Match", "the action concerns one model, so one tag is enough");
  if (controls.ifNoneMatch.length > 0 && (isWrite(action) || !addressesModel)) {
    refuse("If-None-Match", "it does not read one model");
  }
  if (controls.dryRun && !isWrite(action)) refuse("Dry-Run", "it writes nothing");
  if (controls.run !== undefined && !isWrite(action)) refuse("Run", "it writes nothing");
  if (controls.idempotencyKey !== undefined && action.answersSecret) {
    refuse("Idempotency-Key", "it answers a secret, which is never kept to be answered again");
  }
  if (controls.idempotencyKey !== undefined && !isWrite(action)) refuse("Idempotency-Key", "it does not write");
  if (controls.idempotencyKey !== undefined && controls.dryRun) {
    refuse("Idempotency-Key", "a dry run writes nothing, so there is nothing to repeat");
  }
}

/** Throws `not_allowed` for a run that does not exist or belongs to another actor. */
export async function checkRun(id: string, principal: Principal | undefined, runs: Pick<Runs, "get">): Promise<void> {
  const run = await runs.get(id);
  if (run && run.actor === principal?.actorId) return;
  throw new Problem("not_allowed", `Run: you have no run id:${id}; begin one with model/run_begin`);
}

/** Throws `precondition_failed` if `If-Match` names another revision than the one read. */
async function checkPreconditions({ action, models, controls, ports }: CallContext) {
  const views = action.manyModels ? await models.all() : models.view ? [models.view] : [];
  for (const view of views) {
    // A call that concerns many models may bring an entity tag for each of them, or for none.
    const concerns = ({ ledgerId }: { readonly ledgerId: string }) => !action.manyModels || ledgerId === view.ledgerId;
    for (const tag of controls.ifMatch.filter(concerns)) {
      if (tag.ledgerId === view.ledgerId && tag.revision === view.revision) continue;
      const isOlder = tag.ledgerId === view.ledgerId && tag.revision < view.revision;
      const changesSince = isOlder ? await ports.store.listCommitsSince(view, tag.revision) : undefined;
      const detail =
        tag.ledgerId === view.ledgerId
          ? `${describeLedger(view)} is at revision ${view.revision}, not ${tag.revision}; read it again and decide on the new state`
          : `the tag ${formatEtag(tag)} is not of ${describeLedger(view)} (${view.ledgerId})`;
      throw new Problem("precondition_failed", detail, {
        currentRevision: view.revision,
        ...(changesSince && { changesSince }),
      });
    }
  }
}

function describeLedger({ ledgerId, modelKey }: ReadView) {
  if (ledgerId === IDENTITY_LEDGER) return "the ledger of users, actors and roles";
  return ledgerId === TAGS_LEDGER ? "the ledger of tags" : `the model ${modelKey}`;
}

/** Returns the answer 304, before anything else is read, if the caller's copy is still current. */
async function findCurrentCopy(context: CallContext): Promise<Answer | undefined> {
  const { view } = context.models;
  if (!view || readsPast(context)) return undefined;
  const etag = await findMatchingTag(view, context);
  if (etag === undefined) return undefined;
  return { mediaType: context.action.output.mediaType, body: undefined, etag, notModified: true };
}

/** Returns the entity tag of the caller's copy if it is current; `*` matches any (RFC 9110 section 13.1.2). */
async function findMatchingTag(view: ReadView, { models, controls }: CallContext): Promise<string | undefined> {
  const { ifNoneMatch } = controls;
  const etag = formatEtag(view);
  if (ifNoneMatch.includes(etag) || ifNoneMatch.includes("*")) return etag;
  if (!ifNoneMatch.some((tag) => tag.startsWith(`${etag}.`))) return undefined;
  const withTags = formatEtag(view, await models.openOtherTags());
  return ifNoneMatch.includes(withTags) ? withTags : undefined;
}

/** Returns the answer of a read at the revision up to which it was confirmed. */
async function formatReading({ action, models }: CallContext, reading: Reading): Promise<Answer> {
  const { view } = models;
  return {
    mediaType: action.output.mediaType,
    // Confirming may have advanced the view.
    body: view && reading.showsRevision ? { ...reading.body, revision: view.revision } : reading.body,
    ...(view && { etag: reading.etag ?? formatEtag(view, await models.getShownTags()) }),
    ...(reading.next !== undefined && { next: reading.next }),
  };
}

/** Removes the body and the next page of an answer if the caller already has that past state. */
function withoutKnownBody(context: CallContext, answer: Answer): Answer {
  const { ifNoneMatch } = context.controls;
  const isKnown = answer.etag !== undefined && (ifNoneMatch.includes(answer.etag) || ifNoneMatch.includes("*"));
  if (!readsPast(context) || !isKnown) return answer;
  const { next: _, ...rest } = answer;
  return { ...rest, body: undefined, notModified: true };
}

/** Tests for the entity tag of a past state, which is known only after reading it. */
function readsPast({ action, payload: { input } }: CallContext) {
  return action.past === true && (input.version ?? input.revision) !== undefined;
}
