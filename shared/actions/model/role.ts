import { ifDefined } from "../../domain/content.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Relationship, Role } from "../../domain/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";

/** The least number of roles of a relationship. */
const FEWEST_ROLES = 2;

/** A role whose name may also be undefined. */
export type RoleFields = Omit<Role, "name"> & { readonly name?: string | undefined };

/** A role of these fields; an undefined name is left out. */
export function roleOf({ id, key, name, entity, cardinality }: RoleFields): Role {
  return { id, key, ...ifDefined("name", name), entity, cardinality };
}

/** The role of a relationship that a ref names, or `not_found` naming the ref. */
export function needRole({ key, roles }: Relationship, ref: Ref): Role {
  const found = roles.find((role) => role[ref.scheme] === ref.value);
  if (found) return found;
  throw new Problem("not_found", `no role ${printRef(ref)} in ${key}`);
}

/** `key_taken` where another role of the relationship has the key. */
export function refuseTakenKey({ roles }: Relationship, key: string, own?: Role): void {
  if (!roles.some((role) => role.key === key && role.id !== own?.id)) return;
  throw new Problem("key_taken", `the key ${key} is taken by another role of the relationship; choose another key`);
}

/** `too_large` where a relationship has all the roles it may have. */
export function refuseMoreRoles({ key, roles }: Relationship): void {
  if (roles.length < LIMITS.relationshipRoles) return;
  throw new Problem(
    "too_large",
    `the relationship ${key} has ${roles.length} roles, the most there may be; delete one first`,
  );
}

/** `too_few_roles` where a relationship cannot lose one. */
export function refuseFewerRoles({ key, roles }: Relationship): void {
  if (roles.length > FEWEST_ROLES) return;
  throw new Problem(
    "too_few_roles",
    `the relationship ${key} has ${roles.length} roles and needs ${FEWEST_ROLES}; add another first, or delete the relationship`,
  );
}
