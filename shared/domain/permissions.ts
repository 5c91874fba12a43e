/** Directly implied permissions of a permission, and whether it can be granted for some models only. */
interface PermissionRow {
  readonly implies: readonly string[];
  readonly ofModels: boolean;
}

const ofInstance: PermissionRow = { implies: [], ofModels: false };
const ofModels = (...implies: readonly string[]): PermissionRow => ({ implies, ofModels: true });

/** All permissions; `admin` implies all others. */
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

/** Returns the directly implied permissions of a permission. */
export function impliedBy(p: Permission): readonly Permission[] {
  if (p === "admin") return ALL_PERMISSIONS.filter((other) => other !== "admin");
  return PERMISSIONS[p].implies.filter(isPermission);
}

/** Returns the given permissions with all implied ones. */
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

/** Name and description of a permission. */
interface PermissionText {
  readonly name: string;
  readonly description: string;
}

/** Names and descriptions of all permissions. */
export const PERMISSION_TEXTS: { readonly [P in Permission]: PermissionText } = {
  admin: { name: "Administer", description: "Everything, including users, roles and issuers." },
  model_read: { name: "Read models", description: "List, read, export, compare and search models." },
  model_write: { name: "Write models", description: "Change what is inside a model." },
  model_create_manual: { name: "Create models", description: "Create an empty model." },
  model_copy: { name: "Copy models", description: "Copy a model under a new key." },
  model_delete: { name: "Delete models", description: "Delete a model with its content." },
  model_import: { name: "Import models", description: "Create a model from a file or URL." },
  model_release: { name: "Release models", description: "Release the state of a model as a version." },
  model_update_authority: {
    name: "Set authority",
    description: "Mark a model as canonical or as specific to one system.",
  },
  tag_local_manage: { name: "Manage local tags", description: "Create, change and delete the tags of a model." },
  tag_global_manage: { name: "Manage global tags", description: "Create, change and delete tags of groups." },
  tag_group_manage: { name: "Manage tag groups", description: "Create, change and delete tag groups." },
  property_manage: {
    name: "Manage properties",
    description: "Create, change and delete definitions of properties.",
  },
};

/** Role that is managed by the service: it cannot be changed or deleted. */
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
  { key: "reader", name: "Reader", description: "Reads models.", permissions: ["model_read"], autoAssign: false },
];
