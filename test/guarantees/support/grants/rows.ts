import type { Accounts } from "./accounts.ts";
import { type Bearer, heldByBearer, lasting } from "./model.ts";
import { comparable, type Held, shownScopes, told } from "./rules.ts";

type Row = Readonly<Record<string, unknown>>;

/** Rows with the key they are sorted by, in the order of code units. */
const sortedBy = <T>(rows: readonly T[], key: (row: T) => string): readonly T[] =>
  rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));

/** A role as `role_list` shows it. */
export function roleRow({ roles, shown }: Accounts, id: string): Row {
  const { updatedAt: lastUpdatedAt, ...role } = shown.roles.get(id) ?? {};
  const { key, autoAssign, managed: managedRole } = roles.get(id) ?? {};
  return { id, key, autoAssign, managedRole, lastUpdatedAt, ...role };
}

export const roleRows = (accounts: Accounts): readonly Row[] =>
  sortedBy([...accounts.roles.keys()], (id) => accounts.roles.get(id)?.key ?? "").map((id) => roleRow(accounts, id));

/** An actor as `actor_list` shows it, but for when it called last. */
export function actorRow({ shown }: Accounts, id: string): Row {
  const { endings: _, ...actor } = shown.actors.get(id) ?? {};
  return { id, ...actor };
}

/**
 * The rights that `actor_get` tells beside the fields of the actor. Roles that are gone are left out, and lists are
 * sorted.
 */
export function rightsRow({ roles, actors }: Accounts, id: string): Row {
  const actor = actors.get(id);
  const living = actor?.roles.filter((role) => roles.has(role)) ?? [];
  return {
    roles: living.toSorted(),
    scopedRoles: (actor?.scopedRoles ?? [])
      .filter(({ role }) => roles.has(role))
      .map(({ role, models }) => `${role} ${models}`)
      .sort(),
    permissions: [...new Set(living.flatMap((role) => roles.get(role)?.permissions ?? []))].sort(),
  };
}

/** Users as `user_list` shows them. */
export function userRows(accounts: Accounts): readonly Row[] {
  const idOf = new Map([...accounts.actors].map(([id, { username }]) => [username, id]));
  return sortedBy([...accounts.shown.users], ([username]) => username).map(([username, user]) => {
    const { disabledAt, passwordChangedAt: _, ...facts } = user;
    // A disabled user keeps its roles.
    const actorId = idOf.get(username);
    const actor = accounts.actors.get(actorId ?? "");
    const admin = actor?.roles.some((role) => accounts.roles.get(role)?.permissions.includes("admin")) ?? false;
    return { username, actorId, admin, ...facts, ...(disabledAt !== undefined && { disabledDate: disabledAt }) };
  });
}

/** The ids of all service accounts. */
export const serviceIds = ({ actors }: Accounts): readonly string[] =>
  [...actors].filter(([, { service }]) => service !== undefined).map(([id]) => id);

/** A service account as `service_account_list` shows it, but for when it called last; its roles are sorted. */
export function serviceRow(accounts: Accounts, id: string): Row {
  const { fullname: name, disabledAt, createdAt } = accounts.shown.actors.get(id) ?? {};
  const { roles } = rightsRow(accounts, id);
  const key = accounts.actors.get(id)?.service;
  return { id, key, name, roles, ...(disabledAt !== undefined && { disabledAt }), createdAt };
}

/** The API tokens of an actor, or of all, oldest first. */
export function tokenRows({ tokens, shown }: Accounts, owner: string | undefined, now: number): readonly Row[] {
  const rows = [...tokens].map(([id, token]): Row & { readonly id: string } => {
    const { expiresAt = "", ...facts } = shown.tokens.get(id) ?? {};
    const permissions = [...new Set(token.permissions)].sort();
    const bounds = { permissions, ...(token.models && { models: token.models }) };
    return { id, actorId: token.owner, ...bounds, ...facts, expiresAt, expired: Date.parse(expiresAt) <= now };
  });
  return sortedBy(
    rows.filter(({ actorId }) => owner === undefined || actorId === owner),
    ({ id }) => id,
  );
}

/** The answer of `whoami`, with its rights in the form they are compared in. */
export function whoamiRow(accounts: Accounts, bearer: Bearer, held: Held): Row {
  const { issuer, subject, fullname } = accounts.shown.actors.get(bearer.actor) ?? {};
  return {
    issuer,
    sub: subject,
    fullname,
    admin: held.everywhere.has("admin"),
    ...comparable(told(held, accounts.models)),
  };
}

/** The answer of `can` for an action with a rule, about every model. */
export function canRow(accounts: Accounts, bearer: Bearer, action: string, rule: string): Row {
  const held = heldByBearer(accounts, bearer) ?? lasting(accounts, "");
  if (held.everywhere.has(rule)) return { action, allowed: true };
  const models = shownScopes(held, accounts.models)
    .filter(({ permissions }) => permissions.has(rule))
    .map((scope) => scope.models);
  if (models.length === 0) return { action, allowed: false };
  return { action, allowed: false, models, ...(held.within && { within: held.within }) };
}
