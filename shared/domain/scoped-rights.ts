import { fits } from "./key-pattern.ts";
import type { Permission } from "./permissions.ts";
import type { Rights } from "./rights.ts";

/** Tests whether somebody holds a permission on the model of a key. */
export function holdsOn({ permissions, scopes }: Rights, permission: Permission, modelKey: string): boolean {
  if (permissions.has(permission)) return true;
  return scopes.some((scope) => scope.permissions.has(permission) && fits(scope.models, modelKey));
}
