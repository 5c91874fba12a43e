/** Issuer of the actors of built-in users. Unlike the `iss` of their tokens, it is the same at any URL. */
export const BUILT_IN = "urn:metaction:users";

interface PermissionRow {
  readonly name: string;
  readonly description: string;
  readonly implies: readonly string[];
  readonly ofModels: boolean;
}

const defineInstancePermission = (name: string, description: string): PermissionRow => ({
  name,
  description,
  implies: [],
  ofModels: false,
});
const defineModelPermission = (name: string, description: string, ...implies: readonly string[]): PermissionRow => ({
  name,
  description,
  implies,
  ofModels: true,
});

/** All permissions; `admin` implies all others. */
export const PERMISSIONS = {
  admin: defineInstancePermission("Administer", "Everything, including users, roles and issuers."),
  model_read: defineModelPermission("Read models", "List, read, export, compare and search models."),
  model_write: defineModelPermission("Write models", "Change what is inside a model.", "model_read"),
  model_create_manual: defineModelPermission("Create models", "Create an empty model.", "model_write"),
  model_copy: defineModelPermission("Copy models", "Copy a model under a new key.", "model_write"),
  model_delete: defineModelPermission("Delete models", "Delete a model with its content.", "model_read"),
  model_import: defineModelPermission("Import models", "Create a model from a file or URL.", "model_write"),
  model_release: defineModelPermission("Release models", "Release the state of a model as a version.", "model_read"),
  model_update_authority: defineModelPermission(
    "Set authority",
    "Mark a model as canonical or as specific to one system.",
    "model_read",
  ),
  tag_local_manage: defineModelPermission("Manage local tags", "Create, change and delete the tags of a model."),
  tag_global_manage: defineInstancePermission("Manage global tags", "Create, change and delete tags of groups."),
  tag_group_manage: defineInstancePermission("Manage tag groups", "Create, change and delete tag groups."),
  property_manage: defineInstancePermission(
    "Manage properties",
    "Create, change and delete definitions of properties.",
  ),
} as const satisfies Record<string, PermissionRow>;

export type Permission = keyof typeof PERMISSIONS;

export const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as readonly Permission[];

/** Tests whether a stored or claimed string names a permission. */
export function isPermission(text: string): text is Permission {
  return Object.hasOwn(PERMISSIONS, text);
}

/** Returns the directly implied permissions of a permission. */
export function listImplied(p: Permission): readonly Permission[] {
  if (p === "admin") return ALL_PERMISSIONS.filter((other) => other !== "admin");
  return PERMISSIONS[p].implies.filter(isPermission);
}

/** Returns the given permissions with all implied ones. */
export function addImplied(permissions: Iterable<Permission>): ReadonlySet<Permission> {
  const all = new Set<Permission>();
  const add = (p: Permission) => {
    if (all.has(p)) return;
    all.add(p);
    for (const one of listImplied(p)) add(one);
  };
  for (const p of permissions) add(p);
  return all;
}

interface ManagedRole {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly Permission[];
  /** False for every managed role: nobody has rights before an administrator grants them. */
  readonly autoAssign: false;
}

/** Managed roles. A new instance assigns none of them to new actors. */
export const MANAGED_ROLES: readonly ManagedRole[] = [
  { key: "admin", name: "Administrator", description: "Everything.", permissions: ["admin"], autoAssign: false },
  {
    key: "manager",
    name: "Manager",
    description: "Everything but administration.",
    permissions: ALL_PERMISSIONS.filter((p) => p !== "admin"),
    autoAssign: false,
  },
  { key: "reader", name: "Reader", description: "Reads models.", permissions: ["model_read"], autoAssign: false },
];
