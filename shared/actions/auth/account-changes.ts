import { keyOfActor } from "../../domain/actor-key.ts";
import { type Change, remove, update } from "../../domain/change.ts";
import type { Actor, User } from "../../domain/objects.ts";
import { BUILT_IN } from "../../domain/principal.ts";
import { Problem } from "../../domain/problems.ts";
import type { Call } from "../contract/call.ts";
import type { View } from "../contract/view.ts";

/** The actor of a user; every user has one. */
export async function actorOf(view: View, { key }: User): Promise<Actor> {
  const found = await view.find("actor", { scheme: "key", value: keyOfActor(BUILT_IN, key) });
  if (!found) throw new Error(`the user ${key} has no actor`);
  return found;
}

/** The user behind an actor; undefined where another issuer signs them in. */
export async function userOf(view: View, { issuer, subject }: Actor): Promise<User | undefined> {
  return issuer === BUILT_IN ? view.find("user", { scheme: "key", value: subject }) : undefined;
}

/** The actor with all its tokens ended: those signed for it so far open nothing any more. */
export function withoutTokens(actor: Actor, { time }: Call): Actor {
  // Tokens tell their time in seconds, so the bound is the next second: a token of this very second ends too.
  if (actor.tokenEpoch === undefined) return { ...actor, validAfter: Math.floor(Date.parse(time) / 1000) + 1 };
  return { ...actor, tokenEpoch: actor.tokenEpoch + 1 };
}

/**
 * Disables an actor with its user, or enables both; what stands already so changes nothing. Whoever asks administers and
 * is not the actor, so that somebody can undo it.
 */
export async function ableChanges(view: View, actor: Actor, able: boolean, call: Call): Promise<readonly Change[]> {
  if ((actor.disabledAt === undefined) === able) return [];
  const user = await userOf(view, actor);
  const disabledAt = able ? undefined : call.time;
  const { tokenEpoch, validAfter } = able ? actor : withoutTokens(actor, call);
  return [...update(actor, { disabledAt, tokenEpoch, validAfter }), ...(user ? update(user, { disabledAt }) : [])];
}

/** The end of every API token of an actor, which goes with its being disabled or deleted. */
export async function withoutApiTokens(view: View, { id }: Actor): Promise<readonly Change[]> {
  return (await view.list("api_token", id)).items.map((token) => remove(token, false));
}

/** Refuses what people must not do to themselves, because nobody could tell them to undo it. */
export function checkNotSelf(actor: Actor, { principal }: Call, pointer: string): void {
  if (principal?.actorId !== actor.id) return;
  const detail = "This is your own account; another administrator has to do that";
  throw new Problem("bad_parameters", detail, { errors: [{ pointer, detail }] });
}
