import type { Accounts } from "./accounts.ts";
import { ownerOf } from "./effects.ts";
import { type Attempt, type Bearer, type Grants, lasting } from "./model.ts";
import { anywhere, type Held, onModel } from "./rules.ts";

/** The code of the problem that a call has to end in, and why; undefined where it has to be answered. */
export type Refused = readonly [code: string, why: string] | undefined;

/** True for calls that an API token may make: looking at accounts, and revoking itself. */
export const mayToken = (id: string, { action, payload }: Attempt): boolean =>
  /_(list|get)$|^(whoami|can)$/.test(action) || (action === "token_revoke" && payload.tokenId === id);

/** Refuses a pattern that is the id of no model that the caller may read; of keys, any may be of a model to come. */
export function ofModelNamed({ models }: Accounts, held: Held, patterns: unknown): Refused {
  const ids = [patterns].flat().flatMap((pattern) => /^id:(.*)/.exec(String(pattern))?.[1] ?? []);
  const isSeen = (id: string) => models.some((model) => model.id === id && onModel(held, "model_read", model));
  return ids.every(isSeen) ? undefined : ["not_found", "names a model that there is not, or not for the caller"];
}

/** Refusals of making an API token, which anybody does for themselves and administrators do for all. */
export function ofTokenCreate(accounts: Accounts, bearer: Bearer, held: Held, payload: Attempt["payload"]): Refused {
  if (Array.isArray(payload.models) && payload.models.length === 0) return ["bad_parameters", "is for no model at all"];
  const unseen = ofModelNamed(accounts, held, payload.models);
  if (unseen) return unseen;
  const id = ownerOf(bearer, payload);
  if (id !== bearer.actor) {
    if (!held.everywhere.has("admin")) return ["not_allowed", "another's tokens are for administrators"];
    const owner = accounts.actors.get(id);
    if (!owner) return ["not_found", "there is no such actor"];
    if (owner.disabled) return ["bad_parameters", "the actor is disabled"];
  }
  const own = lasting(accounts, id);
  const asked: readonly string[] = Array.isArray(payload.permissions) ? payload.permissions : [];
  if (asked.every((one) => anywhere(own, one))) return undefined;
  return ["not_allowed", "asks for more than its actor holds by assignment"];
}

/** Refusals of listing API tokens, of which everybody sees their own. */
export function ofTokenList(grants: Grants, bearer: Bearer, held: Held, { actorId, all }: Attempt["payload"]): Refused {
  const administers = held.everywhere.has("admin");
  if (all === true && actorId !== undefined) return ["bad_parameters", "asks for those of one and of all"];
  if (all === true) return administers ? undefined : ["not_allowed", "those of all are for administrators"];
  if (actorId === undefined || actorId === bearer.actor) return undefined;
  if (administers && grants.actors.has(String(actorId))) return undefined;
  return ["not_found", "there is no such actor, or not for the caller"];
}

/** Refusals of revoking an API token, of which everybody knows their own. */
export function ofTokenRevoke(grants: Grants, bearer: Bearer, held: Held, { tokenId }: Attempt["payload"]): Refused {
  const token = grants.tokens.get(String(tokenId));
  if (!token) return ["not_found", "there is no such API token"];
  if (token.owner !== bearer.actor && !held.everywhere.has("admin")) {
    return ["not_found", "the API token is another's"];
  }
  return undefined;
}
