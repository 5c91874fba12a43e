import type { Permission } from "./permissions.ts";

/** A permission in words. */
interface PermissionText {
  readonly name: string;
  readonly description: string;
}

/** Every permission in words, for people. */
export const PERMISSION_TEXTS: { readonly [P in Permission]: PermissionText } = {
  admin: { name: "Administer", description: "Everything, including users, roles and issuers." },
  model_read: { name: "Read models", description: "List, read, export, compare and search models." },
  model_write: { name: "Write models", description: "Change what is inside a model." },
  model_create_manual: { name: "Create models", description: "Create an empty model." },
  model_copy: { name: "Copy models", description: "Copy a model under a new key." },
  model_delete: { name: "Delete models", description: "Delete a model with all it holds." },
  model_import: { name: "Import models", description: "Create a model from a file or URL." },
  model_release: { name: "Release models", description: "Give a model's state a version." },
  model_update_authority: { name: "Set authority", description: "Make a model canonical or a system's own." },
  tag_local_manage: { name: "Manage local tags", description: "Create, change and delete the tags of a model." },
  tag_global_manage: { name: "Manage global tags", description: "Create, change and delete tags of groups." },
  tag_group_manage: { name: "Manage tag groups", description: "Create, change and delete tag groups." },
  property_manage: {
    name: "Manage properties",
    description: "Create, change and delete definitions of properties.",
  },
};
