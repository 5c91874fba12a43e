import type { KeyPattern } from "./key-pattern.ts";
import type { Actor } from "./objects.ts";
import { isPermission, PERMISSIONS, type Permission, withImplied } from "./permissions.ts";

/** The permissions of a caller: everywhere, and beyond that on models whose keys fit a pattern. Implied ones included. */
export interface Rights {
  readonly permissions: ReadonlySet<Permission>;
  readonly scopes: readonly Scope[];
}

/** Permissions on the models whose keys fit a pattern. */
export interface Scope {
  readonly models: KeyPattern;
  readonly permissions: ReadonlySet<Permission>;
}

export const NO_RIGHTS: Rights = { permissions: new Set(), scopes: [] };

/** A role as rights come from it. A stored name of a permission may be one that this version does not know. */
interface Granting {
  readonly id: string;
  readonly permissions: readonly string[];
}

/** The ways a token adds roles to those assigned, and the permissions it bounds all of them by. */
export interface Bearing<R = unknown> {
  /** Whether the token claims a role. */
  readonly claims?: (role: R) => boolean;
  /** The most that the token may do, without what is implied. */
  readonly atMost?: readonly Permission[];
}

/** The rights an actor has among these roles; a role that is gone gives nothing. */
export function rightsOf<R extends Granting>(
  actor: Pick<Actor, "roles" | "scopedRoles">,
  roles: readonly R[],
  { claims = () => false, atMost }: Bearing<R> = {},
): Rights {
  const limit = atMost && withImplied(atMost);
  const held = (given: readonly Granting[], may: (p: Permission) => boolean = () => true): ReadonlySet<Permission> => {
    const all = withImplied(given.flatMap(({ permissions }) => permissions).filter(isPermission));
    return new Set([...all].filter((p) => may(p) && (!limit || limit.has(p))));
  };
  return {
    permissions: held(roles.filter((role) => actor.roles.includes(role.id) || claims(role))),
    scopes: (actor.scopedRoles ?? []).map(({ role, models }) => ({
      models,
      permissions: held(
        roles.filter(({ id }) => id === role),
        (p) => PERMISSIONS[p].ofModels,
      ),
    })),
  };
}

/** Tests whether somebody holds a permission on any model there may be. */
export function holdsAnywhere({ permissions, scopes }: Rights, permission: Permission): boolean {
  return permissions.has(permission) || scopes.some((scope) => scope.permissions.has(permission));
}
