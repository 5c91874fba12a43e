import { ANY_MODEL, type KeyPattern } from "./key-pattern.ts";
import type { Actor, ApiToken } from "./objects.ts";
import { isPermission, PERMISSIONS, type Permission, withImplied } from "./permissions.ts";

/** The permissions of a caller: everywhere, and beyond that on models whose keys fit a pattern. Implied ones included. */
export interface Rights {
  readonly permissions: ReadonlySet<Permission>;
  readonly scopes: readonly Scope[];
  /** Patterns of models: the scopes count only on those that fit one of these too. Whoever has it holds nothing everywhere. */
  readonly within?: readonly KeyPattern[];
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

/** The ways a token adds roles to those assigned, and the permissions and models it bounds all of them by. */
export interface Bearing<R = unknown> {
  /** Whether the token claims a role. */
  readonly claims?: (role: R) => boolean;
  /** The most that the token may do, without what is implied. */
  readonly atMost?: readonly Permission[];
  /** The patterns of the only models it is for; everything unless given. */
  readonly models?: readonly KeyPattern[] | undefined;
}

/** The bounds that an API token puts on the rights of its actor. */
export function boundsOf({
  permissions,
  models,
}: Pick<ApiToken, "permissions" | "models">): Pick<Bearing, "atMost" | "models"> {
  return { atMost: permissions, models };
}

/** The rights an actor has among these roles; a role that is gone gives nothing. */
export function rightsOf<R extends Granting>(
  actor: Pick<Actor, "roles" | "scopedRoles">,
  roles: readonly R[],
  { claims = () => false, atMost, models: within }: Bearing<R> = {},
): Rights {
  const limit = atMost && withImplied(atMost);
  const held = (given: readonly Granting[], may: (p: Permission) => boolean = () => true): ReadonlySet<Permission> => {
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
export function holdsAnywhere({ permissions, scopes }: Rights, permission: Permission): boolean {
  return permissions.has(permission) || scopes.some((scope) => scope.permissions.has(permission));
}
