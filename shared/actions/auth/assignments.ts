import { hasPermissionOn } from "../../domain/accounts/principal.ts";
import { role } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Actor, AuthRole, ScopedRole } from "../../domain/model/objects.ts";
import { PERMISSIONS, withImplied } from "../../domain/permissions.ts";
import { type Fault, Problem } from "../../domain/problems.ts";
import { type KeyPattern, parseModelPattern, printRef, type Ref } from "../../domain/refs.ts";
import type { Ports } from "../contract/action.ts";
import type { Call } from "../contract/call.ts";

/** A role for everything, or for the models of a pattern. */
interface Assignment {
  /** Id of the role. */
  readonly role: string;
  readonly models: string | undefined;
}

type AssignedRoles = Pick<Actor, "roles" | "scopedRoles">;

/** Actors without roles for some models have no such member. */
type RoleMembers = Pick<Actor, "roles"> & { readonly scopedRoles: readonly ScopedRole[] | undefined };

/**
 * The roles of an actor with one more, and without those that are gone: such a role gives nothing, and its id never comes
 * back. `too_large` beyond `LIMITS.scopedRoles`.
 */
export function addRole(actor: AssignedRoles, { role, models }: Assignment, all: readonly AuthRole[]): RoleMembers {
  const living = new Set(all.map(({ id }) => id));
  const roles = actor.roles.filter((id) => living.has(id));
  const scopedRoles = (actor.scopedRoles ?? []).filter((one) => living.has(one.role));
  if (hasAssignment(actor, { role, models })) return toRoleMembers(actor.roles, actor.scopedRoles ?? []);
  if (models === undefined) return toRoleMembers([...roles, role], scopedRoles);
  if (scopedRoles.length >= LIMITS.scopedRoles) {
    const detail = `an actor may have ${LIMITS.scopedRoles} roles for some models only; take one away first, or use a wider pattern`;
    throw new Problem("too_large", detail);
  }
  return toRoleMembers(roles, [...scopedRoles, { role, models }]);
}

/** The roles that refs name, of all there are, each once: `not_found` for the first that names none. */
export function findRoles(refs: readonly Ref[], all: readonly AuthRole[]): readonly AuthRole[] {
  const named = refs.map((ref) => {
    const found = all.find(({ id, key }) => ref.value === (ref.scheme === "id" ? id : key));
    if (!found) throw new Problem("not_found", `no ${role.noun} ${printRef(ref)}`);
    return found;
  });
  return [...new Set(named)];
}

/**
 * Refuses a pattern that names a model by an id that none has which the caller may read: `not_found`. A key may be of a model
 * that is still to be made.
 */
export async function checkPatternModel(pattern: KeyPattern, { principal }: Call, { store }: Ports): Promise<void> {
  const named = parseModelPattern(pattern);
  if (named?.scheme !== "id") return;
  await store.open(named, (model) => principal !== undefined && hasPermissionOn(principal, "model_read", model));
}

/** The roles of an actor without this one; one it does not have changes nothing. */
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
 * The faults of giving an actor a role for the models of a pattern: one for each role, given for everything or claimed by the
 * newest token, by which the actor has some of its permissions for every model.
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
    const both = ofModels.filter((permission) => held.has(permission)).sort();
    if (both.length === 0) return [];
    const isAssigned = actor.roles.includes(id);
    const whence = isAssigned ? key : `${key}, which the actor's newest token claims,`;
    const way = isAssigned ? "; take that role from the actor to limit it" : "";
    const detail = `${models} does not limit ${both.join(", ")}: the role ${whence} gives it for every model${way}`;
    return [{ pointer: "/models", detail }];
  });
}

function hasAssignment({ roles, scopedRoles = [] }: AssignedRoles, { role, models }: Assignment): boolean {
  return models === undefined ? roles.includes(role) : scopedRoles.some((o) => o.role === role && o.models === models);
}

function toRoleMembers(roles: readonly string[], scopedRoles: readonly ScopedRole[]): RoleMembers {
  return { roles, scopedRoles: scopedRoles.length > 0 ? scopedRoles : undefined };
}
