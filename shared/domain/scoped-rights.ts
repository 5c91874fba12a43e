import { fits, fitsAny, type NamedModel } from "./key-pattern.ts";
import type { Permission } from "./permissions.ts";
import type { Rights } from "./rights.ts";

/** Tests whether somebody holds a permission on a model. */
export function holdsOn({ permissions, scopes, within }: Rights, permission: Permission, model: NamedModel): boolean {
  if (permissions.has(permission)) return true;
  if (!fitsAny(within, model)) return false;
  return scopes.some((scope) => scope.permissions.has(permission) && fits(scope.models, model));
}
