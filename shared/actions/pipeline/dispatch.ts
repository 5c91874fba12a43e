import { LIMITS } from "../../domain/limits.ts";
import { Problem, requireProblem } from "../../domain/problems.ts";
import { findNearest } from "../../domain/text/suggestions.ts";
import { type Action, authorize, checkOwnToken } from "../contract/action.ts";
import { listUsedDeprecations } from "../contract/action-parameters.ts";
import { CallBudget } from "../contract/budget.ts";
import { type Answer, beginCall, NO_CONTROLS, type Payload } from "../contract/call.ts";
import { answerCall, checkControls, checkRun } from "./answer-call.ts";
import { type ActionCall, CallContext, type Service } from "./call-context.ts";
import { createCallScoping } from "./caller-rights.ts";
import { readPayload } from "./read-payload.ts";
import { prefetchAddressed } from "./resolve.ts";

/** Runs one action, for every transport. Every failure is thrown as a `Problem`; throws `LongCall` if the call may move. */
export async function dispatch(call: ActionCall, service: Service): Promise<Answer> {
  const { action, token, controls, requestId, channel, deadline, sourceAddress, source, noteDeprecation } = call;
  const budget = new CallBudget(service.runtime, deadline, call.canMove);
  const ports = service.ports(deadline, budget);
  const { identity } = ports;
  // 1. Authenticate: verify the token, then look up its caller. Meanwhile a short payload is parsed and its model opened.
  const claims = token === undefined ? undefined : await unlessPublic(action, identity.verify(token));
  const early =
    claims && call.payload.bytes <= LIMITS.shortBodyBytes ? await parsePayload(call).catch(requireProblem) : undefined;
  const lookup = claims && unlessPublic(action, identity.findPrincipal(claims, call));
  // Callers with rights on some models only see those.
  const scoping = Promise.resolve(lookup).then((caller) => caller && createCallScoping(action, caller));
  // Awaited later; until then a failure must not count as unhandled.
  scoping.catch(() => undefined);
  const { unscopedCallers } = service;
  const seesAll = claims !== undefined && unscopedCallers.has(claims);
  const opening =
    early && !(early instanceof Problem) ? prefetchAddressed(call, early, ports, scoping, seesAll) : undefined;
  const principal = await lookup;
  if (principal) call.noteCaller?.(principal);
  const isUnscoped = principal?.scopes.length === 0;
  if (claims && principal && isUnscoped !== seesAll) unscopedCallers.note(claims, isUnscoped);
  const pendingNote = principal && identity.noteCall(principal.actorId, call);
  try {
    // 2. Authorize.
    authorize(action, principal);
    // 3. Parse the parameters and check the controls.
    budget.chargeBytes(call.payload.bytes);
    const payload = early ?? (await parsePayload(call));
    if (payload instanceof Problem) throw payload;
    if (noteDeprecation) listUsedDeprecations(action, await call.payload.read()).forEach(noteDeprecation);
    if (action.apiTokens === "itself") checkOwnToken(payload, principal);
    if (controls !== NO_CONTROLS) checkControls(action, controls);
    const { run } = controls;
    if (run !== undefined) await checkRun(run, principal, ports.runs);
    // 4. Resolve, decide, commit and answer, within the models that are visible to the caller.
    const name = `${action.group}/${action.name}`;
    const origin = { requestId, channel, deadline, sourceAddress, source };
    const facts = { ...origin, budget, run, principal, action: name, noteDeprecation };
    const context = new CallContext({
      service,
      action,
      payload,
      controls,
      call: beginCall(facts, service.runtime),
      ports,
      scoping: await scoping,
      checkAnswer: call.checkAnswer,
    });
    return await answerCall(context, opening);
  } finally {
    // A Lambda function may be frozen as soon as it has answered.
    await pendingNote;
  }
}

/** Parses a payload. If it is refused, it is parsed again with suggestions for unknown names. */
async function parsePayload({ action, payload }: ActionCall): Promise<Payload> {
  const raw = await payload.read();
  try {
    return readPayload(action, raw);
  } catch (error) {
    requireProblem(error);
    return readPayload(action, raw, findNearest);
  }
}

/** Returns undefined for an invalid token or disabled caller if anyone may run the action. */
async function unlessPublic<Found>(action: Action, lookup: Promise<Found>): Promise<Found | undefined> {
  try {
    return await lookup;
  } catch (error) {
    const isUseless = error instanceof Problem && (error.code === "not_signed_in" || error.code === "actor_disabled");
    if (isUseless && action.rule === "public") return undefined;
    throw error;
  }
}
