import * as z from "zod/mini";
import { type KeyPattern, modelNamed, patternFault } from "./key-pattern.ts";
import { LIMITS } from "./limits.ts";
import { ALL_PERMISSIONS, type Permission } from "./permissions.ts";
import { printRef } from "./refs.ts";
import { text, valueType } from "./value-type.ts";
import { keyType } from "./value-types.ts";

export const serviceAccountKey = keyType("ServiceAccountKey", "a service account, unique in the instance");
export const roleKey = keyType("RoleKey", "a role, unique in the instance");
export const permissionKey = valueType<Permission>({
  id: "PermissionKey",
  json: "string",
  description: `A permission: ${ALL_PERMISSIONS.join(", ")}.`,
  schema: () =>
    z.enum(ALL_PERMISSIONS, {
      error: ({ input }) => `${JSON.stringify(input)} is no permission; they are ${ALL_PERMISSIONS.join(", ")}`,
    }),
});
/** A pattern of the models that a role or token is for. */
export const modelKeyPattern = valueType<KeyPattern>({
  id: "ModelKeyPattern",
  json: "string",
  description:
    "Model keys: `*` stands for any run of characters, as in `crm_*`; `\\*` and `\\\\` stand for the characters themselves. What begins with `key:` or `id:` is one model: `key:crm` the one of this key, `id:<uuid>` that one, whatever its key becomes.",
  schema: () =>
    text().check(
      z.maxLength(LIMITS.keyPatternCharacters, { error: `has more than ${LIMITS.keyPatternCharacters} characters` }),
      z.refine<string>((pattern) => patternFault(pattern) === undefined, {
        error: (issue) => patternFault(String(issue.input)) ?? "",
        abort: true,
      }),
      z.meta({ pattern: "^([^\\\\\\x00\\x1b\\x80-\\x9f]|\\\\[\\\\*])+$" }),
      z.overwrite((written: string) => {
        const named = modelNamed(written);
        return named ? printRef(named) : written;
      }),
    ),
});
/** An action by its path. */
export const actionPath = valueType({
  id: "ActionPath",
  json: "string",
  description: "An action: `<group>/<action>`, such as `model/entity_create`.",
  schema: () => text().check(z.regex(/^[a-z]{1,40}\/[a-z_]{1,60}$/, { error: "is no action; write <group>/<action>" })),
});
export const tokenDays = valueType<number>({
  id: "TokenDays",
  json: "number",
  description: `Days, 1 to ${LIMITS.apiTokenDays}.`,
  schema: () =>
    z
      .int({ error: "expected a whole number" })
      .check(
        z.minimum(1, { error: "must be at least 1" }),
        z.maximum(LIMITS.apiTokenDays, { error: `must be at most ${LIMITS.apiTokenDays}` }),
      ),
});
