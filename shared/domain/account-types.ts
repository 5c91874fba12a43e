import * as z from "zod/mini";
import { ALL_PERMISSIONS, isPermission, type Permission } from "./permissions.ts";
import { text, valueType } from "./value-type.ts";
import { keyType } from "./value-types.ts";

export const roleKey = keyType("RoleKey", "a role, unique in the instance");
export const permissionKey = valueType<Permission>({
  id: "PermissionKey",
  json: "string",
  description: `A permission: ${ALL_PERMISSIONS.join(", ")}.`,
  schema: () =>
    text().check(
      z.refine<string>(isPermission, {
        error: (issue) => `${JSON.stringify(issue.input)} is no permission; they are ${ALL_PERMISSIONS.join(", ")}`,
      }),
      z.meta({ enum: ALL_PERMISSIONS }),
    ),
});
