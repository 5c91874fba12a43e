import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import type { Call } from "./call.ts";
import { checkIfMatch, etagOf, isWrite } from "./controls.ts";
import type { Action, Decision, Reading, RunContext } from "./define-action.ts";
import type { ActionCall, Answer, Service } from "./dispatch.ts";
import type { Params } from "./params.ts";
import type { Payload } from "./payload.ts";
import { resolvePath } from "./resolve.ts";
import type { View } from "./store.ts";
import { writtenAnswer } from "./written.ts";

/** An authorized, well-formed call on its way through its attempts. */
export interface Running {
  readonly action: Action;
  readonly payload: Payload;
  readonly request: ActionCall;
  readonly call: Call;
  readonly service: Service;
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
  const giveUp = Math.min(r.request.deadline, ambient.now() + LIMITS.contentionMs);
  const input = { input: r.payload.input, ports: r.service.ports, call: r.call };
  const prepared = await r.action.prepare?.(input);
  const unsettled: Unsettled[] = [];
  for (let repeats = 0; ; repeats++) {
    try {
      const answer = await attempt(r, repeats === 0 ? opening : undefined, prepared, unsettled);
      if (answer) return answer;
    } catch (error) {
      const settled = await settle(r, unsettled);
      if (settled) return settled;
      throw error;
    }
    const settled = await settle(r, unsettled);
    if (settled) return settled;
    if (ambient.now() >= giveUp) throw tooLate(unsettled);
    await ambient.sleep(ambient.random() * Math.min(1_000, 20 * 2 ** repeats));
    r.call.repeat();
  }
}

/** One attempt; undefined when the model moved meanwhile. */
async function attempt(
  r: Running,
  opening: Promise<View> | undefined,
  prepared: unknown,
  unsettled: Unsettled[],
): Promise<Answer | undefined> {
  const { store } = r.service.ports;
  const address = r.payload.path[0];
  const view = address && (await (opening ?? store.open(address.ref)));
  const { ifNoneMatch } = r.request.controls;
  if (view && (ifNoneMatch.includes(etagOf(view)) || ifNoneMatch.includes("*"))) {
    return { mediaType: r.action.output.mediaType, body: undefined, etag: etagOf(view), notModified: true };
  }
  if (view) checkIfMatch(view, r.request.controls);
  let made: Decision | Reading;
  try {
    made = await r.action.run(await contextOf(r, view, prepared));
  } catch (error) {
    if (view && error instanceof Problem && !(await store.confirm(view))) return undefined;
    throw error;
  }
  // An action that writes answers a decision, any other a reading; `defineAction` sees to it.
  if (isWrite(r.action)) return commit(r, view, made as Decision, unsettled);
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
    ports: r.service.ports,
  };
}

type Resolved = Awaited<ReturnType<typeof resolvePath>>;

async function commit(
  r: Running,
  addressed: View | undefined,
  decision: Decision,
  unsettled: Unsettled[],
): Promise<Answer | undefined> {
  const { store } = r.service.ports;
  const view = decision.begins ?? addressed;
  if (!view) throw new Error(`${r.action.name} decided on no model`);
  if (decision.changes.length === 0) {
    return (await store.confirm(view)) ? writeAnswer(r, view, decision, view.revision, false) : undefined;
  }
  if (r.request.controls.dryRun) {
    await store.rehearse(view, decision);
    return writeAnswer(r, view, decision, view.revision + 1, true);
  }
  const outcome = await store.commit(view, decision, r.call);
  if (outcome === "unknown") unsettled.push({ view, decision });
  return typeof outcome === "string" ? undefined : writeAnswer(r, view, decision, outcome.revision, true);
}

/** The answer of an earlier attempt that became a revision after all. */
async function settle(r: Running, unsettled: Unsettled[]): Promise<Answer | undefined> {
  for (const { view, decision } of [...unsettled]) {
    const revision = view.revision + 1;
    const holder = await r.service.ports.store.operationAt(view.modelId, revision);
    if (holder === r.call.operationId) return writeAnswer(r, view, decision, revision, true);
    if (holder !== undefined) unsettled.splice(unsettled.findIndex((u) => u.view === view), 1);
  }
  return undefined;
}

function tooLate(unsettled: readonly Unsettled[]): Problem {
  return unsettled.length > 0
    ? new Problem("out_of_time", "the store did not say whether the change was made; read again before repeating it", {
        retryAfter: 1,
      })
    : new Problem("contention", "too many writers work on this model; try again", { retryAfter: 1 });
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
