import type { Rights } from "../../domain/accounts/principal.ts";
import { PERMISSIONS, type Permission } from "../../domain/permissions.ts";
import { Problem } from "../../domain/problems.ts";
import { type KeyPattern, type ModelIdentity, matchesAnyPattern } from "../../domain/refs.ts";

/**
 * The models on which a caller holds a permission: all of them, those that fit a pattern, or of these only those that fit
 * another one too. A job keeps it as it is.
 */
export type Grant =
  | true
  | readonly KeyPattern[]
  | { readonly models: readonly KeyPattern[]; readonly within: readonly KeyPattern[] };

/** The models on which a caller holds a permission. */
export function captureGrant(rights: Rights | undefined, permission: Permission): Grant {
  if (!rights) return [];
  if (rights.permissions.has(permission)) return true;
  const models = rights.scopes.flatMap((scope) => (scope.permissions.has(permission) ? [scope.models] : []));
  return rights.within ? { models, within: rights.within } : models;
}

/** Refuses a model on which a caller does not hold a permission: `not_allowed`. */
export function requireGrant(granted: Grant, permission: Permission, model: ModelIdentity): void {
  if (granted === true || isGranted(granted, model)) return;
  const on = PERMISSIONS[permission].ofModels ? ` on the model ${model.key}` : "";
  throw new Problem("not_allowed", `This call requires the permission ${permission}${on}`);
}

function isGranted(granted: Exclude<Grant, true>, model: ModelIdentity): boolean {
  if ("within" in granted) return matchesAnyPattern(granted.models, model) && matchesAnyPattern(granted.within, model);
  return matchesAnyPattern(granted, model);
}
