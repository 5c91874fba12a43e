import { type Attempt, type Bearer, type Grants, heldByBearer, lasting, named } from "./grants-model.ts";
import { anywhere, meaning } from "./grants-rules.ts";

/** What an acknowledged call made: a role, an API token, or for a user its actor. */
export interface Acknowledged {
  readonly id: string;
}

/** Does in the model what an acknowledged call does. */
export function apply(grants: Grants, bearer: Bearer, attempt: Attempt, { id }: Acknowledged): void {
  const { action, payload } = attempt;
  const { roles, actors, tokens } = grants;
  const { roleId, role, actorId, actor } = named(grants, attempt);
  const permissionKey = String(payload.permissionKey);
  switch (action) {
    case "role_create":
      roles.set(id, { key: String(payload.key), permissions: [], managed: false, autoAssign: false });
      return;
    case "role_add_permission":
      if (role) roles.set(roleId, { ...role, permissions: [...new Set([...role.permissions, permissionKey])] });
      return;
    case "role_delete_permission":
      if (role) roles.set(roleId, { ...role, permissions: role.permissions.filter((one) => one !== permissionKey) });
      return;
    case "role_update_autoassign":
      // One role at most.
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
      if (actor) actors.set(actorId, { ...actor, disabled: true });
      endTokensOf(grants, actorId);
      return;
    case "actor_enable":
    case "user_enable":
      if (actor) actors.set(actorId, { ...actor, disabled: false });
      return;
    case "user_create": {
      const given = [...roles].filter(([, it]) => (payload.admin ? it.managed && it.key === "admin" : it.autoAssign));
      const assigned = { roles: given.map(([one]) => one), scopedRoles: [], disabled: false };
      actors.set(id, { username: String(payload.username), ...assigned });
      return;
    }
    case "user_delete":
      actors.delete(actorId);
      endTokensOf(grants, actorId);
      return;
    case "token_create":
      tokens.set(id, {
        owner: bearer.actor,
        permissions: Array.isArray(payload.permissions)
          ? payload.permissions
          : [...lastingPermissions(grants, bearer.actor)],
      });
      return;
    case "token_revoke":
      tokens.delete(String(payload.tokenId));
      return;
    default:
      throw new Error(`the model knows no ${action}`);
  }
}

function lastingPermissions(grants: Grants, actor: string): ReadonlySet<string> {
  const { everywhere, somewhere } = lasting(grants, actor);
  return new Set([...everywhere, ...somewhere.flatMap(({ permissions }) => [...permissions])]);
}

function endTokensOf({ tokens }: Grants, actor: string): void {
  for (const [id, { owner }] of tokens) if (owner === actor) tokens.delete(id);
}

/** Why a call must be refused; undefined where it must be acknowledged. */
export function refusal(
  grants: Grants,
  bearer: Bearer,
  attempt: Attempt,
  after: (change: (after: Grants) => void) => boolean,
): string | undefined {
  const held = heldByBearer(grants, bearer);
  if (!held) return "the token opens nothing";
  const { action, payload } = attempt;
  const administers = held.everywhere.has("admin");
  const done = { id: "new" };
  const leavesOne = () => after((later) => apply(later, bearer, attempt, done));
  if (action === "token_create") {
    if (bearer.apiToken !== undefined) return "an API token makes none";
    const own = lasting(grants, bearer.actor);
    const asked = Array.isArray(payload.permissions) ? payload.permissions : [];
    return asked.every((one) => anywhere(own, one)) ? undefined : "asks for more than is held by assignment";
  }
  if (action === "token_revoke") {
    const token = grants.tokens.get(String(payload.tokenId));
    if (!token) return "there is no such API token";
    if (token.owner !== bearer.actor && !administers) return "the API token is another's";
    if (bearer.apiToken !== undefined && bearer.apiToken !== payload.tokenId) return "an API token revokes no other";
    return undefined;
  }
  if (!administers) return "only administrators do that";
  const { role, actorId, actor } = named(grants, attempt);
  const givesAdmin = meaning(role?.permissions ?? []).has("admin");
  if (payload.roleRef !== undefined && !role) return "there is no such role";
  if ((payload.actorId !== undefined || payload.username !== undefined) && !actor && action !== "user_create") {
    return "there is no such actor";
  }
  const isOfRole = action.startsWith("role_") && action !== "role_update_autoassign";
  if (isOfRole && role?.managed) return "the service keeps the role";
  switch (action) {
    case "role_create":
      return isTaken(grants, payload.key) ? "the key is taken" : undefined;
    case "role_update_key":
      return payload.value !== role?.key && isTaken(grants, payload.value) ? "the key is taken" : undefined;
    case "role_add_permission":
      return payload.permissionKey === "admin" && role?.autoAssign ? "nobody begins as an administrator" : undefined;
    case "role_update_autoassign":
      return payload.value === true && givesAdmin ? "nobody begins as an administrator" : undefined;
    case "role_delete":
    case "role_delete_permission":
    case "actor_delete_role":
      return leavesOne() ? undefined : "the last administrator";
    case "user_create":
      return actor ? "the name is taken" : undefined;
    case "actor_disable":
    case "user_disable":
    case "user_delete":
      if (actorId === bearer.actor) return "nobody does that to themselves";
      return leavesOne() ? undefined : "the last administrator";
    default:
      return undefined;
  }
}

const isTaken = ({ roles }: Grants, key: unknown): boolean => [...roles.values()].some((role) => role.key === key);
