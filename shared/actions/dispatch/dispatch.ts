import type { Principal } from "../../domain/principal.ts";
import { Problem, problemOnly } from "../../domain/problems.ts";
import { type Action, isWrite, type Ports } from "../contract/action.ts";
import type { Answer } from "../contract/answer.ts";
import { beginCall } from "../contract/call.ts";
import { NO_CONTROLS } from "../contract/controls.ts";
import type { Payload, RawPayload } from "../contract/payload.ts";
import { authorize, checkItself } from "../contract/rules.ts";
import type { View } from "../contract/view.ts";
import { answerCall } from "./answer-call.ts";
import { readPayload } from "./read-payload.ts";
import { openAddressed } from "./resolve.ts";
import type { Scoping } from "./scopes.ts";
import type { ActionCall, Service } from "./service.ts";

/**
 * Runs one action: authenticate, authorize, parse, resolve, run, commit, answer. Every door comes through here;
 * everything that goes wrong is thrown as a `Problem`.
 */
export async function dispatch(call: ActionCall, service: Service): Promise<Answer> {
  const all = service.ports(call.deadline);
  try {
    return await run(call, all, service);
  } finally {
    // A function may stop as soon as it has answered.
    if (call.token !== undefined) await all.identity.settled();
  }
}

async function run(call: ActionCall, all: Ports, service: Service): Promise<Answer> {
  const { identity } = all;
  const { action, token } = call;
  const claims = token === undefined ? undefined : await unlessPublic(action, identity.verify(token));
  const read = async () => readOrSuggest(action, await call.payload.read());
  // A short payload is read while the caller is looked up; nothing of it is used before the caller may run the action.
  const early = claims && call.payload.isShort ? await read().catch(problemOnly) : undefined;
  const looking = claims && unlessPublic(action, identity.principal(claims, call));
  const seesAll = claims !== undefined && service.unscopedCallers.has(claims);
  const opening = opened(call, early, all, looking, seesAll);
  const principal = await looking;
  if (claims && principal) service.unscopedCallers.note(claims, principal);
  authorize(action, principal);
  const payload = early ?? (await read());
  if (payload instanceof Problem) throw payload;
  checkItself(action, payload, principal);
  // Calls without controls do not load the code that checks them.
  if (call.controls !== NO_CONTROLS) (await import("./check-controls.ts")).checkControls(action, call.controls);
  const { requestId, channel, deadline, sourceAddress } = call;
  const scoping = await scopingOf(action, principal);
  const ports = scoping ? { ...all, store: scoping.store(all.store) } : all;
  const facts = { requestId, channel, deadline, sourceAddress, principal, action: `${action.group}/${action.name}` };
  return answerCall(
    { action, payload, request: call, call: beginCall(facts, service.ambient), service, ports, scoping },
    opening,
  );
}

/** Reads a payload. One that is refused is read once more, with the code that tells which names were meant. */
async function readOrSuggest(action: Action, raw: RawPayload): Promise<Payload> {
  try {
    return readPayload(action, raw);
  } catch (error) {
    problemOnly(error);
    return readPayload(action, raw, (await import("../../domain/nearest.ts")).nearest);
  }
}

/** Who calls; nobody where a token that is good for nothing came with a call that needs none. */
async function unlessPublic<Found>(action: Action, finding: Promise<Found>): Promise<Found | undefined> {
  try {
    return await finding;
  } catch (error) {
    const isOfNoUse = error instanceof Problem && (error.code === "not_signed_in" || error.code === "actor_disabled");
    if (isOfNoUse && action.rule === "public") return undefined;
    throw error;
  }
}

/** Few callers have rights on some models only, so the code is loaded for them alone. */
async function scopingOf({ rule, seesAll }: Action, principal: Principal | undefined): Promise<Scoping | undefined> {
  if (seesAll || !principal || principal.scopes.length === 0) return undefined;
  return (await import("./scopes.ts")).createScoping({ rule, principal });
}

/** The ledger addressed, looked for while the caller is; which models there are for them is known when it is found. */
function opened(
  { action, controls }: ActionCall,
  payload: Payload | Problem | undefined,
  { store }: Ports,
  looking: Promise<Principal | undefined> | undefined,
  seesAll: boolean,
): Promise<View> | undefined {
  if (!payload || payload instanceof Problem) return undefined;
  const isShown = looking?.then(async (principal) => (await scopingOf(action, principal))?.isShown);
  // A write finds out by its commit, unless it was told what revision to expect.
  const mayAssume = isWrite(action) && controls.ifMatch.length === 0;
  const opening = openAddressed(action, payload, store, isShown, { mayAssume, seesAll });
  // The call awaits both promises later and sees a failure then; until then it must not count as unhandled.
  for (const promise of [isShown, opening]) promise?.catch(() => undefined);
  return opening;
}
