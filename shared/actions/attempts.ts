import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import type { Call } from "./call.ts";
import { checkIfMatch, etagOf, isWrite } from "./controls.ts";
import type { Action, Decision, Reading, RunContext } from "./define-action.ts";
import type { ActionCall, Answer, Service } from "./dispatch.ts";
import { claimOf, type RecordClaim, replay } from "./idempotency.ts";
import { acceptedAnswer } from "./jobs.ts";
import type { Params } from "./params.ts";
import type { Payload } from "./payload.ts";
import type { Ports } from "./ports.ts";
import { resolvePath } from "./resolve.ts";
import type { JobMark, View } from "./store.ts";
import { writtenAnswer } from "./written.ts";

/** An authorized, well-formed call on its way through its attempts. */
export interface Running {
  readonly action: Action;
  readonly payload: Payload;
  readonly request: ActionCall;
  readonly call: Call;
  readonly service: Service;
  readonly ports: Ports;
  /** Set by the worker of a job: what was prepared when it was accepted, and the mark its commit carries. */
  readonly job?: { readonly mark: JobMark; readonly prepared: unknown; readonly claim: RecordClaim | undefined };
}

/** What all attempts of a call share. */
interface Shared {
  readonly prepared: unknown;
  /** Of a call with an idempotency key. */
  readonly claim: RecordClaim | undefined;
  readonly unsettled: Unsettled[];
  /** True when the last commit was refused for want of throughput. */
  throttled: boolean;
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
  if (claim) await opening?.catch(() => undefined);
  const known = claim && !r.job && (await recalled(r, claim));
  if (known) return known;
  const input = { input: r.payload.input, ports: r.ports, call: r.call };
  const prepared = r.job ? r.job.prepared : await r.action.prepare?.(input);
  // Nobody waits for a job, so it may try as long as its worker lives.
  const patience = r.job ? Number.POSITIVE_INFINITY : LIMITS.contentionMs;
  const giveUp = Math.min(r.request.deadline, ambient.now() + patience);
  const unsettled: Unsettled[] = [];
  const shared: Shared = { prepared, claim, unsettled, throttled: false };
  for (let repeats = 0; ; repeats++) {
    try {
      const answer = await attempt(r, repeats === 0 ? opening : undefined, shared);
      if (answer) return answer;
    } catch (error) {
      const instead = (await settle(r, unsettled)) ?? (claim && !r.job && (await recalled(r, claim)));
      if (instead) return instead;
      throw error;
    }
    if (ambient.now() >= giveUp) {
      const settled = await settle(r, unsettled);
      if (settled) return settled;
      throw tooLate(shared);
    }
    await ambient.sleep(ambient.random() * Math.min(1_000, 20 * 2 ** repeats));
    r.call.repeat();
  }
}

async function claimed(r: Running): Promise<RecordClaim | undefined> {
  const key = r.request.controls.idempotencyKey;
  return key === undefined ? undefined : claimOf(r.action, r.payload, key, r.call, r.ports.digest);
}

/** The stored answer of an earlier call with the same idempotency key. */
async function recalled(r: Running, claim: RecordClaim): Promise<Answer | undefined> {
  const record = await r.ports.store.recall(claim.id);
  return record && replay(claim, record);
}

/** One attempt; undefined when the model moved meanwhile. */
async function attempt(r: Running, opening: Promise<View> | undefined, shared: Shared): Promise<Answer | undefined> {
  const { store } = r.ports;
  const address = r.payload.path[0];
  const view = address && (await (opening ?? store.open(address.ref)));
  // An earlier attempt may have become a revision only after it was looked for: never decide on one's own work.
  const settled = await settle(r, shared.unsettled);
  if (settled) return settled;
  const { ifNoneMatch } = r.request.controls;
  if (view && (ifNoneMatch.includes(etagOf(view)) || ifNoneMatch.includes("*"))) {
    return { mediaType: r.action.output.mediaType, body: undefined, etag: etagOf(view), notModified: true };
  }
  if (view) await checkIfMatch(view, r.request.controls, store);
  let made: Decision | Reading;
  try {
    made = await r.action.run(await contextOf(r, view, shared.prepared));
  } catch (error) {
    if (!view || !(error instanceof Problem)) throw error;
    // Reading may have moved the view on; what was asked for at one revision is decided at no other.
    await checkIfMatch(view, r.request.controls, store);
    if (!(await store.confirm(view))) return undefined;
    throw error;
  }
  // An action that writes answers a decision, any other a reading; `defineAction` sees to it.
  if (isWrite(r.action)) return commit(r, view, made as Decision, shared);
  if (view && !(await store.confirm(view))) return undefined;
  return readAnswer(r.action, made as Reading, view);
}

async function contextOf(
  r: Running,
  view: View | undefined,
  prepared: unknown,
): Promise<RunContext<Params, Resolved["target"], Resolved["within"], unknown>> {
  const found = view ? await resolvePath(r.action, r.payload, view) : { target: undefined, within: undefined };
  return {
    input: r.payload.input,
    ...found,
    // Without a model addressed `run` is typed without a view.
    view: view as View,
    prepared,
    call: r.call,
    ports: r.ports,
  };
}

type Resolved = Awaited<ReturnType<typeof resolvePath>>;

async function commit(
  r: Running,
  addressed: View | undefined,
  decision: Decision,
  shared: Shared,
): Promise<Answer | undefined> {
  const { store } = r.ports;
  const { claim } = shared;
  const view = decision.begins ?? addressed;
  if (!view) throw new Error(`${r.action.name} decided on no model`);
  if (addressed) await checkIfMatch(addressed, r.request.controls, store);
  // What was read for the new model has to hold as well.
  if (decision.begins && addressed && !(await store.confirm(addressed))) return undefined;
  if (decision.changes.length === 0) {
    const { revision } = view;
    if (!(await store.confirm(view))) return undefined;
    const answer = writeAnswer(r, view, decision, revision, false);
    const twin = claim && (await store.remember({ ...claim, answer }));
    return twin ? replay(claim, twin) : answer;
  }
  const answer = writeAnswer(r, view, decision, view.revision + 1, true);
  if (r.request.controls.dryRun) {
    await store.rehearse(view, decision);
    if (!(await store.confirm(view))) return undefined;
    // The revision it tells of does not exist, so there is nothing to pin.
    const { etag: _, ...rehearsed } = answer;
    return rehearsed;
  }
  if (decision.publish && !r.job && decision.changes.length > LIMITS.objectsPerCall) {
    await store.rehearse(view, decision);
    return acceptJob(r, decision.changes.length, shared);
  }
  const outcome = await store.commit(
    view,
    {
      ...decision,
      ...(claim && { record: { ...claim, answer } }),
      ...(r.job && { job: { mark: r.job.mark, result: answer.body } }),
    },
    r.call,
  );
  shared.throttled = outcome === "throttled";
  if (outcome === "unknown") shared.unsettled.push({ view, decision });
  if (typeof outcome === "string") return undefined;
  return "twin" in outcome && claim ? replay(claim, outcome.twin) : answer;
}

/** What is too large for one call goes to a worker, with all it was decided from. */
async function acceptJob(r: Running, objects: number, { prepared, claim }: Shared): Promise<Answer> {
  const { principal, channel, requestId } = r.call;
  if (objects > LIMITS.objectsPerJob || !principal) {
    throw new Problem(
      "too_large",
      `one job may write ${LIMITS.objectsPerJob} objects; this one has ${objects}: split the model`,
    );
  }
  const { actorId, issuer, subject, fullname } = principal;
  const order = {
    payload: r.payload,
    prepared,
    channel,
    requestId,
    principal: { actorId, issuer, subject, fullname },
    ...(claim && { claim }),
  };
  return acceptedAnswer(await r.ports.jobs.accept(r.call, order, objects));
}

/** The answer of an earlier attempt that became a revision after all. */
async function settle(r: Running, unsettled: Unsettled[]): Promise<Answer | undefined> {
  for (const { view, decision } of [...unsettled]) {
    const revision = view.revision + 1;
    const holder = await r.ports.store.operationAt(view.modelId, revision);
    if (holder === r.call.operationId) return writeAnswer(r, view, decision, revision, true);
    if (holder !== undefined)
      unsettled.splice(
        unsettled.findIndex((u) => u.view === view),
        1,
      );
  }
  return undefined;
}

function tooLate({ unsettled, throttled }: Shared): Problem {
  const retryAfter = 1;
  if (unsettled.length > 0) {
    const detail = "the store did not say whether the change was made; read again before repeating it";
    return new Problem("out_of_time", detail, { retryAfter });
  }
  return throttled
    ? new Problem("throttled", "the store takes no more writes now; try again", { retryAfter })
    : new Problem("contention", "too many writers work on this model; try again", { retryAfter });
}

function writeAnswer(r: Running, view: View, decision: Decision, revision: number, changed: boolean): Answer {
  return {
    mediaType: r.action.output.mediaType,
    body: writtenAnswer(decision, revision, changed, r.request.controls.dryRun),
    etag: etagOf({ modelId: view.modelId, revision }),
  };
}

function readAnswer(action: Action, reading: Reading, view: View | undefined): Answer {
  return {
    mediaType: action.output.mediaType,
    body: reading.body,
    ...(view && { etag: etagOf(view) }),
    ...(reading.next !== undefined && { next: reading.next }),
  };
}
