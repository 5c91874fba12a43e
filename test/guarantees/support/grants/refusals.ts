import type { Accounts } from "./accounts.ts";
import { apply } from "./effects.ts";
import { guessOf, outcomeOf } from "./guesses.ts";
import { type Attempt, type Bearer, type Grants, heldByBearer, named, remains } from "./model.ts";
import { WEAK } from "./passwords.ts";
import { type Held, meaning } from "./rules.ts";
import { mayToken, ofModelNamed, ofTokenCreate, ofTokenList, ofTokenRevoke, type Refused } from "./token-refusals.ts";

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
export function refusal(accounts: Accounts, bearer: Bearer, attempt: Attempt, now: number): Refused {
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
      return ofTokenCreate(accounts, bearer, held, payload);
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
      return isWeak(payload.password) ?? noCursor ?? ofAdministration(accounts, bearer, held, attempt);
  }
}

const isWeak = (password: unknown): Refused =>
  WEAK.some((weak) => weak === password) ? ["bad_parameters", "the password is too weak"] : undefined;

/** Refusals of the actions that only administrators may run. */
function ofAdministration(accounts: Accounts, bearer: Bearer, held: Held, attempt: Attempt): Refused {
  const { action, payload } = attempt;
  const { role, actorId, actor } = named(accounts, attempt);
  const givesAdmin = meaning(role?.permissions ?? []).has("admin");
  const lastOne = (): Refused =>
    remains(accounts, (later) => apply(later, bearer, attempt, { id: "new" }))
      ? undefined
      : ["last_administrator", "nobody could administer any more"];
  const refs: readonly unknown[] = Array.isArray(payload.roleRefs) ? payload.roleRefs : [];
  if (refs.some((ref) => !isRole(accounts, ref))) return ["not_found", "there is no such role"];
  if (payload.roleRef !== undefined && !role) return ["not_found", "there is no such role"];
  const namesSomebody = [payload.actorId, payload.username, payload.serviceAccountRef].some((one) => one !== undefined);
  if (namesSomebody && !actor && action !== "user_create" && action !== "audit_list") {
    return ["not_found", "there is no such actor"];
  }
  const changesRole = action.startsWith("role_") && action !== "role_update_autoassign" && action !== "role_get";
  if (changesRole && role?.managed) return ["managed_role", "the service keeps the role"];
  switch (action) {
    case "role_create":
      return isTaken(accounts, payload.key) ? ["key_taken", "the key is taken"] : undefined;
    case "role_update_key":
      return payload.value !== role?.key && isTaken(accounts, payload.value)
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
      return actor ? ["key_taken", "the name is taken"] : undefined;
    case "service_account_create":
      return [...accounts.actors.values()].some(({ service }) => service === payload.key)
        ? ["key_taken", "the key is taken"]
        : undefined;
    case "actor_add_role":
      return ofModelNamed(accounts, held, payload.models);
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
