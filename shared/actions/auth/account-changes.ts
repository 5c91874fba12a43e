import { hashActorKey } from "../../domain/accounts/actors.ts";
import { BUILT_IN, isServiceAccount, type Rights } from "../../domain/accounts/principal.ts";
import { type Change, deleteChange, updateChanges } from "../../domain/model/changes.ts";
import type { Actor, AuthRole, User } from "../../domain/model/objects.ts";
import { type Permission, withImplied } from "../../domain/permissions.ts";
import { Problem } from "../../domain/problems.ts";
import type { Call } from "../contract/call.ts";
import type { Page, ReadView } from "../contract/view.ts";
import { listAllRoles } from "../pipeline/caller-rights.ts";

/** The actor of a user; every user has one. */
export async function findActorOfUser(view: ReadView, { key }: User): Promise<Actor> {
  const found = await view.find("actor", { scheme: "key", value: hashActorKey(BUILT_IN, key) });
  if (!found) throw new Error(`the user ${key} has no actor`);
  return found;
}

/** The user behind an actor; undefined where another issuer signs them in. */
export async function findUserOfActor(view: ReadView, { issuer, subject }: Actor): Promise<User | undefined> {
  return issuer === BUILT_IN ? view.find("user", { scheme: "key", value: subject }) : undefined;
}

/** The actor with all its tokens ended: those signed for it so far open nothing any more. */
export function endTokens(actor: Actor, { time }: Call): Actor {
  // Tokens tell their time in seconds, so the bound is the next second: a token of this very second ends too.
  if (actor.tokenEpoch === undefined) return { ...actor, validAfter: Math.floor(Date.parse(time) / 1000) + 1 };
  return { ...actor, tokenEpoch: actor.tokenEpoch + 1 };
}

/**
 * Disables an actor with its user, or enables both; what stands already so changes nothing. Whoever asks administers and
 * is not the actor, so that somebody can undo it.
 */
export async function setEnabled(view: ReadView, actor: Actor, able: boolean, call: Call): Promise<readonly Change[]> {
  if ((actor.disabledAt === undefined) === able) return [];
  const user = await findUserOfActor(view, actor);
  const disabledAt = able ? undefined : call.time;
  const { tokenEpoch, validAfter } = able ? actor : endTokens(actor, call);
  return [
    ...updateChanges(actor, { disabledAt, tokenEpoch, validAfter }),
    ...(user ? updateChanges(user, { disabledAt }) : []),
  ];
}

/** The end of every API token of an actor, which goes with its being disabled or deleted. */
export async function deleteApiTokens(view: ReadView, { id }: Actor): Promise<readonly Change[]> {
  return (await view.list("api_token", id)).items.map((token) => deleteChange(token, false));
}

/** Refuses what people must not do to themselves, because nobody could tell them to undo it. */
export function checkNotSelf(actor: Actor, { principal }: Call, pointer: string): void {
  if (principal?.actorId !== actor.id) return;
  const detail = "This is your own account; another administrator has to do that";
  throw new Problem("bad_parameters", detail, { errors: [{ pointer, detail }] });
}

/** Objects as they would be, by id; undefined for one that is deleted. */
interface PlannedAccounts {
  readonly actors?: ReadonlyMap<string, Actor | undefined>;
  readonly roles?: ReadonlyMap<string, AuthRole | undefined>;
}

/** How many actors are looked at in one read. */
const PAGE_SIZE = 100;

/**
 * Refuses what would leave nobody who can administer: `last_administrator`. It is decided at one revision of the ledger,
 * so of two administrators who remove each other at the same moment one is refused.
 */
export async function checkAdministratorRemains(view: ReadView, planned: PlannedAccounts): Promise<void> {
  const roles = await listAllRoles(view, true);
  const isAdministrator = (actor: Actor | undefined, among: readonly AuthRole[]): boolean =>
    actor !== undefined &&
    actor.disabledAt === undefined &&
    // Its API tokens change no account, and it never signs in.
    !isServiceAccount(actor) &&
    collectPermissions(actor, among).has("admin");
  const after = roles.flatMap((role) => (planned.roles?.has(role.id) ? (planned.roles.get(role.id) ?? []) : role));
  let from: string | undefined;
  do {
    const page: Page = { limit: PAGE_SIZE, lookBack: true, ...(from !== undefined && { after: from }) };
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
export async function checkOtherAdministratorRemains(view: ReadView, gone: Actor, { principal }: Call): Promise<void> {
  if (!principal || principal.claimedRoles.length === 0) return;
  if (!collectPermissions(gone, await listAllRoles(view)).has("admin")) return;
  await checkAdministratorRemains(view, { actors: new Map([[gone.id, undefined]]) });
}

/** Nobody gives what they do not have: `not_allowed`. */
export function checkGrant({ permissions: held }: Rights, given: readonly Permission[]): void {
  const lacking = given.find((permission) => !held.has(permission));
  if (lacking === undefined) return;
  throw new Problem("not_allowed", `Nobody can give a permission they do not hold themselves: ${lacking}`);
}

/** The permissions of an actor by the roles it is given; a role that is gone gives none. */
export function collectPermissions(actor: Actor, roles: readonly AuthRole[]): ReadonlySet<Permission> {
  return withImplied(roles.filter(({ id }) => actor.roles.includes(id)).flatMap(({ permissions }) => permissions));
}
