import { type Attempt, type Bearer, type Grants, lasting, named } from "./model.ts";
import { meaning } from "./rules.ts";

/** Applies an acknowledged call to the model; `id` is that of the role, API token or actor that it created. */
export function apply(grants: Grants, bearer: Bearer, attempt: Attempt, id: string): void {
  const { action, payload } = attempt;
  const { roles, actors, tokens } = grants;
  const { roleId, role, actorId, actor } = named(grants, attempt);
  const permissionKey = String(payload.permissionKey);
  const newKey = String(payload.key);
  switch (action) {
    case "role_create":
      roles.set(id, { key: newKey, permissions: [], managed: false, autoAssign: false });
      return;
    case "role_add_permission":
      if (role) roles.set(roleId, { ...role, permissions: [...new Set([...role.permissions, permissionKey])] });
      return;
    case "role_delete_permission":
      if (role) roles.set(roleId, { ...role, permissions: role.permissions.filter((one) => one !== permissionKey) });
      return;
    case "role_update_autoassign":
      // Only one role is given to new actors.
      if (payload.value === true) for (const [other, it] of roles) roles.set(other, { ...it, autoAssign: false });
      if (role) roles.set(roleId, { ...role, autoAssign: payload.value === true });
      return;
    case "role_update_key":
      if (role) roles.set(roleId, { ...role, key: String(payload.value) });
      return;
    case "role_delete":
      roles.delete(roleId);
      return;
    case "actor_add_role":
    case "actor_delete_role": {
      if (!actor) return;
      const adds = action === "actor_add_role";
      const { models } = payload;
      const others = actor.scopedRoles.filter((one) => one.role !== roleId || one.models !== models);
      const kept = actor.roles.filter((one) => one !== roleId);
      if (typeof models === "string") {
        actors.set(actorId, { ...actor, scopedRoles: adds ? [...others, { role: roleId, models }] : others });
      } else actors.set(actorId, { ...actor, roles: adds ? [...kept, roleId] : kept });
      return;
    }
    case "actor_disable":
    case "user_disable":
    case "service_account_disable":
      if (actor) actors.set(actorId, { ...actor, disabled: true });
      endTokensOf(grants, actorId);
      return;
    case "actor_enable":
    case "user_enable":
      if (actor) actors.set(actorId, { ...actor, disabled: false });
      return;
    case "user_create": {
      const given = [...roles].filter(([role, { key, autoAssign }]) => {
        if (rolesNamed(grants, payload).includes(role)) return true;
        return payload.admin ? key === "admin" : payload.roleRefs === undefined && autoAssign;
      });
      const assigned = { roles: given.map(([one]) => one), scopedRoles: [], disabled: false };
      actors.set(id, { username: String(payload.username), ...assigned });
      return;
    }
    case "service_account_create":
      // The role of new actors is not for programs.
      actors.set(id, { service: newKey, roles: rolesNamed(grants, payload), scopedRoles: [], disabled: false });
      return;
    case "user_delete":
    case "service_account_delete":
      actors.delete(actorId);
      endTokensOf(grants, actorId);
      return;
    case "token_create": {
      const owner = ownerOf(bearer, payload);
      tokens.set(id, {
        owner,
        permissions: Array.isArray(payload.permissions)
          ? payload.permissions
          : [...withoutImplied(lastingPermissions(grants, owner))],
        ...(Array.isArray(payload.models) && { models: [...new Set<string>(payload.models)] }),
      });
      return;
    }
    case "token_revoke":
      tokens.delete(String(payload.tokenId));
      return;
    default:
      throw new Error(`test/guarantees/support/grants/effects.ts has no effect for auth/${action}`);
  }
}

/** The actor that a new API token stands for: the one that is named, or the caller. */
export const ownerOf = (bearer: Bearer, { actorId }: Attempt["payload"]): string => String(actorId ?? bearer.actor);

/** The ids of the roles that a call names in a list by their keys, each once. */
function rolesNamed({ roles }: Grants, { roleRefs }: Attempt["payload"]): readonly string[] {
  const refs: readonly unknown[] = Array.isArray(roleRefs) ? roleRefs : [];
  return [...roles].filter(([, { key }]) => refs.includes(`key:${key}`)).map(([id]) => id);
}

function lastingPermissions(grants: Grants, actor: string): ReadonlySet<string> {
  const { everywhere, somewhere } = lasting(grants, actor);
  return new Set([...everywhere, ...somewhere.flatMap(({ permissions }) => [...permissions])]);
}

const withoutImplied = (held: ReadonlySet<string>): readonly string[] =>
  [...held].filter((one) => ![...held].some((other) => other !== one && meaning([other]).has(one)));

function endTokensOf({ tokens }: Grants, actor: string) {
  for (const [id, { owner }] of tokens) if (owner === actor) tokens.delete(id);
}
