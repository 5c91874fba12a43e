import { hasPermissionOn } from "../../domain/accounts/principal.ts";
import { role } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Actor, AuthRole, ScopedRole } from "../../domain/model/objects.ts";
import { PERMISSIONS, withImplied } from "../../domain/permissions.ts";
import { type Fault, Problem } from "../../domain/problems.ts";
import { type KeyPattern, parseModelPattern, printRef, type Ref } from "../../domain/refs.ts";
import type { Ports } from "../contract/action.ts";
import type { Call } from "../contract/call.ts";

/** An assigned role: for everything, or for the models of a pattern. */
interface Assignment {
  /** Id of the role. */
  readonly role: string;
  readonly models: string | undefined;
}

type AssignedRoles = Pick<Actor, "roles" | "scopedRoles">;

/** The members of an actor that hold its roles. `scopedRoles` is undefined if it has no role for some models. */
type RoleMembers = Pick<Actor, "roles"> & { readonly scopedRoles: readonly ScopedRole[] | undefined };

/**
 * Returns the roles of an actor with one more role. Deleted roles are removed: they give nothing, and their ids are never
 * reused. Throws `too_large` above `LIMITS.scopedRoles`.
 */
export function addRole(actor: AssignedRoles, { role, models }: Assignment, all: readonly AuthRole[]): RoleMembers {
  const living = new Set(all.map(({ id }) => id));
  const roles = actor.roles.filter((id) => living.has(id));
  const scopedRoles = (actor.scopedRoles ?? []).filter((one) => living.has(one.role));
  if (hasAssignment(actor, { role, models })) return toRoleMembers(actor.roles, actor.scopedRoles ?? []);
  if (models === undefined) return toRoleMembers([...roles, role], scopedRoles);
  if (scopedRoles.length >= LIMITS.scopedRoles) {
    const detail = `An actor may have at most ${LIMITS.scopedRoles} roles for some models. Remove one first, or use a wider pattern`;
    throw new Problem("too_large", detail);
  }
  return toRoleMembers(roles, [...scopedRoles, { role, models }]);
}

/** Returns the roles that refs name, each once. Throws `not_found` for the first ref without a role. */
export function findRoles(refs: readonly Ref[], all: readonly AuthRole[]): readonly AuthRole[] {
  const found = refs.map((ref) => {
    const one = all.find(({ id, key }) => ref.value === (ref.scheme === "id" ? id : key));
    if (!one) throw new Problem("not_found", `no ${role.noun} ${printRef(ref)}`);
    return one;
  });
  return [...new Set(found)];
}

/**
 * Throws `not_found` when a pattern is the id of a model that does not exist or that the caller may not read. A pattern that
 * is a key may name a model that is not created yet.
 */
export async function checkPatternModel(pattern: KeyPattern, { principal }: Call, { store }: Ports): Promise<void> {
  const ref = parseModelPattern(pattern);
  if (ref?.scheme !== "id") return;
  await store.open(ref, (model) => principal !== undefined && hasPermissionOn(principal, "model_read", model));
}

/** Returns the roles of an actor without one role. A role that it does not have changes nothing. */
export function removeRole(actor: AssignedRoles, { role, models }: Assignment): RoleMembers {
  const scopedRoles = actor.scopedRoles ?? [];
  if (models === undefined)
    return toRoleMembers(
      actor.roles.filter((id) => id !== role),
      scopedRoles,
    );
  return toRoleMembers(
    actor.roles,
    scopedRoles.filter((one) => one.role !== role || one.models !== models),
  );
}

/**
 * Returns warnings about a role that is given for the models of a pattern: one for each other role, assigned for everything or
 * claimed by the newest token, that gives some of its permissions for every model.
 */
export function findUnlimitedGrants(
  actor: Actor,
  given: AuthRole,
  models: KeyPattern,
  all: readonly AuthRole[],
): readonly Fault[] {
  const isEverywhere = ({ id, key }: AuthRole) => actor.roles.includes(id) || actor.claimedRoles?.includes(key);
  const ofModels = [...withImplied(given.permissions)].filter((permission) => PERMISSIONS[permission].ofModels);
  return all.filter(isEverywhere).flatMap(({ id, key, permissions }) => {
    const held = withImplied(permissions);
    const shared = ofModels.filter((permission) => held.has(permission)).sort();
    if (shared.length === 0) return [];
    const isAssigned = actor.roles.includes(id);
    const source = isAssigned ? key : `${key}, which the newest token of the actor claims,`;
    const advice = isAssigned ? "; remove that role from the actor to limit it" : "";
    const detail = `${models} does not limit ${shared.join(", ")}: the role ${source} gives it for every model${advice}`;
    return [{ pointer: "/models", detail }];
  });
}

function hasAssignment({ roles, scopedRoles = [] }: AssignedRoles, { role, models }: Assignment): boolean {
  return models === undefined ? roles.includes(role) : scopedRoles.some((o) => o.role === role && o.models === models);
}

function toRoleMembers(roles: readonly string[], scopedRoles: readonly ScopedRole[]): RoleMembers {
  return { roles, scopedRoles: scopedRoles.length > 0 ? scopedRoles : undefined };
}
