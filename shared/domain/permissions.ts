/** One permission: what it allows in words, and what it implies. */
interface PermissionRow {
  readonly name: string;
  readonly description: string;
  readonly implies: readonly string[];
}

const permission = (name: string, description: string, implies: readonly string[] = []): PermissionRow => ({
  name,
  description,
  implies,
});

/** Every permission with what it implies directly; `admin` implies all of them. */
export const PERMISSIONS = {
  admin: permission("Administer", "Everything, including users, roles and issuers."),
  model_read: permission("Read models", "List, read, export, compare and search models."),
  model_write: permission("Write models", "Change what is inside a model.", ["model_read"]),
  model_create_manual: permission("Create models", "Create an empty model.", ["model_write"]),
  model_copy: permission("Copy models", "Copy a model under a new key.", ["model_write"]),
  model_delete: permission("Delete models", "Delete a model with all it holds.", ["model_read"]),
  model_import: permission("Import models", "Create a model from a file or URL.", ["model_write"]),
  model_release: permission("Release models", "Give a model's state a version.", ["model_read"]),
  model_update_authority: permission("Set authority", "Make a model canonical or a system's own.", ["model_read"]),
  tag_local_manage: permission("Manage local tags", "Create, change and delete the tags of a model."),
  tag_global_manage: permission("Manage global tags", "Create, change and delete tags of groups."),
  tag_group_manage: permission("Manage tag groups", "Create, change and delete tag groups."),
} as const satisfies Record<string, PermissionRow>;

export type Permission = keyof typeof PERMISSIONS;

export const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as readonly Permission[];

/** Tests whether a stored or claimed string names a permission. */
export function isPermission(text: string): text is Permission {
  return Object.hasOwn(PERMISSIONS, text);
}

/** What a permission implies directly. */
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

/** A role that the service itself keeps: it cannot be changed or deleted. */
export interface ManagedRole {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly Permission[];
  /** New actors get the one role that has this. */
  readonly autoAssign: boolean;
}

/** The three managed roles. */
export const MANAGED_ROLES: readonly ManagedRole[] = [
  {
    key: "admin",
    name: "Administrator",
    description: "Everything.",
    permissions: ["admin"],
    autoAssign: false,
  },
  {
    key: "manager",
    name: "Manager",
    description: "Everything but administration.",
    permissions: ALL_PERMISSIONS.filter((p) => p !== "admin"),
    autoAssign: false,
  },
  { key: "reader", name: "Reader", description: "Reads models.", permissions: ["model_read"], autoAssign: true },
];
