import type { Call, Origin, Runtime } from "../../actions/contract/call.ts";
import type { ReadView } from "../../actions/contract/view.ts";
import { type ExternalProfile, hashActorKey, hasNewerClaims, toClaimedMembers } from "../../domain/accounts/actors.ts";
import { NO_RIGHTS } from "../../domain/accounts/principal.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type Change, createChange, updateChanges } from "../../domain/model/changes.ts";
import type { Actor } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { commitInOneTransaction } from "../commit/commit.ts";
import type { StoreContext } from "../read/contexts.ts";
import { openIdentity } from "../read/open.ts";

/**
 * See `AccountStore.provisionActor`. A normal commit whose author is the actor itself. Of many first calls at the same
 * time one creates the actor, and all find it. Throws `contention` or `out_of_time` if that takes too long.
 */
export async function provisionActor(context: StoreContext, profile: ExternalProfile, origin: Origin): Promise<Actor> {
  const { ambient, retryPolicy } = context;
  const id = ambient.newId();
  const giveUp = Math.min(origin.deadline, ambient.now() + LIMITS.contentionMs);
  for (let repeats = 0; ; repeats++) {
    const view = await openIdentity(context);
    const known = await view.find("actor", { scheme: "key", value: hashActorKey(profile.issuer, profile.subject) });
    if (known && !hasNewerClaims(profile, known)) return known;
    // A late commit of this call is found like that of another call: by the actor it created.
    const call = createCall(profile, known, id, origin, ambient);
    const actor = known
      ? { ...known, ...toClaimedMembers(profile, known) }
      : await createActor(view, profile, id, call);
    const changes: readonly Change[] = known
      ? updateChanges(known, toClaimedMembers(profile, known))
      : [createChange(toActor(actor))];
    const outcome = view.stale ? "conflict" : await commitInOneTransaction(context, view, { changes }, call);
    if (typeof outcome === "object") return toActor(actor);
    if (ambient.now() >= giveUp) throw createTooLateProblem(outcome === "unknown");
    await retryPolicy.pause(repeats);
  }
}

type Fields = Omit<Actor, "email" | "claimedRoles"> & ReturnType<typeof toClaimedMembers>;

/** Removes the fields that the provider reports as absent. */
function toActor({ email, claimedRoles, ...fields }: Fields): Actor {
  return { ...fields, ...(email !== undefined && { email }), ...(claimedRoles && { claimedRoles }) };
}

async function createActor(view: ReadView, profile: ExternalProfile, id: string, { time }: Call): Promise<Fields> {
  const { issuer, subject } = profile;
  const roles = (await view.list("role")).items.filter((role) => role.autoAssign);
  return {
    kind: "actor",
    id,
    key: hashActorKey(issuer, subject),
    revision: 0,
    issuer,
    subject,
    roles: roles.map((role) => role.id),
    createdAt: time,
    ...toClaimedMembers(profile),
  };
}

function createCall(
  profile: ExternalProfile,
  known: Actor | undefined,
  id: string,
  origin: Origin,
  ambient: Runtime,
): Call {
  const { issuer, subject } = profile;
  const { fullname, claimedRoles = [] } = toClaimedMembers(profile, known);
  const principal = { actorId: known?.id ?? id, issuer, subject, fullname, claimedRoles, ...NO_RIGHTS };
  const { requestId, channel, deadline } = origin;
  const { newId: nextId } = ambient;
  return {
    ...{ requestId, channel, deadline, principal, nextId },
    action: known ? "auth/new_claims" : "auth/first_sight",
    operationId: nextId(),
    time: new Date(ambient.now()).toISOString(),
    repeat: () => undefined,
    newId: nextId,
  };
}

function createTooLateProblem(isUnknown: boolean): Problem {
  const retryAfter = 1;
  return isUnknown
    ? new Problem("out_of_time", "the store did not say whether it knows you now; try again", { retryAfter })
    : new Problem("contention", "too many callers come for the first time now; try again", { retryAfter });
}
