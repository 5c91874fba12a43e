import type { Accounts } from "./accounts.ts";
import { apply } from "./effects.ts";
import { guessOf, outcomeOf } from "./guesses.ts";
import { type Attempt, type Bearer, type Grants, heldByBearer, lasting, named, remains } from "./model.ts";
import { WEAK } from "./passwords.ts";
import { anywhere, type Held, meaning } from "./rules.ts";

/** Codes of the problems that a bearer's token ends in; none where it opens something. */
export function tokenProblems(grants: Grants, bearer: Bearer): readonly string[] {
  if (heldByBearer(grants, bearer)) return [];
  if (bearer.apiToken !== undefined && !grants.tokens.has(bearer.apiToken)) return ["not_signed_in"];
  const actor = grants.actors.get(bearer.actor);
  if (actor) return [actor.disabled ? "actor_disabled" : "not_signed_in"];
  // The name may be another's by now, who is disabled.
  return ["not_signed_in", "actor_disabled"];
}

/** A refusal that has to be, as the code of its problem and why; undefined where a call has to be answered. */
export function refusal(
  accounts: Accounts,
  bearer: Bearer,
  attempt: Attempt,
  now: number,
): readonly [code: string, why: string] | undefined {
  const { action, payload } = attempt;
  const guess = guessOf(accounts, bearer, attempt);
  const outcome = guess && outcomeOf(accounts, guess, now);
  if (outcome === "throttled") return ["throttled", "too many wrong passwords"];
  if (action === "login") return outcome === "wrong" ? ["not_signed_in", "name or password are not right"] : undefined;
  const held = heldByBearer(accounts, bearer);
  if (!held) return [tokenProblems(accounts, bearer)[0] ?? "", "the token opens nothing"];
  if (bearer.apiToken !== undefined && !mayToken(bearer.apiToken, attempt)) {
    return ["not_allowed", "an API token changes no account but itself"];
  }
  const noCursor: Refused = payload.cursor === undefined ? undefined : ["bad_parameters", "it is no cursor"];
  switch (action) {
    case "whoami":
      return undefined;
    case "can":
      return Array.isArray(payload.actions) && payload.actions.includes("model/no_such")
        ? ["unknown_action", "asks about an action there is not"]
        : undefined;
    case "token_create":
      return ofTokenCreate(accounts, bearer, payload);
    case "token_list":
      return noCursor ?? ofTokenList(accounts, bearer, held, payload);
    case "token_revoke":
      return ofTokenRevoke(accounts, bearer, held, payload);
    case "change_my_password":
      if (isWeak(payload.newPassword)) return isWeak(payload.newPassword);
      if (!guess) return ["not_found", "another issuer knows the password"];
      return outcome === "wrong" ? ["wrong_password", "the old password is not right"] : undefined;
    default:
      if (!held.everywhere.has("admin")) return ["not_allowed", "only administrators do that"];
      return isWeak(payload.password) ?? noCursor ?? ofAdministration(accounts, bearer, attempt);
  }
}

type Refused = ReturnType<typeof refusal>;

/** True for calls that an API token may make: looking at accounts, and revoking itself. */
const mayToken = (id: string, { action, payload }: Attempt): boolean =>
  /_(list|get)$|^(whoami|can)$/.test(action) || (action === "token_revoke" && payload.tokenId === id);

const isWeak = (password: unknown): Refused =>
  WEAK.some((weak) => weak === password) ? ["bad_parameters", "the password is too weak"] : undefined;

function ofTokenCreate(grants: Grants, bearer: Bearer, payload: Attempt["payload"]): Refused {
  const own = lasting(grants, bearer.actor);
  const asked = Array.isArray(payload.permissions) ? payload.permissions : [];
  if (asked.every((one) => anywhere(own, one))) return undefined;
  return ["not_allowed", "asks for more than is held by assignment"];
}

function ofTokenList(grants: Grants, bearer: Bearer, held: Held, { actorId, all }: Attempt["payload"]): Refused {
  const administers = held.everywhere.has("admin");
  if (all === true && actorId !== undefined) return ["bad_parameters", "asks for those of one and of all"];
  if (all === true) return administers ? undefined : ["not_allowed", "those of all are for administrators"];
  if (actorId === undefined || actorId === bearer.actor) return undefined;
  if (administers && grants.actors.has(String(actorId))) return undefined;
  return ["not_found", "there is no such actor, or not for the caller"];
}

function ofTokenRevoke(grants: Grants, bearer: Bearer, held: Held, { tokenId }: Attempt["payload"]): Refused {
  const token = grants.tokens.get(String(tokenId));
  if (!token) return ["not_found", "there is no such API token"];
  if (token.owner !== bearer.actor && !held.everywhere.has("admin")) {
    return ["not_found", "the API token is another's"];
  }
  return undefined;
}

/** Refusals of the actions that only administrators may run. */
function ofAdministration(grants: Grants, bearer: Bearer, attempt: Attempt): Refused {
  const { action, payload } = attempt;
  const { role, actorId, actor } = named(grants, attempt);
  const givesAdmin = meaning(role?.permissions ?? []).has("admin");
  const lastOne = (): Refused =>
    remains(grants, (later) => apply(later, bearer, attempt, { id: "new" }))
      ? undefined
      : ["last_administrator", "nobody could administer any more"];
  if (payload.roleRef !== undefined && !role) return ["not_found", "there is no such role"];
  const namesSomebody = payload.actorId !== undefined || payload.username !== undefined;
  if (namesSomebody && !actor && action !== "user_create" && action !== "audit_list") {
    return ["not_found", "there is no such actor"];
  }
  const changesRole = action.startsWith("role_") && action !== "role_update_autoassign" && action !== "role_get";
  if (changesRole && role?.managed) return ["managed_role", "the service keeps the role"];
  switch (action) {
    case "role_create":
      return isTaken(grants, payload.key) ? ["key_taken", "the key is taken"] : undefined;
    case "role_update_key":
      return payload.value !== role?.key && isTaken(grants, payload.value)
        ? ["key_taken", "the key is taken"]
        : undefined;
    case "role_add_permission":
      return payload.permissionKey === "admin" && role?.autoAssign
        ? ["bad_parameters", "nobody begins as an administrator"]
        : undefined;
    case "role_update_autoassign":
      return payload.value === true && givesAdmin ? ["bad_parameters", "nobody begins as an administrator"] : undefined;
    case "role_delete":
    case "role_delete_permission":
    case "actor_delete_role":
      return lastOne();
    case "user_create":
      if (Array.isArray(payload.roleRefs) && payload.roleRefs.some((ref) => !isRole(grants, ref))) {
        return ["not_found", "there is no such role"];
      }
      return actor ? ["key_taken", "the name is taken"] : undefined;
    case "actor_disable":
    case "user_disable":
    case "user_delete":
      if (actorId === bearer.actor) return ["bad_parameters", "nobody does that to themselves"];
      return lastOne();
    default:
      return undefined;
  }
}

const isRole = ({ roles }: Grants, ref: unknown): boolean =>
  [...roles].some(([id, { key }]) => ref === `key:${key}` || ref === `id:${id}`);

const isTaken = ({ roles }: Grants, key: unknown): boolean => [...roles.values()].some((role) => role.key === key);
