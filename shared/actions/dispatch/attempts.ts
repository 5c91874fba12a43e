import { given } from "../../domain/content.ts";
import { LIMITS } from "../../domain/limits.ts";
import { PROBLEMS, Problem } from "../../domain/problems.ts";
import type { Action, CallerNow } from "../contract/action.ts";
import { isWrite } from "../contract/action.ts";
import type { Answer, AnswerRecord, RecordClaim } from "../contract/answer.ts";
import { etagOf, type Pin } from "../contract/controls.ts";
import type { Decision, Reading } from "../contract/decision.ts";
import { passes } from "../contract/rules.ts";
import type { Commit, CommitOutcome, Store } from "../contract/store.ts";
import type { View } from "../contract/view.ts";
import { IDENTITY_LEDGER } from "../contract/view.ts";
import { unmovedTag } from "./conditional-read.ts";
import { createLedgers, type Ledgers } from "./ledgers.ts";
import { openAddressed, resolvePath } from "./resolve.ts";
import type { Running } from "./running.ts";

import { createPlace, type Place } from "./write-queue.ts";
import { writtenAnswer } from "./written-answer.ts";

/** What all attempts of a call share. */
interface Shared {
  readonly prepared: unknown;
  /** Of a call with an idempotency key. */
  readonly claim: RecordClaim | undefined;
  readonly unsettled: Unsettled[];
  /** Among the writers of the model; a call that writes nothing waits for nobody. */
  readonly place: Place | undefined;
  /** What became of the last commit. */
  last?: CommitOutcome;
  /** True once most of a generation is written: then the call goes on as long as it may. */
  staged: boolean;
}

/** A commit that was sent and whose answer never came: it may have been applied, or may still be. */
interface Unsettled {
  readonly view: View;
  readonly decision: Decision;
}

/**
 * Decides on what is there, and again on what is there then, until the answer stands or the commit succeeds.
 * `contention` when other writers were faster for too long, `out_of_time` when the outcome of a commit stays unknown.
 */
export async function answerCall(r: Running, opening: Promise<View> | undefined): Promise<Answer> {
  const { ambient } = r.service;
  const claim = r.job ? r.job.claim : await claimed(r);
  // After the head, so that a record written before that head was is seen; a failure to open it is told below.
  const opened = claim && (await opening?.catch(() => undefined));
  if (opened) await allowed(r, opening);
  const known = claim && !r.job && (await recalled(r, claim, opened));
  if (known) return known;
  const input = { input: r.payload.input, ports: r.ports, call: r.call };
  const prepared = r.job ? r.job.prepared : await r.action.prepare?.(input);
  // Nobody waits for a job, so it may try as long as its worker lives.
  const patience = r.job ? Number.POSITIVE_INFINITY : LIMITS.contentionMs;
  const giveUp = Math.min(r.request.deadline, ambient.now() + patience);
  const unsettled: Unsettled[] = [];
  const place =
    isWrite(r.action) && !r.request.controls.dryRun ? createPlace(r.service.turns, ambient, giveUp) : undefined;
  const shared: Shared = { prepared, claim, unsettled, place, staged: false };
  try {
    return await untilAnswered(r, opening, shared, giveUp);
  } catch (error) {
    // What may still be applied must not be told like something that can simply be sent again.
    throw unsettled.length > 0 && error instanceof Problem && PROBLEMS[error.code].retryable ? tooLate(shared) : error;
  } finally {
    place?.leave();
  }
}

/** One attempt after the other, up to `giveUp`. */
async function untilAnswered(
  r: Running,
  opening: Promise<View> | undefined,
  shared: Shared,
  giveUp: number,
): Promise<Answer> {
  const { ambient } = r.service;
  const { claim, unsettled, place } = shared;
  for (let repeats = 0; ; repeats++) {
    try {
      const answer = await attempt(r, repeats === 0 ? opening : undefined, shared);
      if (answer) return answer;
    } catch (error) {
      const instead = (await settle(r, unsettled)) ?? (claim && !r.job && (await recalled(r, claim)));
      if (instead) return instead;
      throw error;
    }
    if (ambient.now() >= (shared.staged ? r.request.deadline : giveUp)) {
      const settled = await settle(r, unsettled);
      if (settled) return settled;
      throw tooLate(shared);
    }
    // Whoever waited for the turn has let others go first already.
    const waited = await place?.take();
    if (!waited) await ambient.sleep(ambient.random() * Math.min(1_000, 20 * 2 ** repeats));
    r.call.repeat();
  }
}

async function claimed(r: Running): Promise<RecordClaim | undefined> {
  const key = r.request.controls.idempotencyKey;
  if (key === undefined) return undefined;
  return (await import("./idempotency.ts")).claimOf(r.payload, key, r.call, r.ports.digest);
}

/** The stored answer of an earlier call with the same idempotency key. */
async function recalled(r: Running, claim: RecordClaim, opened?: View): Promise<Answer | undefined> {
  const record = await r.ports.store.recall(claim.id);
  return record && replayed(r, claim, record, opened);
}

async function replayed({ ports }: Running, claim: RecordClaim, record: AnswerRecord, opened?: View): Promise<Answer> {
  return (await import("./idempotency.ts")).replay(claim, record, ports.store, opened);
}

/** One attempt; undefined when the model moved meanwhile. */
async function attempt(r: Running, opening: Promise<View> | undefined, shared: Shared): Promise<Answer | undefined> {
  const { store } = r.ports;
  const view = await openedInTurn(r, opening, shared);
  // An earlier attempt may have become a revision only after it was looked for: never decide on one's own work.
  const settled = await settle(r, shared.unsettled);
  if (settled) return settled;
  const ledgers = createLedgers(store, view);
  const unmoved = view && !asksForPast(r) ? await unmovedTag(view, ledgers, r.request.controls) : undefined;
  if (unmoved !== undefined) {
    return { mediaType: r.action.output.mediaType, body: undefined, etag: unmoved, notModified: true };
  }
  if (view) await checkPins(r, ledgers);
  let made: Decision | Reading;
  try {
    made = await r.action.run(await contextOf(r, ledgers, shared.prepared));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // Reading may have moved the view on; what was asked for at one revision is decided at no other.
    await checkPins(r, ledgers);
    if (!(await ledgers.confirm())) return undefined;
    throw error;
  }
  // An action that writes answers a decision, any other a reading; `defineAction` sees to it.
  if (isWrite(r.action)) return commit(r, ledgers, made as Decision, shared);
  if (!(await ledgers.confirm())) return undefined;
  return unlessKnown(r, await readAnswer(r.action, made as Reading, ledgers));
}

/** The addressed model, read once more where the call had to wait for its turn. */
async function openedInTurn(
  r: Running,
  opening: Promise<View> | undefined,
  { place }: Shared,
): Promise<View | undefined> {
  const view = await orDeleted(r, allowed(r, opening));
  if (!view) return undefined;
  return (await place?.lineUp(view.modelId)) ? allowed(r) : view;
}

/** The ledger addressed, for a caller who may run the action there. */
function allowed(r: Running, opening?: Promise<View>): Promise<View | undefined> {
  const { action, payload, ports, scoping } = r;
  const opened = opening ?? openAddressed(action, payload, ports.store);
  return scoping ? scoping.open(payload, opened) : Promise.resolve(opened);
}

/** A deleted model, for an administrator who asks for its past by its id; for everybody else there is none. */
async function orDeleted(r: Running, opening: Promise<View | undefined>): Promise<View | undefined> {
  try {
    return await opening;
  } catch (error) {
    const ref = r.payload.path[0]?.ref;
    const mayRead = r.action.past && passes({ rule: "admin" }, r.call.principal);
    const isAbsent = error instanceof Problem && error.code === "not_found";
    const deleted = isAbsent && mayRead && ref ? await r.ports.store.openDeleted(ref) : undefined;
    if (deleted) return deleted;
    throw error;
  }
}

/** True where the answer has an entity tag of a past state, known only when it has been read. */
function asksForPast({ action, payload: { input } }: Running): boolean {
  return action.past === true && (input.version ?? input.revision) !== undefined;
}

/** Nothing where the caller still has a past state. */
function unlessKnown(r: Running, answer: Answer): Answer {
  const { ifNoneMatch } = r.request.controls;
  const isKnown = answer.etag !== undefined && (ifNoneMatch.includes(answer.etag) || ifNoneMatch.includes("*"));
  if (!asksForPast(r) || !isKnown) return answer;
  // Where nothing is answered anew, no next page is either.
  const { next: _, ...known } = answer;
  return { ...known, body: undefined, notModified: true };
}

async function contextOf(
  r: Running,
  { view, tags, open }: Ledgers,
  prepared: unknown,
): Promise<Parameters<Action["run"]>[0]> {
  const caller = view?.modelId === IDENTITY_LEDGER && isWrite(r.action) ? await judged(r, view) : undefined;
  const found = view ? await resolvePath(r.action, r.payload, view) : { target: undefined, within: undefined };
  return {
    input: r.payload.input,
    ...found,
    // Without a model addressed `run` is typed without a view.
    view: view as View,
    tags,
    open,
    prepared,
    call: r.call,
    ports: r.ports,
    caller,
  };
}

/** The caller as they are now, before anything that concerns accounts is decided; few calls write to these. */
async function judged({ action, call }: Running, view: View): Promise<CallerNow> {
  return (await import("./caller-now.ts")).judgeCaller(view, call, action);
}

async function commit(r: Running, ledgers: Ledgers, decision: Decision, shared: Shared): Promise<Answer | undefined> {
  const { store } = r.ports;
  const { claim } = shared;
  const addressed = ledgers.view;
  const view = decision.begins ?? addressed;
  if (!view) throw new Error(`${r.action.name} decided on no model`);
  await checkPins(r, ledgers);
  r.scoping?.checkNewKeys(decision);
  if (r.action.manyModels) await checkPinsUsed(r, ledgers);
  // What was read for the new model has to hold as well.
  if (decision.begins && addressed && !(await store.confirm(addressed))) return undefined;
  if (decision.whole && !(await ledgers.confirm(written(view, decision)))) return undefined;
  if (decision.changes.length === 0) {
    const { revision } = view;
    if (!(await holds(store, ledgers, view))) return undefined;
    const answer = writeAnswer(r, view, decision, revision, false);
    if (r.job) {
      await r.ports.jobs.finish({ mark: r.job.mark, result: answer.body }, claim && { ...claim, answer });
      return answer;
    }
    const twin = claim && (await store.remember({ ...claim, answer }));
    return twin ? replayed(r, claim, twin) : answer;
  }
  const answer = writeAnswer(r, view, decision, view.revision + 1, true);
  if (r.request.controls.dryRun) {
    const refusal = await refusalOf(() => store.rehearse(view, decision, r.call));
    if (!(await holds(store, ledgers, view))) return undefined;
    if (refusal) throw refusal;
    // The revision it tells of does not exist, so there is nothing to pin.
    const { etag: _, ...rehearsed } = answer;
    return rehearsed;
  }
  // A generation takes long and is no more in the way than a read until its last step.
  if (decision.publish) shared.place?.leave();
  const pinned = pinnedBeside(r, written(view, decision));
  const tagsSeen = decision.whole ? undefined : (await ledgers.opened())?.revision;
  const commitAt = (revision: number): Commit => {
    const said = writeAnswer(r, view, decision, revision, true);
    return {
      ...given("tagsSeen", tagsSeen),
      ...decision,
      ...given("pinned", pinned),
      ...(claim && { record: { ...claim, answer: said } }),
      ...(r.job && { job: { mark: r.job.mark, result: said.body } }),
    };
  };
  // What was asked for at one revision is done at no other, and some answers hold for one alone.
  const later = r.request.controls.ifMatch.length > 0 || decision.whole?.isFixed ? {} : { at: commitAt };
  const orJob = r.action.mayBecomeJob && !r.job && !decision.holdsSecrets;
  const outcome = await committed(decision, () =>
    store.commit(view, { ...commitAt(view.revision + 1), ...later, ...(orJob && { orJob }) }, r.call),
  );
  shared.last = outcome;
  shared.staged ||= outcome === "overtaken" || outcome === "spoilt";
  if (outcome === "unknown") shared.unsettled.push({ view, decision });
  if (typeof outcome === "string") return undefined;
  if ("tooLong" in outcome) {
    await store.rehearse(view, decision, r.call);
    return (await import("./accept-job.ts")).acceptJob(r, outcome.tooLong, shared);
  }
  if ("twin" in outcome) return claim ? replayed(r, claim, outcome.twin) : answer;
  await store.listed(decision);
  return writeAnswer(r, view, decision, outcome.revision, true);
}

/** True when everything a decision that commits nothing rests on still held at the moment of asking. */
async function holds(store: Store, ledgers: Ledgers, view: View): Promise<boolean> {
  const isBeside = !(await ledgers.all()).includes(view);
  return (!isBeside || (await store.confirm(view))) && ledgers.confirm();
}

/** What a rehearsal refuses; it counts only where what was read for it still holds. */
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
async function committed(decision: Decision, commit: () => Promise<CommitOutcome>): Promise<CommitOutcome> {
  try {
    return await commit();
  } catch (error) {
    if (decision.keysLookedUp && error instanceof Problem && error.code === "key_taken") return "moved";
    throw error;
  }
}

/** The revisions the caller named are those of the models as they were read. */
async function checkPins(r: Running, ledgers: Ledgers): Promise<void> {
  const { controls } = r.request;
  if (controls.ifMatch.length === 0) return;
  // Few calls pin anything, so the code is loaded for them alone.
  const { checkIfMatch, checkIfMatchOfEach } = await import("./preconditions.ts");
  if (r.action.manyModels) await checkIfMatchOfEach(await ledgers.all(), controls, r.ports.store);
  else if (ledgers.view) await checkIfMatch(ledgers.view, controls, r.ports.store);
}

/** Every revision the caller named is of a model that the call concerns. */
async function checkPinsUsed(r: Running, ledgers: Ledgers): Promise<void> {
  if (r.request.controls.ifMatch.length === 0) return;
  (await import("./preconditions.ts")).checkTagsUsed(await ledgers.all(), r.request.controls);
}

/** Revisions the caller named of ledgers that the commit writes nothing to. */
function pinnedBeside({ request }: Running, ledgers: readonly View[]): readonly Pin[] | undefined {
  const beside = request.controls.ifMatch.filter((pin) => ledgers.every(({ modelId }) => modelId !== pin.modelId));
  return beside.length > 0 ? beside : undefined;
}

/** The ledgers a decision writes to, whose log sees to it that what was read there holds. */
function written(view: View, { alongside = [] }: Decision): readonly View[] {
  return [view, ...alongside.map((part) => part.view)];
}

/** The answer of an earlier attempt that became a revision after all. */
async function settle(r: Running, unsettled: Unsettled[]): Promise<Answer | undefined> {
  for (const { view, decision } of [...unsettled]) {
    const revision = view.revision + 1;
    const holder = await r.ports.store.operationAt(view.modelId, revision);
    if (holder === r.call.operationId) {
      await r.ports.store.listed(decision);
      return writeAnswer(r, view, decision, revision, true);
    }
    if (holder !== undefined)
      unsettled.splice(
        unsettled.findIndex((u) => u.view === view),
        1,
      );
  }
  return undefined;
}

function tooLate({ unsettled, last }: Shared): Problem {
  const retryAfter = 1;
  if (unsettled.length > 0) {
    const detail = "the store did not say whether the change was made; read again before repeating it";
    return new Problem("out_of_time", detail, { retryAfter });
  }
  if (last === "spoilt") {
    const detail = "the store gave no clear answer to what it was to write; nothing was changed, so try again";
    return new Problem("unavailable", detail, { retryAfter });
  }
  return new Problem("contention", "too many writers work on this model; try again", { retryAfter });
}

function writeAnswer(r: Running, view: View, decision: Decision, revision: number, changed: boolean): Answer {
  return {
    mediaType: r.action.output.mediaType,
    body: writtenAnswer(decision, revision, changed, r.request.controls.dryRun),
    ...given("etag", decision.whole ? decision.whole.at(revision).etag : etagOf({ modelId: view.modelId, revision })),
  };
}

async function readAnswer(action: Action, reading: Reading, { view, opened }: Ledgers): Promise<Answer> {
  return {
    mediaType: action.output.mediaType,
    // Confirming moves the view on, to the revision up to which the answer is known to be right.
    body: view && reading.showsRevision ? { ...reading.body, revision: view.revision } : reading.body,
    ...(view && { etag: reading.etag ?? etagOf(view, await opened()) }),
    ...(reading.next !== undefined && { next: reading.next }),
  };
}
