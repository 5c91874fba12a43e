import type { Actor, AuthRole } from "../../domain/objects.ts";
import { type Permission, withImplied } from "../../domain/permissions.ts";
import { Problem } from "../../domain/problems.ts";
import type { Rights } from "../../domain/rights.ts";
import { isServiceAccount } from "../../domain/service-account.ts";
import type { Call } from "../contract/call.ts";
import type { Page, View } from "../contract/view.ts";
import { everyRole } from "../dispatch/caller-now.ts";

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
    actor !== undefined &&
    actor.disabledAt === undefined &&
    // Its API tokens change no account, and it never signs in.
    !isServiceAccount(actor) &&
    permissionsOf(actor, among).has("admin");
  const after = roles.flatMap((role) => (planned.roles?.has(role.id) ? (planned.roles.get(role.id) ?? []) : role));
  let from: string | undefined;
  do {
    const page: Page = { limit: PAGE, lookBack: true, ...(from !== undefined && { after: from }) };
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

/** Nobody gives what they do not have: `not_allowed`. */
export function checkGrant({ permissions: held }: Rights, given: readonly Permission[]): void {
  const lacking = given.find((permission) => !held.has(permission));
  if (lacking === undefined) return;
  throw new Problem("not_allowed", `Nobody can give a permission they do not hold themselves: ${lacking}`);
}

/** The permissions of an actor by the roles it is given; a role that is gone gives none. */
export function permissionsOf(actor: Actor, roles: readonly AuthRole[]): ReadonlySet<Permission> {
  return withImplied(roles.filter(({ id }) => actor.roles.includes(id)).flatMap(({ permissions }) => permissions));
}
