import { ifDefined } from "../../domain/content.ts";
import { Problem } from "../../domain/problems.ts";
import type { Answer } from "../contract/answer.ts";
import type { ExpectedRevision } from "../contract/controls.ts";
import type { Decision } from "../contract/decision.ts";
import type { Commit, CommitOutcome } from "../contract/store.ts";
import { TAGS_LEDGER, type View } from "../contract/view.ts";
import { recordedAnswer } from "./earlier-answer.ts";
import type { Ledgers } from "./ledgers.ts";
import type { Attempts, Running } from "./running.ts";
import { writeAnswer } from "./written-answer.ts";

/** A decision of an attempt, and the ledger that it writes to. */
interface Decided {
  readonly r: Running;
  readonly ledgers: Ledgers;
  readonly view: View;
  readonly decision: Decision;
  readonly attempts: Attempts;
}

/**
 * Writes what was decided, or, where there is nothing to write, makes sure that the decision still stands; then the answer.
 * Undefined when the call has to decide again.
 */
export async function commitOrConfirm(
  r: Running,
  ledgers: Ledgers,
  decision: Decision,
  attempts: Attempts,
): Promise<Answer | undefined> {
  const { store } = r.ports;
  const addressed = ledgers.view;
  const view = decision.begins ?? addressed;
  if (!view) throw new Error(`${r.action.name} decided on no model`);
  r.scoping?.checkNewKeys(decision);
  if (r.action.manyModels) await checkPreconditionsUsed(r, ledgers);
  // The model that was read for the new one has to be at its revision as well.
  if (decision.begins && addressed && !(await store.confirm(addressed))) return undefined;
  if (decision.custom && !(await ledgers.confirm(written(view, decision)))) return undefined;
  const decided = { r, ledgers, view, decision, attempts };
  if (decision.changes.length === 0) return confirmUnchanged(decided);
  if (r.request.controls.dryRun) return rehearse(decided);
  return commit(decided);
}

/** The answer that everything was already as asked, once that is known to hold. */
async function confirmUnchanged({ r, ledgers, view, decision, attempts }: Decided): Promise<Answer | undefined> {
  const { claim } = attempts;
  // Before it is confirmed, which may move the view on.
  const answer = writeAnswer(r, view, decision, view.revision, false);
  if (!(await holds(r, ledgers, view))) return undefined;
  if (r.job) {
    await r.ports.jobs.finish({ lease: r.job.lease, result: answer.body }, claim && { ...claim, answer });
    return answer;
  }
  const duplicate = claim && (await r.ports.store.putRecord({ ...claim, answer }));
  return duplicate ? recordedAnswer(r, claim, duplicate, attempts) : answer;
}

/** The answer of a dry run, with what a commit would be refused for. */
async function rehearse(decided: Decided): Promise<Answer | undefined> {
  const { r, ledgers, view } = decided;
  const answerAt = answersOf(decided);
  // The revision it tells of does not exist, so its entity tag is left out; confirming may move the view on.
  const { etag: _, ...answer } = answerAt(view.revision + 1);
  const commitAt = await commitOf(decided, answerAt);
  const refusal = await refusalOf(() => r.ports.store.rehearse(view, commitAt(view.revision + 1), r.call));
  if (!(await holds(r, ledgers, view))) return undefined;
  if (refusal) throw refusal;
  return answer;
}

async function commit(decided: Decided): Promise<Answer | undefined> {
  const { r, view, decision, attempts } = decided;
  const { store } = r.ports;
  const { claim } = attempts;
  // A generation takes long and is no more in the way than a read until its last step.
  if (decision.publish) attempts.slot?.release();
  const answerAt = answersOf(decided);
  const commitAt = await commitOf(decided, answerAt);
  // A call that names its revision is done at no other, and some answers hold for one alone.
  const later = r.request.controls.ifMatch.length > 0 || decision.custom?.isFixed ? {} : { at: commitAt };
  const orJob = r.action.mayBecomeJob && !r.job && !decision.holdsSecrets;
  const outcome = await unlessKeyTaken(decision, () =>
    store.commit(view, { ...commitAt(view.revision + 1), ...later, ...(orJob && { orJob }) }, r.call),
  );
  attempts.last = outcome;
  attempts.staged ||= outcome === "conflict_after_staging" || outcome === "staging_abandoned";
  if (outcome === "unknown") attempts.unsettled.push({ view, decision, restsOnOthers: await restsOnOthers(decided) });
  if (typeof outcome === "string") return undefined;
  if ("tooLong" in outcome) {
    // A commit that may still be applied is not given to a worker, who would do it once more.
    if (attempts.unsettled.length > 0) throw (await import("./too-late.ts")).tooLate(attempts);
    await store.rehearse(view, { ...commitAt(view.revision + 1), orJob: true }, r.call);
    return (await import("./accept-job.ts")).acceptJob(r, outcome.tooLong, attempts);
  }
  if ("duplicate" in outcome) {
    return claim ? recordedAnswer(r, claim, outcome.duplicate, attempts) : answerAt(view.revision + 1);
  }
  await store.listed(decision);
  return answerAt(outcome.revision);
}

/** The answer of a decision by the revision that it becomes, made once for each: the record keeps the very answer that is given. */
function answersOf({ r, view, decision }: Decided): (revision: number) => Answer {
  const made = new Map<number, Answer>();
  return (revision) => {
    const answer = made.get(revision) ?? writeAnswer(r, view, decision, revision, true);
    made.set(revision, answer);
    return answer;
  };
}

/** The commit of a decision, by the revision that it becomes. */
async function commitOf(
  { r, ledgers, view, decision, attempts: { claim } }: Decided,
  answerAt: (revision: number) => Answer,
): Promise<(revision: number) => Commit> {
  const expectedRevisions = revisionsBeside(r, written(view, decision));
  const tagsSeen = decision.custom ? undefined : (await ledgers.opened())?.revision;
  return (revision) => {
    const answer = claim || r.job ? answerAt(revision) : undefined;
    return {
      ...ifDefined("tagsSeen", tagsSeen),
      ...decision,
      expectedRevisions,
      ...(claim && answer && { record: { ...claim, answer } }),
      ...(r.job && { job: { lease: r.job.lease, result: answer?.body } }),
    };
  };
}

/** True when everything a decision that commits nothing rests on still held at the moment of asking. */
async function holds({ ports }: Running, ledgers: Ledgers, view: View): Promise<boolean> {
  const isBeside = !(await ledgers.all()).includes(view);
  return (!isBeside || (await ports.store.confirm(view))) && ledgers.confirm();
}

/** The problem a rehearsal ends in; it counts only where the ledgers read for it have not changed. */
async function refusalOf(rehearse: () => Promise<void>): Promise<Problem | undefined> {
  try {
    await rehearse();
    return undefined;
  } catch (error) {
    if (error instanceof Problem && error.code !== "throttled" && error.code !== "unavailable") return error;
    throw error;
  }
}

/** A key that was taken after the decision found it free is found by the next attempt, which can tell what that means. */
async function unlessKeyTaken(decision: Decision, commit: () => Promise<CommitOutcome>): Promise<CommitOutcome> {
  try {
    return await commit();
  } catch (error) {
    if (decision.keysLookedUp && error instanceof Problem && error.code === "key_taken") return "conflict";
    throw error;
  }
}

/** Refuses a revision the caller named of a model that the call does not concern. */
async function checkPreconditionsUsed({ request }: Running, ledgers: Ledgers): Promise<void> {
  if (request.controls.ifMatch.length === 0) return;
  (await import("./preconditions.ts")).checkTagsUsed(await ledgers.all(), request.controls);
}

/** The revisions the caller named of ledgers that the commit writes nothing to. */
function revisionsBeside({ request }: Running, ledgers: readonly View[]): readonly ExpectedRevision[] {
  return request.controls.ifMatch.filter((named) => ledgers.every(({ ledgerId }) => ledgerId !== named.ledgerId));
}

/** True where a model was read that the decision does not write to; of the ledger of tags a commit requires what it uses. */
async function restsOnOthers({ ledgers, view, decision }: Decided): Promise<boolean> {
  const own = written(view, decision);
  return (await ledgers.all()).some((one) => one.ledgerId !== TAGS_LEDGER && !own.includes(one));
}

/** The ledgers a decision writes to, whose log sees to it that what was read there holds. */
function written(view: View, { alongside = [] }: Decision): readonly View[] {
  return [view, ...alongside.map((part) => part.view)];
}
