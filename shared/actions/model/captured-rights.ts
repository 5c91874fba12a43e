import type { Rights } from "../../domain/accounts/principal.ts";
import { PERMISSIONS, type Permission } from "../../domain/permissions.ts";
import { Problem } from "../../domain/problems.ts";
import { type KeyPattern, type ModelIdentity, matchesAnyPattern } from "../../domain/refs.ts";

/** Models on which a caller holds a permission; stored, because a worker has no rights. */
export type Grant =
  | true
  | readonly KeyPattern[]
  | { readonly models: readonly KeyPattern[]; readonly within: readonly KeyPattern[] };

/** Returns the models on which a caller holds a permission. */
export function captureGrant(rights: Rights | undefined, permission: Permission): Grant {
  if (!rights) return [];
  if (rights.permissions.has(permission)) return true;
  const models = rights.scopes.flatMap((scope) => (scope.permissions.has(permission) ? [scope.models] : []));
  return rights.within ? { models, within: rights.within } : models;
}

/** Throws `not_allowed` for a model on which the caller does not hold the permission. */
export function requireGrant(grant: Grant, permission: Permission, model: ModelIdentity): void {
  if (grant === true || isGranted(grant, model)) return;
  const on = PERMISSIONS[permission].ofModels ? ` on the model ${model.key}` : "";
  throw new Problem("not_allowed", `This call requires the permission ${permission}${on}`);
}

function isGranted(grant: Exclude<Grant, true>, model: ModelIdentity) {
  if ("within" in grant) return matchesAnyPattern(grant.models, model) && matchesAnyPattern(grant.within, model);
  return matchesAnyPattern(grant, model);
}

/** Rights of an importing caller to create global tags and tag groups, stored with a job. */
export interface TagRights {
  readonly tags: boolean;
  readonly groups: boolean;
}

/** Returns the rights to create global tags and tag groups. */
export function captureTagRights(permissions: ReadonlySet<Permission> | undefined): TagRights {
  const has = (permission: Permission) => permissions?.has(permission) ?? false;
  return { tags: has("tag_global_manage"), groups: has("tag_group_manage") };
}
