import { fits, type KeyPattern, type NamedModel } from "../../domain/key-pattern.ts";
import { PERMISSIONS, type Permission } from "../../domain/permissions.ts";
import { Problem } from "../../domain/problems.ts";
import type { Rights } from "../../domain/rights.ts";

/** The models on which a caller holds a permission: all of them, or those that fit a pattern. A job keeps it as it is. */
export type Granted = true | readonly KeyPattern[];

/** The models on which a caller holds a permission. */
export function grantedOf(rights: Rights | undefined, permission: Permission): Granted {
  if (!rights) return [];
  if (rights.permissions.has(permission)) return true;
  return rights.scopes.flatMap(({ models, permissions }) => (permissions.has(permission) ? [models] : []));
}

/** Refuses a model on which a caller does not hold a permission: `not_allowed`. */
export function refuseUnlessGranted(granted: Granted, permission: Permission, model: NamedModel): void {
  if (granted === true || granted.some((pattern) => fits(pattern, model))) return;
  const on = PERMISSIONS[permission].ofModels ? ` on the model ${model.key}` : "";
  throw new Problem("not_allowed", `This call needs the permission ${permission}${on}`);
}
