import type { Actor, ApiToken } from "../model/objects.ts";
import { addImplied, BUILT_IN, isPermission, PERMISSIONS, type Permission } from "../permissions.ts";
import { ANY_MODEL, type KeyPattern, type ModelIdentity, matchesAnyPattern, matchesPattern } from "../refs.ts";
import type { Session } from "./sessions.ts";

/** Authenticated caller: an actor (one subject of one issuer) with its current rights. */
export interface Principal extends Rights {
  readonly actorId: string;
  readonly issuer: string;
  readonly subject: string;
  readonly fullname: string;
  /** Keys of the roles that the token claims, as mapped by the issuer's configuration. */
  readonly claimedRoles: readonly string[];
  readonly apiToken?: string;
  /** Session of the access token; absent for an API token, and for a token of another issuer without `jti`. */
  readonly session?: Session;
}

/** Prefix of every API token, so that scanners for leaked secrets find them: `metaction_[A-Za-z0-9_-]{136}`. */
export const API_TOKEN_PREFIX = "metaction_";

/** Prefix of the subject of every service account. Usernames never contain a colon. */
const SERVICE_ACCOUNT_PREFIX = "service:";

/** Returns the subject of the service account with this key. */
export function toServiceAccountSubject(key: string): string {
  return SERVICE_ACCOUNT_PREFIX + key;
}

/** Returns the key of the actor's service account; undefined for any other actor. */
export function findServiceAccountKey({ issuer, subject }: Pick<Actor, "issuer" | "subject">): string | undefined {
  return issuer === BUILT_IN && subject.startsWith(SERVICE_ACCOUNT_PREFIX)
    ? subject.slice(SERVICE_ACCOUNT_PREFIX.length)
    : undefined;
}

/** Tests whether an actor is a service account. Those never sign in, so they cannot change accounts. */
export function isServiceAccount(actor: Pick<Actor, "issuer" | "subject">): boolean {
  return findServiceAccountKey(actor) !== undefined;
}

/** Permissions of a caller, including implied ones: for everything, and for the models of each scope. */
export interface Rights {
  readonly permissions: ReadonlySet<Permission>;
  readonly scopes: readonly Scope[];
  /** Restricts the scopes to models that also match one of these patterns. `permissions` is empty then. */
  readonly within?: readonly KeyPattern[];
}

interface Scope {
  readonly models: KeyPattern;
  readonly permissions: ReadonlySet<Permission>;
}

export const NO_RIGHTS: Rights = { permissions: new Set(), scopes: [] };

/** Members of a role that grant rights. A stored permission may be unknown to this version. */
interface RoleGrant {
  readonly id: string;
  readonly permissions: readonly string[];
}

/** Roles that a token adds, and the permissions and models that it restricts the rights to. */
export interface RightsOptions<R = unknown> {
  readonly claims?: (role: R) => boolean;
  readonly atMost?: readonly Permission[];
  /** Patterns of the models that the token is limited to; all models if absent. */
  readonly models?: readonly KeyPattern[] | undefined;
}

/** Returns the restrictions that an API token puts on the rights of its actor. */
export function toTokenBounds({
  permissions,
  models,
}: Pick<ApiToken, "permissions" | "models">): Pick<RightsOptions, "atMost" | "models"> {
  return { atMost: permissions, models };
}

/** Computes the rights of an actor from the roles that exist. */
export function computeRights<R extends RoleGrant>(
  actor: Pick<Actor, "roles" | "scopedRoles">,
  roles: readonly R[],
  { claims = () => false, atMost, models: within }: RightsOptions<R> = {},
): Rights {
  const limit = atMost && addImplied(atMost);
  const collect = (
    grants: readonly RoleGrant[],
    isApplicable: (p: Permission) => boolean = () => true,
  ): ReadonlySet<Permission> => {
    const all = addImplied(grants.flatMap(({ permissions }) => permissions).filter(isPermission));
    return new Set([...all].filter((p) => isApplicable(p) && (!limit || limit.has(p))));
  };
  const isOfModels = (p: Permission) => PERMISSIONS[p].ofModels;
  const globalRoles = roles.filter((role) => actor.roles.includes(role.id) || claims(role));
  const scopes = (actor.scopedRoles ?? []).map(({ role, models }) => ({
    models,
    permissions: collect(
      roles.filter(({ id }) => id === role),
      isOfModels,
    ),
  }));
  if (within === undefined) return { permissions: collect(globalRoles), scopes };
  // A scope for all models, so that `within` restricts it like the others.
  const onAny: Scope = { models: ANY_MODEL, permissions: collect(globalRoles, isOfModels) };
  return { permissions: new Set(), scopes: [onAny, ...scopes], within };
}

/** Tests whether the rights include a permission for at least some models. */
export function hasPermissionAnywhere({ permissions, scopes }: Rights, permission: Permission): boolean {
  return permissions.has(permission) || scopes.some((scope) => scope.permissions.has(permission));
}

/** Tests whether the rights include a permission on a model. */
export function hasPermissionOn(
  { permissions, scopes, within }: Rights,
  permission: Permission,
  model: ModelIdentity,
): boolean {
  if (permissions.has(permission)) return true;
  if (!matchesAnyPattern(within, model)) return false;
  return scopes.some((scope) => scope.permissions.has(permission) && matchesPattern(scope.models, model));
}
