import { hashActorKey } from "../../domain/accounts/actors.ts";
import { BUILT_IN, isServiceAccount, type Rights } from "../../domain/accounts/principal.ts";
import { type Change, deleteChange, updateChanges } from "../../domain/model/changes.ts";
import type { Actor, AuthRole, User } from "../../domain/model/objects.ts";
import { type Permission, withImplied } from "../../domain/permissions.ts";
import { Problem } from "../../domain/problems.ts";
import type { Call } from "../contract/call.ts";
import type { Page, ReadView } from "../contract/view.ts";
import { listAllRoles } from "../pipeline/caller-rights.ts";

/** Returns the actor of a user. Every user has one. */
export async function findActorOfUser(view: ReadView, { key }: User): Promise<Actor> {
  const found = await view.find("actor", { scheme: "key", value: hashActorKey(BUILT_IN, key) });
  if (!found) throw new Error(`The user ${key} has no actor`);
  return found;
}

/** Returns the user of an actor. Undefined if another issuer signs the actor in. */
export async function findUserOfActor(view: ReadView, { issuer, subject }: Actor): Promise<User | undefined> {
  return issuer === BUILT_IN ? view.find("user", { scheme: "key", value: subject }) : undefined;
}

/** Returns the actor with all its sign-in tokens ended: tokens signed so far are not accepted any more. */
export function endTokens(actor: Actor, { time }: Call): Actor {
  // Tokens have their time in seconds. The limit is the next second, so that a token of the current second ends too.
  if (actor.tokenEpoch === undefined) return { ...actor, validAfter: Math.floor(Date.parse(time) / 1000) + 1 };
  return { ...actor, tokenEpoch: actor.tokenEpoch + 1 };
}

/**
 * Enables or disables an actor with its user. Returns no changes if that is already its state. The caller is an administrator
 * and not the actor itself, so that somebody can undo the change.
 */
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

/** Returns the changes that delete all API tokens of an actor, when it is disabled or deleted. */
export async function deleteApiTokens(view: ReadView, { id }: Actor): Promise<readonly Change[]> {
  return (await view.list("api_token", id)).items.map((token) => deleteChange(token, false));
}

/** Throws `bad_parameters` when the caller is the actor: nobody may disable or delete the own account. */
export function checkNotSelf(actor: Actor, { principal }: Call, pointer: string): void {
  if (principal?.actorId !== actor.id) return;
  const detail = "This is your own account; ask another administrator to do it";
  throw new Problem("bad_parameters", detail, { errors: [{ pointer, detail }] });
}

/** Accounts in their planned state, by id. Undefined for an account that is to be deleted. */
interface PlannedAccounts {
  readonly actors?: ReadonlyMap<string, Actor | undefined>;
  readonly roles?: ReadonlyMap<string, AuthRole | undefined>;
}

/** The number of actors in one read. */
const PAGE_SIZE = 100;

/**
 * Throws `last_administrator` when no administrator would remain. The check holds for one revision of the ledger: if two
 * administrators remove each other at the same time, one of them is refused.
 */
export async function checkAdministratorRemains(view: ReadView, planned: PlannedAccounts): Promise<void> {
  const roles = await listAllRoles(view, true);
  const isAdministrator = (actor: Actor | undefined, among: readonly AuthRole[]): boolean =>
    actor !== undefined &&
    actor.disabledAt === undefined &&
    // A service account never signs in, and API tokens cannot change accounts.
    !isServiceAccount(actor) &&
    collectPermissions(actor, among).has("admin");
  const after = roles.flatMap((role) => (planned.roles?.has(role.id) ? (planned.roles.get(role.id) ?? []) : role));
  let from: string | undefined;
  do {
    const page: Page = { limit: PAGE_SIZE, lookBack: true, ...(from !== undefined && { after: from }) };
    const { items, next }: Awaited<ReturnType<typeof view.list<"actor">>> = await view.list("actor", undefined, page);
    const plannedActors = items.map((actor) => (planned.actors?.has(actor.id) ? planned.actors.get(actor.id) : actor));
    if (plannedActors.some((actor) => isAdministrator(actor, after))) return;
    from = next;
  } while (from !== undefined);
  throw new Problem(
    "last_administrator",
    "No administrator would remain. Give another actor the permission admin first",
  );
}

/**
 * Throws `last_administrator` when `gone` is the last administrator. A caller who is an administrator by an assigned role
 * remains one; a caller whose token claims the role may lose it with the next token.
 */
export async function checkOtherAdministratorRemains(view: ReadView, gone: Actor, { principal }: Call): Promise<void> {
  if (!principal || principal.claimedRoles.length === 0) return;
  if (!collectPermissions(gone, await listAllRoles(view)).has("admin")) return;
  await checkAdministratorRemains(view, { actors: new Map([[gone.id, undefined]]) });
}

/** Throws `not_allowed` when the caller gives a permission that they do not hold. */
export function checkGrant({ permissions: held }: Rights, given: readonly Permission[]): void {
  const lacking = given.find((permission) => !held.has(permission));
  if (lacking === undefined) return;
  throw new Problem("not_allowed", `You cannot give the permission ${lacking}, because you do not hold it`);
}

/** Returns the permissions of an actor by its assigned roles. A deleted role gives none. */
export function collectPermissions(actor: Actor, roles: readonly AuthRole[]): ReadonlySet<Permission> {
  return withImplied(roles.filter(({ id }) => actor.roles.includes(id)).flatMap(({ permissions }) => permissions));
}
