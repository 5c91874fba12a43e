/** The permissions that a permission implies directly, and whether it can be given for some models only. */
interface PermissionRow {
  readonly implies: readonly string[];
  readonly ofModels: boolean;
}

const ofInstance: PermissionRow = { implies: [], ofModels: false };
const ofModels = (...implies: readonly string[]): PermissionRow => ({ implies, ofModels: true });

/** Every permission; `admin` implies all of them. */
export const PERMISSIONS = {
  admin: ofInstance,
  model_read: ofModels(),
  model_write: ofModels("model_read"),
  model_create_manual: ofModels("model_write"),
  model_copy: ofModels("model_write"),
  model_delete: ofModels("model_read"),
  model_import: ofModels("model_write"),
  model_release: ofModels("model_read"),
  model_update_authority: ofModels("model_read"),
  tag_local_manage: ofModels(),
  tag_global_manage: ofInstance,
  tag_group_manage: ofInstance,
  property_manage: ofInstance,
} as const satisfies Record<string, PermissionRow>;

export type Permission = keyof typeof PERMISSIONS;

export const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as readonly Permission[];

/** Tests whether a stored or claimed string names a permission. */
export function isPermission(text: string): text is Permission {
  return Object.hasOwn(PERMISSIONS, text);
}

/** The permissions that a permission implies directly. */
export function impliedBy(p: Permission): readonly Permission[] {
  if (p === "admin") return ALL_PERMISSIONS.filter((other) => other !== "admin");
  return PERMISSIONS[p].implies.filter(isPermission);
}

/** The given permissions and all they imply. */
export function withImplied(held: Iterable<Permission>): ReadonlySet<Permission> {
  const all = new Set<Permission>();
  const add = (p: Permission): void => {
    if (all.has(p)) return;
    all.add(p);
    for (const implied of impliedBy(p)) add(implied);
  };
  for (const p of held) add(p);
  return all;
}
