import { hashActorKey } from "../../domain/accounts/actors.ts";
import { hasPermissionOn, isServiceAccount, type Rights } from "../../domain/accounts/principal.ts";
import type { ScopedRole } from "../../domain/fields/account-fields.ts";
import { role } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type Change, deleteChange, updateChanges } from "../../domain/model/changes.ts";
import type { Actor, AuthRole, User } from "../../domain/model/objects.ts";
import { addImplied, BUILT_IN, PERMISSIONS, type Permission } from "../../domain/permissions.ts";
import { type Fault, Problem } from "../../domain/problems.ts";
import { type KeyPattern, parseModelPattern, printRef, type Ref } from "../../domain/refs.ts";
import type { Ports } from "../contract/action.ts";
import type { Call } from "../contract/call.ts";
import { createParameterProblem } from "../contract/params.ts";
import type { Page, ReadView } from "../contract/view.ts";
import { listAllRoles } from "../pipeline/caller-rights.ts";

/** Returns the actor of a user. Every user has one. */
export async function findActorOfUser(view: ReadView, { key }: User): Promise<Actor> {
  const actor = await view.find("actor", { scheme: "key", value: hashActorKey(BUILT_IN, key) });
  if (!actor) throw new Error(`The user ${key} has no actor`);
  return actor;
}

/** Returns the user of an actor. Undefined if another issuer signs the actor in. */
export async function findUserOfActor(view: ReadView, { issuer, subject }: Actor): Promise<User | undefined> {
  return issuer === BUILT_IN ? view.find("user", { scheme: "key", value: subject }) : undefined;
}

/** Returns the actor with all its sign-in tokens ended. */
export function endTokens(actor: Actor, { time }: Call): Actor {
  // Token times are in seconds. The next second also ends tokens of the current one.
  if (actor.tokenEpoch === undefined) return { ...actor, validAfter: Math.floor(Date.parse(time) / 1000) + 1 };
  return { ...actor, tokenEpoch: actor.tokenEpoch + 1 };
}

/** Enables or disables an actor with its user. */
export async function setEnabled(
  view: ReadView,
  actor: Actor,
  isEnabled: boolean,
  call: Call,
): Promise<readonly Change[]> {
  if ((actor.disabledAt === undefined) === isEnabled) return [];
  const user = await findUserOfActor(view, actor);
  const disabledAt = isEnabled ? undefined : call.time;
  const { tokenEpoch, validAfter } = isEnabled ? actor : endTokens(actor, call);
  return [
    ...updateChanges(actor, { disabledAt, tokenEpoch, validAfter }),
    ...(user ? updateChanges(user, { disabledAt }) : []),
  ];
}

/** Returns the changes that delete all API tokens of an actor. */
export async function deleteApiTokens(view: ReadView, { id }: Actor): Promise<readonly Change[]> {
  return (await view.list("api_token", id)).items.map((token) => deleteChange(token, false));
}

/** Throws `bad_parameters` when the caller is the actor. */
export function checkNotSelf(actor: Actor, { principal }: Call, parameter: string): void {
  if (principal?.actorId !== actor.id) return;
  throw createParameterProblem("This is your own account; ask another administrator to do it", parameter);
}

interface PlannedAccounts {
  readonly actors?: ReadonlyMap<string, Actor | undefined>;
  readonly roles?: ReadonlyMap<string, AuthRole | undefined>;
}

const PAGE_SIZE = 100;

/** Throws `last_administrator` when no administrator would remain. */
export async function checkAdministratorRemains(view: ReadView, plan: PlannedAccounts): Promise<void> {
  const roles = await listAllRoles(view, true);
  const isAdministrator = (actor: Actor | undefined, allRoles: readonly AuthRole[]) =>
    actor !== undefined &&
    actor.disabledAt === undefined &&
    // A service account never signs in, and API tokens cannot change accounts.
    !isServiceAccount(actor) &&
    collectPermissions(actor, allRoles).has("admin");
  const after = roles.flatMap((role) => (plan.roles?.has(role.id) ? (plan.roles.get(role.id) ?? []) : role));
  let from: string | undefined;
  do {
    const page: Page = { limit: PAGE_SIZE, lookBack: true, ...(from !== undefined && { after: from }) };
    const { items, next }: Awaited<ReturnType<typeof view.list<"actor">>> = await view.list("actor", undefined, page);
    const plannedActors = items.map((actor) => (plan.actors?.has(actor.id) ? plan.actors.get(actor.id) : actor));
    if (plannedActors.some((actor) => isAdministrator(actor, after))) return;
    from = next;
  } while (from !== undefined);
  throw new Problem(
    "last_administrator",
    "No administrator would remain. Give another actor the permission admin first",
  );
}

/** Throws `last_administrator` when `actor` is the last one. An administrator by token claim alone does not count. */
export async function checkOtherAdministratorRemains(view: ReadView, actor: Actor, { principal }: Call): Promise<void> {
  if (!principal || principal.claimedRoles.length === 0) return;
  if (!collectPermissions(actor, await listAllRoles(view)).has("admin")) return;
  await checkAdministratorRemains(view, { actors: new Map([[actor.id, undefined]]) });
}

/** Throws `not_allowed` when the caller gives a permission that they do not hold. */
export function checkGrant({ permissions: ownPermissions }: Rights, newPermissions: readonly Permission[]): void {
  const excess = newPermissions.find((permission) => !ownPermissions.has(permission));
  if (excess === undefined) return;
  throw new Problem("not_allowed", `You cannot give the permission ${excess}, because you do not hold it`);
}

/** Returns the permissions of an actor by its existing roles. */
export function collectPermissions(actor: Actor, roles: readonly AuthRole[]): ReadonlySet<Permission> {
  return addImplied(roles.filter(({ id }) => actor.roles.includes(id)).flatMap(({ permissions }) => permissions));
}

interface Assignment {
  readonly role: string;
  readonly models: string | undefined;
}

type AssignedRoles = Pick<Actor, "roles" | "scopedRoles">;

type RoleMembers = Pick<Actor, "roles"> & { readonly scopedRoles: readonly ScopedRole[] | undefined };

/** Returns the roles of an actor with one more role, without deleted ones. Throws `too_large`. */
export function addRole(actor: AssignedRoles, { role, models }: Assignment, all: readonly AuthRole[]): RoleMembers {
  const roleIds = new Set(all.map(({ id }) => id));
  const roles = actor.roles.filter((id) => roleIds.has(id));
  const scopedRoles = (actor.scopedRoles ?? []).filter((one) => roleIds.has(one.role));
  if (hasAssignment(actor, { role, models })) return toRoleMembers(actor.roles, actor.scopedRoles ?? []);
  if (models === undefined) return toRoleMembers([...roles, role], scopedRoles);
  if (scopedRoles.length >= LIMITS.scopedRoles) {
    const detail = `An actor may have at most ${LIMITS.scopedRoles} roles for some models. Remove one first, or use a wider pattern`;
    throw new Problem("too_large", detail);
  }
  return toRoleMembers(roles, [...scopedRoles, { role, models }]);
}

/** Returns the roles that refs name, each once. Throws `not_found`. */
export function findRoles(refs: readonly Ref[], all: readonly AuthRole[]): readonly AuthRole[] {
  const roles = refs.map((ref) => {
    const one = all.find(({ id, key }) => ref.value === (ref.scheme === "id" ? id : key));
    if (!one) throw new Problem("not_found", `no ${role.noun} ${printRef(ref)}`);
    return one;
  });
  return [...new Set(roles)];
}

/** Throws `not_found` for the id of a model that the caller may not read. A key need not exist. */
export async function checkPatternModel(pattern: KeyPattern, { principal }: Call, { store }: Ports): Promise<void> {
  const ref = parseModelPattern(pattern);
  if (ref?.scheme !== "id") return;
  await store.open(ref, (model) => principal !== undefined && hasPermissionOn(principal, "model_read", model));
}

/** Returns the roles of an actor without one role. */
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

/** Warns for each role of an actor with the same permissions for every model. */
export function findUnlimitedGrants(
  actor: Actor,
  newRole: AuthRole,
  models: KeyPattern,
  all: readonly AuthRole[],
): readonly Fault[] {
  const isEverywhere = ({ id, key }: AuthRole) => actor.roles.includes(id) || actor.claimedRoles?.includes(key);
  const ofModels = [...addImplied(newRole.permissions)].filter((permission) => PERMISSIONS[permission].ofModels);
  return all.filter(isEverywhere).flatMap(({ id, key, permissions }) => {
    const ownPermissions = addImplied(permissions);
    const overlap = ofModels.filter((permission) => ownPermissions.has(permission)).sort();
    if (overlap.length === 0) return [];
    const isAssigned = actor.roles.includes(id);
    const source = isAssigned ? key : `${key}, which the newest token of the actor claims,`;
    const advice = isAssigned ? "; remove that role from the actor to limit it" : "";
    const detail = `${models} does not limit ${overlap.join(", ")}: the role ${source} gives it for every model${advice}`;
    return [{ pointer: "/models", detail }];
  });
}

function hasAssignment({ roles, scopedRoles = [] }: AssignedRoles, { role, models }: Assignment) {
  return models === undefined ? roles.includes(role) : scopedRoles.some((o) => o.role === role && o.models === models);
}

function toRoleMembers(roles: readonly string[], scopedRoles: readonly ScopedRole[]): RoleMembers {
  return { roles, scopedRoles: scopedRoles.length > 0 ? scopedRoles : undefined };
}
