import { PASSWORD } from "../../support/accounts.ts";
import { ROLE_KEYS } from "./grants-cast.ts";
import { type Attempt, administrators, type Grants } from "./grants-model.ts";
import { EVERYTHING } from "./grants-rules.ts";
import type { Chance } from "./history-chance.ts";

const USERS = ["admin", "second", "manager", "reader", "nobody", "new1", "new2"];
const PATTERNS = ["crm_*", "*", "other", "c*a", "crm\\*"];

/** What there is to be named by a call; ids of what is gone are among them. */
export interface Nameable {
  readonly actors: readonly string[];
  readonly tokens: readonly string[];
}

/** How often a call is one that takes an administrator away, so that there is often one alone. */
const TAKING = 0.2;

/** Any call that might give or take rights, whether it is allowed or not. */
export function anyAttempt(chance: Chance, nameable: Nameable, grants: Pick<Grants, "roles" | "actors">): Attempt {
  return chance.happens(TAKING) ? takingAttempt(chance, grants) : anyOther(chance, nameable);
}

/** A call that takes the rights of an administrator, or the administrator. */
function takingAttempt(chance: Chance, grants: Pick<Grants, "roles" | "actors">): Attempt {
  const actorId = chance.pick(administrators(grants));
  const { username = "admin", roles = [] } = grants.actors.get(actorId) ?? {};
  const giving = roles.map((id) => grants.roles.get(id)).filter((role) => role?.permissions.includes("admin"));
  const roleRef = `key:${chance.pick(giving)?.key}`;
  return chance.weighted<Attempt>([
    [{ action: "actor_delete_role", payload: { actorId, roleRef } }, 4],
    [{ action: "role_delete_permission", payload: { roleRef, permissionKey: "admin" } }, 2],
    [{ action: "role_delete", payload: { roleRef } }, 2],
    [{ action: "actor_disable", payload: { actorId } }, 1],
    [{ action: "user_disable", payload: { username } }, 1],
    [{ action: "user_delete", payload: { username } }, 1],
  ]);
}

function anyOther(chance: Chance, { actors, tokens }: Nameable): Attempt {
  const actorId = chance.pick(actors);
  const username = chance.pick(USERS);
  const roleRef = `key:${chance.pick([...ROLE_KEYS, ...ROLE_KEYS, "admin", "manager", "reader"])}`;
  const permissionKey = chance.happens(0.3) ? "admin" : chance.pick(EVERYTHING);
  const models = chance.happens(0.5) ? { models: chance.pick(PATTERNS) } : {};
  const permissions = chance.happens(0.5)
    ? { permissions: [chance.pick(EVERYTHING), chance.pick(["model_read", "admin"])] }
    : {};
  const tokenId = tokens.length > 0 ? chance.pick(tokens) : actorId;
  return chance.weighted<Attempt>([
    [{ action: "role_create", payload: { key: chance.pick(ROLE_KEYS), name: "Role" } }, 6],
    [{ action: "role_add_permission", payload: { roleRef, permissionKey } }, 4],
    [{ action: "role_delete_permission", payload: { roleRef, permissionKey } }, 2],
    [{ action: "role_update_autoassign", payload: { roleRef, value: chance.happens(0.7) } }, 1],
    [{ action: "role_update_key", payload: { roleRef, value: chance.pick(ROLE_KEYS) } }, 1],
    [{ action: "role_delete", payload: { roleRef } }, 1],
    [{ action: "actor_add_role", payload: { actorId, roleRef, ...models } }, 6],
    [{ action: "actor_delete_role", payload: { actorId, roleRef, ...models } }, 3],
    [{ action: "actor_delete_role", payload: { actorId, roleRef: "key:admin" } }, 2],
    [{ action: "actor_disable", payload: { actorId } }, 1],
    [{ action: "actor_enable", payload: { actorId } }, 2],
    [{ action: "user_disable", payload: { username } }, 1],
    [{ action: "user_enable", payload: { username } }, 2],
    [
      { action: "user_create", payload: { username, fullname: "New", password: PASSWORD, admin: chance.happens(0.3) } },
      2,
    ],
    [{ action: "user_delete", payload: { username } }, 1],
    [{ action: "token_create", payload: { name: "Token", ...permissions } }, 3],
    [{ action: "token_revoke", payload: { tokenId } }, 1],
  ]);
}
