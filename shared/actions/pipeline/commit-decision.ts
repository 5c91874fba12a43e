import { createHash } from "node:crypto";
import { LIMITS } from "../../domain/limits.ts";
import type { Change } from "../../domain/model/changes.ts";
import { includeMember } from "../../domain/model/content.ts";
import { PROBLEMS, Problem } from "../../domain/problems.ts";
import { toCanonicalJson } from "../../domain/text/json-values.ts";
import type { Decision, RemovedRow } from "../contract/action.ts";
import {
  type Answer,
  type AnswerRecord,
  type Call,
  type ExpectedRevision,
  formatEtag,
  type IdempotencyRequest,
  type Payload,
} from "../contract/call.ts";
import type { Job } from "../contract/jobs.ts";
import type { Commit, CommitOutcome, Store } from "../contract/store.ts";
import { type ReadView, TAGS_LEDGER } from "../contract/view.ts";
import { checkDelivery, createRecord, isLarge } from "./answer-size.ts";
import type { CallContext } from "./call-context.ts";

/** Commits or confirms a decision and returns the answer. Undefined when the call has to decide again. */
export async function commitOrConfirm(context: CallContext, decision: Decision): Promise<Answer | undefined> {
  const { action, models, controls, scoping, ports } = context;
  const view = decision.begins ?? models.view;
  if (!view) throw new Error(`${action.name} decided on no model`);
  scoping?.checkNewKeys(decision);
  if (action.manyModels && controls.ifMatch.length > 0) await checkTagsUsed(context);
  // The model that was read for a new one has to be at its revision as well.
  if (decision.begins && models.view && !(await ports.store.confirm(models.view))) return undefined;
  if (decision.custom && !(await models.confirm(listWrittenLedgers(view, decision)))) return undefined;
  if (decision.changes.length === 0) return confirmUnchanged(context, view, decision);
  return controls.dryRun ? preview(context, view, decision) : commit(context, view, decision);
}

/** Throws `bad_precondition` if `If-Match` names a model that the call did not concern. */
async function checkTagsUsed({ models, controls }: CallContext): Promise<void> {
  const views = await models.all();
  const tag = controls.ifMatch.find((revision) => views.every(({ ledgerId }) => ledgerId !== revision.ledgerId));
  if (!tag) return;
  throw new Problem(
    "bad_precondition",
    `If-Match: the tag ${formatEtag(tag)} is of a model that no entry concerns; leave it out`,
  );
}

async function confirmUnchanged(context: CallContext, view: ReadView, decision: Decision): Promise<Answer | undefined> {
  const { job, idempotency, ports } = context;
  // Before confirming, which may advance the view.
  const answer = formatWrite(context, view, decision, view.revision, false);
  if (!(await confirmAll(context, view))) return undefined;
  if (idempotency) await checkDelivery(context, answer);
  const record = idempotency && createRecord(idempotency, answer);
  if (job) {
    await ports.jobs.finish({ lease: job.lease, result: answer.body }, record);
    return answer;
  }
  const duplicate = record && (await ports.store.putRecord(record));
  return duplicate ? answerFromRecord(context, duplicate) : answer;
}

/** Returns the answer of a dry run; throws the problem that a commit would be refused with. */
async function preview(context: CallContext, view: ReadView, decision: Decision): Promise<Answer | undefined> {
  const { ports, call } = context;
  const answerAt = createAnswers(context, view, decision);
  // The revision in the answer does not exist, so there is no entity tag. Confirming may advance the view.
  const { etag: _, ...answer } = answerAt(view.revision + 1);
  const commitAt = await createCommits(context, view, decision, answerAt);
  const refusal = await findRefusal(() => ports.store.preview(view, commitAt(view.revision + 1), call));
  if (!(await confirmAll(context, view))) return undefined;
  if (refusal) throw refusal;
  return answer;
}

async function commit(context: CallContext, view: ReadView, decision: Decision): Promise<Answer | undefined> {
  const { action, controls, job, ports, call, idempotency } = context;
  const { store } = ports;
  // A generation takes long and blocks others no more than a read, until its last step.
  if (decision.publish) context.queueSlot?.release();
  const answerAt = createAnswers(context, view, decision);
  const commitAt = await createCommits(context, view, decision, answerAt);
  const next = view.revision + 1;
  const refusal = await findRefusal(async () => {
    await checkDelivery(context, answerAt(next));
    commitAt(next);
  });
  // Like any refusal, it holds only at the revisions that were read.
  if (refusal && !(await confirmAll(context, view))) return undefined;
  if (refusal) throw refusal;
  // A call that names its revision commits at no other, and some answers hold for one revision only.
  const isFixed = controls.ifMatch.length > 0 || isLarge(answerAt(next)) || decision.custom?.isFixed;
  const rebase = isFixed ? undefined : commitAt;
  const orJob = action.mayBecomeJob && !job && !decision.holdsSecrets;
  const outcome = await store
    .commit(view, { ...commitAt(next), ...(rebase && { rebase }), ...(orJob && { orJob }) }, call)
    .catch((error: unknown): CommitOutcome => {
      // If the key was free before, this is a conflict: the next attempt knows what it means.
      if (decision.keysLookedUp && error instanceof Problem && error.code === "key_taken") return "conflict";
      throw error;
    });
  context.lastOutcome = outcome;
  context.hasStaged ||= outcome === "conflict_after_staging" || outcome === "staging_abandoned";
  if (outcome === "unknown") {
    context.pendingCommits.push({ view, decision, readsOthers: await readsOthers(context, view, decision) });
  }
  if (typeof outcome === "string") return undefined;
  if ("tooLong" in outcome) {
    // A commit that may still be applied is not given to a worker, who would do it a second time: the call waits for it.
    // It is never applied if another call with the same idempotency key was faster.
    if (context.pendingCommits.length > 0) {
      const record = idempotency && (await store.getRecord(idempotency.id));
      return record && answerFromRecord(context, record);
    }
    await store.preview(view, { ...commitAt(view.revision + 1), orJob: true }, call);
    return acceptJob(context, outcome.tooLong);
  }
  if ("duplicate" in outcome) {
    return idempotency ? answerFromRecord(context, outcome.duplicate) : answerAt(view.revision + 1);
  }
  await store.waitUntilListed(decision);
  return answerAt(outcome.revision);
}

/** Returns the answer by revision. Each is made once: the record keeps the very answer given. */
function createAnswers(context: CallContext, view: ReadView, decision: Decision): (revision: number) => Answer {
  const answers = new Map<number, Answer>();
  return (revision) => {
    const answer = answers.get(revision) ?? formatWrite(context, view, decision, revision, true);
    answers.set(revision, answer);
    return answer;
  };
}

async function createCommits(
  { controls, models, idempotency, job }: CallContext,
  view: ReadView,
  decision: Decision,
  answerAt: (revision: number) => Answer,
): Promise<(revision: number) => Commit> {
  // The revisions that the caller named of ledgers that the commit does not write to.
  const expectedRevisions: readonly ExpectedRevision[] = controls.ifMatch.filter((revision) =>
    listWrittenLedgers(view, decision).every(({ ledgerId }) => ledgerId !== revision.ledgerId),
  );
  const tagsSeen = decision.custom ? undefined : (await models.getShownTags())?.revision;
  return (revision) => {
    const answer = idempotency || job ? answerAt(revision) : undefined;
    return {
      ...includeMember("tagsSeen", tagsSeen),
      ...decision,
      expectedRevisions,
      ...(idempotency && answer && { record: createRecord(idempotency, answer) }),
      ...(job && { job: { lease: job.lease, result: answer?.body, checkRights: job.checkRights } }),
    };
  };
}

/** Tests whether everything that a decision without a commit rests on still held. */
async function confirmAll({ models, ports }: CallContext, view: ReadView): Promise<boolean> {
  const isOpened = (await models.all()).includes(view);
  return (isOpened || (await ports.store.confirm(view))) && models.confirm();
}

/** Returns the problem of a dry run. It holds only if the ledgers read have not changed. */
async function findRefusal(run: () => Promise<void>): Promise<Problem | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (error instanceof Problem && !PROBLEMS[error.code].retryable) return error;
    throw error;
  }
}

/** Tests whether a model was only read. The tags that a commit uses are conditions of the commit. */
async function readsOthers({ models }: CallContext, view: ReadView, decision: Decision): Promise<boolean> {
  const ledgers = listWrittenLedgers(view, decision);
  return (await models.all()).some((one) => one.ledgerId !== TAGS_LEDGER && !ledgers.includes(one));
}

/** Returns the ledgers written to; their logs ensure that what was read there still holds. */
function listWrittenLedgers(view: ReadView, { alongside = [] }: Decision): readonly ReadView[] {
  return [view, ...alongside.map((part) => part.view)];
}

/** Returns the answer of an applied pending commit. Forgets those whose revision is taken. */
export async function resolvePendingCommits(context: CallContext): Promise<Answer | undefined> {
  const { pendingCommits, ports, call } = context;
  for (const pending of [...pendingCommits]) {
    const { view, decision } = pending;
    const revision = view.revision + 1;
    const holder = await ports.store.findOperation(view.ledgerId, revision);
    if (holder === call.operationId) {
      await ports.store.waitUntilListed(decision);
      return formatWrite(context, view, decision, revision, true);
    }
    if (holder !== undefined) pendingCommits.splice(pendingCommits.indexOf(pending), 1);
  }
  return undefined;
}

/** Returns the answer of an applied pending commit. Revokes the others, as far as the store can. */
export async function revokePendingCommits(context: CallContext): Promise<Answer | undefined> {
  const { pendingCommits, ports } = context;
  const answer = await resolvePendingCommits(context);
  if (answer || pendingCommits.length === 0) return answer;
  for (const pending of [...pendingCommits]) {
    if (await ports.store.revoke(pending.view)) pendingCommits.splice(pendingCommits.indexOf(pending), 1);
  }
  context.lastOutcome = "staging_abandoned";
  // One that was not revoked may have been applied meanwhile.
  return resolvePendingCommits(context);
}

/** Returns the call's own answer if its commit arrived late, else that of an earlier call. */
export async function answerFromRecord(context: CallContext, record: AnswerRecord): Promise<Answer> {
  const { idempotency, ports } = context;
  // Only now: the commit may have arrived before its record was read.
  const answer = await resolvePendingCommits(context);
  if (answer || !idempotency) return answer ?? record.answer;
  return replayAnswer(idempotency, record, ports.store);
}

/** Returns the problem of a call whose time was up before an attempt succeeded. */
export function toFinalProblem({ pendingCommits, lastOutcome }: CallContext): Problem {
  const retryAfter = 1;
  if (pendingCommits.length > 0) {
    const detail = "the store did not say whether the change was made; read again before repeating it";
    return new Problem("out_of_time", detail, { retryAfter });
  }
  if (lastOutcome === "staging_abandoned") {
    const detail = "the store gave no clear answer to what it was to write; nothing was changed, so try again";
    return new Problem("unavailable", detail, { retryAfter });
  }
  return new Problem("contention", "too many writers work on this model; try again", { retryAfter });
}

/** Hands a call too large for one commit to a worker, with everything it was decided from. */
async function acceptJob(context: CallContext, objects: number): Promise<Answer> {
  const { action, payload, controls, call, ports, prepared, idempotency } = context;
  const { principal, channel, requestId, run } = call;
  if (objects > LIMITS.objectsPerJob || !principal) {
    throw new Problem(
      "too_large",
      `one job may write ${LIMITS.objectsPerJob} objects, but this one has ${objects}; split the model`,
    );
  }
  const { actorId, issuer, subject, fullname, claimedRoles, apiToken } = principal;
  const { preparedFrom = [] } = action;
  const input = Object.fromEntries(Object.entries(payload.input).filter(([name]) => !preparedFrom.includes(name)));
  const order = {
    payload: { ...payload, input },
    prepared: action.prepareAgain ? undefined : prepared,
    channel,
    requestId,
    principal: { actorId, issuer, subject, fullname, claimedRoles, ...includeMember("apiToken", apiToken) },
    ...(idempotency && { claim: idempotency }),
    ...includeMember("run", run),
    ifMatch: controls.ifMatch.map(({ ledgerId: modelId, revision }) => ({ modelId, revision })),
  };
  return formatAccepted(await ports.jobs.accept(call, order, objects));
}

/** Returns the answer of a call that became a job. */
export function formatAccepted(job: Job): Answer {
  return { mediaType: "application/json", body: { status: "accepted", job: `id:${job.id}` }, accepted: true };
}

/** The part of an answer that lists the objects deleted together with another one. */
export interface Removals {
  readonly count: number;
  readonly items: readonly RemovedRow[];
}

/** The standard answer of a write. */
export interface WriteAnswer {
  readonly status: "ok";
  readonly id: string;
  readonly key: string;
  readonly revision: number;
  readonly changed: boolean;
  readonly removed?: Removals;
  readonly dryRun?: true;
  readonly changes?: readonly ChangeRow[];
}

interface ChangeRow {
  readonly change: Change["does"];
  readonly kind: string;
  readonly id: string;
  readonly key: string;
}

function formatWrite(
  { action, controls }: CallContext,
  { ledgerId }: ReadView,
  decision: Decision,
  revision: number,
  isChanged: boolean,
): Answer {
  const custom = decision.custom?.create(revision);
  return {
    mediaType: action.output.mediaType,
    body: formatWritten(decision, revision, isChanged, controls),
    ...includeMember("recorded", custom?.recorded),
    ...includeMember("etag", custom ? custom.etag : formatEtag({ ledgerId, revision })),
  };
}

/** Returns the answer body at a revision, with at most `removedRows` of the removed objects. */
export function formatWritten(
  decision: Decision,
  revision: number,
  isChanged: boolean,
  { dryRun = false, removedRows = LIMITS.removedRows }: { readonly dryRun?: boolean; readonly removedRows?: number },
): object {
  const dryRunMembers = dryRun ? { ...decision.preview, dryRun: true as const, changes: listChanges(decision) } : {};
  if (decision.custom) return { ...decision.custom.create(revision).body, ...dryRunMembers };
  const standard: WriteAnswer = {
    status: "ok",
    ...decision.subject,
    revision,
    changed: isChanged,
    ...decision.extra,
    ...(decision.removals && { removed: formatRemoved(decision.removals, removedRows) }),
    ...(!dryRun && decision.shownOnce),
    ...dryRunMembers,
  };
  return standard;
}

/** Returns the number of removed objects, and the first `most` of them. */
export function formatRemoved(rows: readonly RemovedRow[], most: number = LIMITS.removedRows): Removals {
  return { count: rows.length, items: rows.slice(0, most) };
}

function listChanges({ changes, alongside = [] }: Decision): readonly ChangeRow[] {
  const all = [...changes, ...alongside.flatMap((part) => part.changes)];
  return all.slice(0, LIMITS.listedChanges).map((change) => {
    const { kind, id, key } = change.does === "delete" ? change.before : change.after;
    return { change: change.does, kind, id, key };
  });
}

/** Returns the record that a call with an idempotency key asks for. The keyed `digest` hides the payload. */
export async function createIdempotencyRequest(
  { path, input }: Payload,
  key: string,
  call: Call,
  digest: (text: string) => Promise<string>,
): Promise<IdempotencyRequest> {
  return {
    id: createHash("sha256")
      .update(JSON.stringify([...listOwner(call), call.action, key]))
      .digest("base64url"),
    fingerprint: await digest(toCanonicalJson({ path: path.map(({ ref }) => ref), input })),
    expiresAt: Math.floor(Date.parse(call.time) / 1000) + LIMITS.idempotencyHours * 3_600,
  };
}

/** Returns the owner: the actor, or an API token for some models, which must not see its actor's other acts. */
function listOwner({ principal }: Call): readonly string[] {
  if (!principal) return [""];
  const { actorId, within, apiToken } = principal;
  return within && apiToken !== undefined ? [actorId, apiToken] : [actorId];
}

/**
 * Returns the recorded answer once its commit is visible to every reader; the ledger `view` of the call at that
 * revision already is. Throws `idempotency_key_reused` if the key was used with another payload, and `job_running` while a
 * job works on the call.
 */
export async function replayAnswer(
  claim: IdempotencyRequest,
  record: AnswerRecord,
  store: Pick<Store, "findOperation">,
  view?: Pick<ReadView, "ledgerId" | "revision">,
): Promise<Answer> {
  if (record.fingerprint === claim.fingerprint && record.job !== undefined) {
    throw new Problem("job_running", `the job id:${record.job} works on this call; ask batch/job_get for it`, {
      retryAfter: 5,
    });
  }
  if (record.fingerprint === claim.fingerprint) {
    // The record may be visible before the rest of its transaction. The next read would return the former state.
    for (const { id, revision, isListed } of listRevisions(record.answer)) {
      const isOpened = view?.ledgerId === id && view.revision >= revision;
      if (!isOpened || isListed) await store.findOperation(id, revision);
    }
    return { ...record.answer, replayed: true };
  }
  throw new Problem(
    "idempotency_key_reused",
    "this idempotency key was used for a call with other parameters; use a new key for a new call",
  );
}

/** Revision of a ledger; `isListed` if the row in the list of models may have changed with it. */
interface NamedRevision {
  readonly id: string;
  readonly revision: number;
  readonly isListed: boolean;
}

function listRevisions({ etag = "", body }: Answer): readonly NamedRevision[] {
  const members = Object(body) as { id?: string; revisions?: readonly Omit<NamedRevision, "isListed">[] };
  // A batch may have made several.
  if (members.revisions) return members.revisions.map(({ id, revision }) => ({ id, revision, isListed: true }));
  const [, id, revision] = /^(.+)-(\d+)/.exec(etag) ?? [];
  return id === undefined ? [] : [{ id, revision: Number(revision), isListed: id === members.id }];
}
