import type { Actor, AuthRole } from "../../domain/objects.ts";
import { type Permission, withImplied } from "../../domain/permissions.ts";
import { Problem } from "../../domain/problems.ts";
import { type Rights, rightsOf } from "../../domain/rights.ts";
import type { Call } from "../call.ts";
import type { View } from "../store.ts";

/** Objects as they would be, by id; undefined for one that is deleted. */
export interface Planned {
  readonly actors?: ReadonlyMap<string, Actor | undefined>;
  readonly roles?: ReadonlyMap<string, AuthRole | undefined>;
}

/** How many actors are looked at in one read. */
const PAGE = 100;

/**
 * Refuses what would leave nobody who can administer: `last_administrator`. It is decided at one revision of the ledger,
 * so of two administrators who remove each other at the same moment one is refused.
 */
export async function checkAdministratorRemains(view: View, planned: Planned): Promise<void> {
  const roles = await everyRole(view, true);
  const isAdministrator = (actor: Actor | undefined, among: readonly AuthRole[]): boolean =>
    actor !== undefined && actor.disabledAt === undefined && permissionsOf(actor, among).has("admin");
  const after = roles.flatMap((role) => (planned.roles?.has(role.id) ? (planned.roles.get(role.id) ?? []) : role));
  let from: string | undefined;
  do {
    const page = { limit: PAGE, scan: true, ...(from !== undefined && { after: from }) };
    const { items, next }: Awaited<ReturnType<typeof view.list<"actor">>> = await view.list("actor", undefined, page);
    const planning = items.map((actor) => (planned.actors?.has(actor.id) ? planned.actors.get(actor.id) : actor));
    if (planning.some((actor) => isAdministrator(actor, after))) return;
    from = next;
  } while (from !== undefined);
  throw new Problem(
    "last_administrator",
    "Nobody could administer any more; give another actor the permission admin first",
  );
}

/**
 * Refuses to disable or delete the last administrator: `last_administrator`. A caller who administers by assignment
 * remains; one whose token claims roles may be none with the next token.
 */
export async function checkAnotherRemains(view: View, gone: Actor, { principal }: Call): Promise<void> {
  if (!principal || principal.claimedRoles.length === 0) return;
  if (!permissionsOf(gone, await everyRole(view)).has("admin")) return;
  await checkAdministratorRemains(view, { actors: new Map([[gone.id, undefined]]) });
}

/** Who calls, as they are at one revision. */
export interface CallerNow extends Rights {
  readonly actor: Actor;
  /** All roles there are. */
  readonly roles: readonly AuthRole[];
}

/**
 * Looks once more at the caller, at the revision that the decision is made at: with the roles assigned then, those the
 * token claims, and within what an API token is for. `not_allowed`, `actor_disabled`.
 */
export async function callerAt(view: View, { principal }: Call): Promise<CallerNow> {
  const actor = principal && (await view.find("actor", { scheme: "id", value: principal.actorId }));
  if (!actor) throw new Problem("not_allowed", "The actor was deleted just now");
  if (actor.disabledAt !== undefined) throw new Problem("actor_disabled", `${actor.fullname} was disabled just now`);
  const { claimedRoles, apiToken: value } = principal;
  const token = value === undefined ? undefined : await view.find("api_token", { scheme: "id", value });
  if (value !== undefined && !token) throw new Problem("not_allowed", "The API token was revoked just now");
  const roles = await everyRole(view);
  const bearing = { claimedRoles, ...(token && { atMost: token.permissions }) };
  return { actor, roles, ...rightsOf(actor, roles, bearing) };
}

/**
 * Looks once more at a caller who has to be an administrator: whoever was disabled or lost a role a moment ago changes
 * nothing more. Answers what they hold. `not_allowed`, `actor_disabled`.
 */
export async function checkCaller(view: View, call: Call): Promise<ReadonlySet<Permission>> {
  const { permissions } = await callerAt(view, call);
  if (!permissions.has("admin")) throw new Problem("not_allowed", "This action needs the permission admin");
  return permissions;
}

/** Refuses what a call that came with an API token must not do: `not_allowed`. */
export function checkNoApiToken({ principal }: Call, what: string): void {
  if (principal?.apiToken === undefined) return;
  throw new Problem("not_allowed", `An API token cannot ${what}; sign in and do it with the access token you get`);
}

/** Nobody gives what they do not have: `not_allowed`. */
export function checkGrant(held: ReadonlySet<Permission>, given: readonly Permission[]): void {
  const lacking = given.find((permission) => !held.has(permission));
  if (lacking === undefined) return;
  throw new Problem("not_allowed", `Nobody can give a permission they do not hold themselves: ${lacking}`);
}

/** What an actor may do by the roles it is given; a role that is gone gives nothing. */
export function permissionsOf(actor: Actor, roles: readonly AuthRole[]): ReadonlySet<Permission> {
  return withImplied(roles.filter(({ id }) => actor.roles.includes(id)).flatMap(({ permissions }) => permissions));
}

/** Every role there is, no more than `LIMITS.roles`; `scan` as in `Page`. */
export async function everyRole(view: View, scan = false): Promise<readonly AuthRole[]> {
  return (await view.list("role", undefined, { scan })).items;
}
