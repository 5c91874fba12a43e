import type { Actor, ApiToken } from "../model/objects.ts";
import { isPermission, PERMISSIONS, type Permission, withImplied } from "../permissions.ts";
import { ANY_MODEL, type KeyPattern, type ModelIdentity, matchesAnyPattern, matchesPattern } from "../refs.ts";

/** Who calls: an actor, which is one subject of one issuer, with the rights it has at this moment. */
export interface Principal extends Rights {
  readonly actorId: string;
  readonly issuer: string;
  readonly subject: string;
  readonly fullname: string;
  /** Keys of the roles that the token itself claims, as its issuer's configuration maps them. */
  readonly claimedRoles: readonly string[];
  /** Id of the API token the call came with; absent where the actor signed in. */
  readonly apiToken?: string;
}

/**
 * Issuer of the actors of built-in users. Tokens carry the service's URL as `iss`, which changes with port and domain;
 * under this name its users remain the same actors wherever the service is reached.
 */
export const BUILT_IN = "urn:metaction:users";

/** The beginning of every API token, so that scanners for leaked secrets find them: `metaction_[A-Za-z0-9_-]{136}`. */
export const API_TOKEN_PREFIX = "metaction_";

/** What the subject of every service account begins with; no username holds a colon. */
const SERVICE_ACCOUNT_PREFIX = "service:";

/** The subject of the service account of a key, which the built-in issuer knows its actor by. */
export function toServiceAccountSubject(key: string): string {
  return SERVICE_ACCOUNT_PREFIX + key;
}

/** The key of the service account that an actor is; undefined for everybody who signs in. */
export function findServiceAccountKey({ issuer, subject }: Pick<Actor, "issuer" | "subject">): string | undefined {
  return issuer === BUILT_IN && subject.startsWith(SERVICE_ACCOUNT_PREFIX)
    ? subject.slice(SERVICE_ACCOUNT_PREFIX.length)
    : undefined;
}

/** Tests whether an actor is a service account, which never signs in and so can change no account. */
export function isServiceAccount(actor: Pick<Actor, "issuer" | "subject">): boolean {
  return findServiceAccountKey(actor) !== undefined;
}

/** The permissions of a caller: everywhere, and beyond that on models whose keys fit a pattern. Implied ones included. */
export interface Rights {
  readonly permissions: ReadonlySet<Permission>;
  readonly scopes: readonly Scope[];
  /** Patterns of models: the scopes count only on those that fit one of these too. Whoever has it holds nothing everywhere. */
  readonly within?: readonly KeyPattern[];
}

/** Permissions on the models whose keys fit a pattern. */
interface Scope {
  readonly models: KeyPattern;
  readonly permissions: ReadonlySet<Permission>;
}

export const NO_RIGHTS: Rights = { permissions: new Set(), scopes: [] };

/** A role as rights come from it. A stored name of a permission may be one that this version does not know. */
interface RoleGrant {
  readonly id: string;
  readonly permissions: readonly string[];
}

/** The ways a token adds roles to those assigned, and the permissions and models it bounds all of them by. */
export interface RightsOptions<R = unknown> {
  /** Whether the token claims a role. */
  readonly claims?: (role: R) => boolean;
  /** The most that the token may do, without what is implied. */
  readonly atMost?: readonly Permission[];
  /** The patterns of the only models it is for; everything unless given. */
  readonly models?: readonly KeyPattern[] | undefined;
}

/** The bounds that an API token puts on the rights of its actor. */
export function toTokenBounds({
  permissions,
  models,
}: Pick<ApiToken, "permissions" | "models">): Pick<RightsOptions, "atMost" | "models"> {
  return { atMost: permissions, models };
}

/** The rights an actor has among these roles; a role that is gone gives nothing. */
export function computeRights<R extends RoleGrant>(
  actor: Pick<Actor, "roles" | "scopedRoles">,
  roles: readonly R[],
  { claims = () => false, atMost, models: within }: RightsOptions<R> = {},
): Rights {
  const limit = atMost && withImplied(atMost);
  const held = (given: readonly RoleGrant[], may: (p: Permission) => boolean = () => true): ReadonlySet<Permission> => {
    const all = withImplied(given.flatMap(({ permissions }) => permissions).filter(isPermission));
    return new Set([...all].filter((p) => may(p) && (!limit || limit.has(p))));
  };
  const isOfModels = (p: Permission): boolean => PERMISSIONS[p].ofModels;
  const everywhere = roles.filter((role) => actor.roles.includes(role.id) || claims(role));
  const scopes = (actor.scopedRoles ?? []).map(({ role, models }) => ({
    models,
    permissions: held(
      roles.filter(({ id }) => id === role),
      isOfModels,
    ),
  }));
  if (within === undefined) return { permissions: held(everywhere), scopes };
  // As a scope, what is held for everything counts on no other model, wherever rights are asked for.
  const onAny: Scope = { models: ANY_MODEL, permissions: held(everywhere, isOfModels) };
  return { permissions: new Set(), scopes: [onAny, ...scopes], within };
}

/** Tests whether somebody holds a permission on any model there may be. */
export function hasPermissionAnywhere({ permissions, scopes }: Rights, permission: Permission): boolean {
  return permissions.has(permission) || scopes.some((scope) => scope.permissions.has(permission));
}

/** Tests whether somebody holds a permission on a model. */
export function hasPermissionOn(
  { permissions, scopes, within }: Rights,
  permission: Permission,
  model: ModelIdentity,
): boolean {
  if (permissions.has(permission)) return true;
  if (!matchesAnyPattern(within, model)) return false;
  return scopes.some((scope) => scope.permissions.has(permission) && matchesPattern(scope.models, model));
}
