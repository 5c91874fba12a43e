import { apply, ownerOf } from "./effects.ts";
import { type Attempt, administrators, type Bearer, type Grants, heldByBearer, lasting, named } from "./model.ts";
import { anywhere, type CastModel, type Held, meaning, onModel } from "./rules.ts";

type Models = readonly CastModel[];

/** The code of the problem that a call has to end in, and why; undefined where it has to be answered. */
type Refusal = readonly [code: string, why: string] | undefined;

/** Returns the problem codes of calls with a token that is not valid; none for a valid token. */
export function tokenProblems(grants: Grants, bearer: Bearer): readonly string[] {
  if (heldByBearer(grants, bearer)) return [];
  if (bearer.apiToken !== undefined && !grants.tokens.has(bearer.apiToken)) return ["not_signed_in"];
  const actor = grants.actors.get(bearer.actor);
  if (actor) return [actor.disabled ? "actor_disabled" : "not_signed_in"];
  // The name may be another's by now, who is disabled.
  return ["not_signed_in", "actor_disabled"];
}

/** Returns the refusal of a call that gives or takes rights; undefined where it has to be answered. */
export function refusal(grants: Grants, models: Models, bearer: Bearer, attempt: Attempt): Refusal {
  const { action, payload } = attempt;
  const held = heldByBearer(grants, bearer);
  if (!held) return [tokenProblems(grants, bearer)[0] ?? "", "the token is not valid"];
  const revokesItself = action === "token_revoke" && payload.tokenId === bearer.apiToken;
  if (bearer.apiToken !== undefined && !revokesItself)
    return ["not_allowed", "an API token changes no account but itself"];
  if (action === "token_create") return refuseTokenCreate(grants, models, bearer, held, attempt);
  if (action === "token_revoke") return refuseTokenRevoke(grants, bearer, held, payload);
  if (!held.everywhere.has("admin")) return ["not_allowed", "only administrators do that"];
  return refuseAdministration(grants, models, bearer, held, attempt);
}

/** Refuses the id of a model that does not exist or that the caller may not read; a pattern may be for models to come. */
function refuseModels(models: Models, held: Held, patterns: unknown): Refusal {
  const ids = [patterns].flat().flatMap((pattern) => /^id:(.*)/.exec(String(pattern))?.[1] ?? []);
  const isSeen = (id: string) => models.some((model) => model.id === id && onModel(held, "model_read", model));
  return ids.every(isSeen) ? undefined : ["not_found", "names a model that the caller does not see"];
}

function refuseTokenCreate(grants: Grants, models: Models, bearer: Bearer, held: Held, { payload }: Attempt): Refusal {
  if (Array.isArray(payload.models) && payload.models.length === 0) return ["bad_parameters", "is for no model at all"];
  const unseen = refuseModels(models, held, payload.models);
  if (unseen) return unseen;
  const id = ownerOf(bearer, payload);
  if (id !== bearer.actor) {
    if (!held.everywhere.has("admin")) return ["not_allowed", "another's tokens are for administrators"];
    const owner = grants.actors.get(id);
    if (!owner) return ["not_found", "there is no such actor"];
    if (owner.disabled) return ["bad_parameters", "the actor is disabled"];
  }
  const own = lasting(grants, id);
  const asked: readonly string[] = Array.isArray(payload.permissions) ? payload.permissions : [];
  if (asked.every((one) => anywhere(own, one))) return undefined;
  return ["not_allowed", "asks for more than its actor holds by assignment"];
}

function refuseTokenRevoke(grants: Grants, bearer: Bearer, held: Held, { tokenId }: Attempt["payload"]): Refusal {
  const token = grants.tokens.get(String(tokenId));
  const isKnown = token && (token.owner === bearer.actor || held.everywhere.has("admin"));
  return isKnown ? undefined : ["not_found", "there is no such API token, or it is another's"];
}

function refuseAdministration(grants: Grants, models: Models, bearer: Bearer, held: Held, attempt: Attempt): Refusal {
  const { action, payload } = attempt;
  const { role, actorId, actor } = named(grants, attempt);
  const roles = [...grants.roles.values()];
  const refs: readonly unknown[] = Array.isArray(payload.roleRefs) ? payload.roleRefs : [];
  if (refs.some((ref) => !roles.some(({ key }) => ref === `key:${key}`))) return ["not_found", "there is no such role"];
  if (payload.roleRef !== undefined && !role) return ["not_found", "there is no such role"];
  const namesSomebody = [payload.actorId, payload.username, payload.serviceAccountRef].some((one) => one !== undefined);
  if (namesSomebody && !actor && action !== "user_create") return ["not_found", "there is no such actor"];
  const changesRole = action.startsWith("role_") && action !== "role_update_autoassign";
  if (changesRole && role?.managed) return ["managed_role", "the service keeps the role"];
  const isTaken = (key: unknown) => roles.some((other) => other !== role && other.key === key);
  const isLast = (): Refusal =>
    canAdministerAfter(grants, bearer, attempt)
      ? undefined
      : ["last_administrator", "nobody could administer any more"];
  switch (action) {
    case "role_create":
      return isTaken(payload.key) ? ["key_taken", "the key is taken"] : undefined;
    case "role_update_key":
      return isTaken(payload.value) ? ["key_taken", "the key is taken"] : undefined;
    case "role_add_permission":
      return payload.permissionKey === "admin" && role?.autoAssign
        ? ["bad_parameters", "nobody begins as an administrator"]
        : undefined;
    case "role_update_autoassign":
      return payload.value === true && meaning(role?.permissions ?? []).has("admin")
        ? ["bad_parameters", "nobody begins as an administrator"]
        : undefined;
    case "role_delete":
    case "role_delete_permission":
    case "actor_delete_role":
      return isLast();
    case "user_create":
      return actor ? ["key_taken", "the name is taken"] : undefined;
    case "service_account_create":
      return [...grants.actors.values()].some(({ service }) => service === payload.key)
        ? ["key_taken", "the key is taken"]
        : undefined;
    case "actor_add_role":
      return refuseModels(models, held, payload.models);
    case "actor_disable":
    case "user_disable":
    case "user_delete":
      return actorId === bearer.actor ? ["bad_parameters", "nobody does that to themselves"] : isLast();
    default:
      return undefined;
  }
}

function canAdministerAfter({ roles, actors, tokens, ended }: Grants, bearer: Bearer, attempt: Attempt) {
  const after = { roles: new Map(roles), actors: new Map(actors), tokens: new Map(tokens), ended };
  apply(after, bearer, attempt, "new");
  return administrators(after).length > 0;
}
