import * as z from "zod/mini";
import { actor, role, user } from "./kinds.ts";
import { ALL_PERMISSIONS, isPermission, type Permission } from "./permissions.ts";
import { parseRef, type Ref } from "./refs.ts";
import { keyType, refType, text, username, type ValueType, valueType } from "./value-types.ts";

export const roleKey = keyType("RoleKey", "a role, unique in the instance");
export const roleRef = refType(role.refType, "a role");

/** A ref whose scheme may be left out, because the ancestor wrote it so. */
const bareRef = (id: string, description: string, read: (written: string) => Ref | string): ValueType<Ref> =>
  valueType<Ref>({
    id,
    json: "string",
    description,
    schema: () =>
      text().check(
        z.refine<string>((s) => typeof read(s) !== "string", { error: (issue) => String(read(String(issue.input))) }),
      ),
    // The schema has accepted it, so it parses.
    read: (json) => read(json as string) as Ref,
  });

/** Names an actor, which has no key. */
export const actorId = bareRef(actor.refType, "Names an actor: its UUID, or id:<uuid>.", (written) => {
  const ref = parseRef(written.startsWith("id:") ? written : `id:${written}`);
  return typeof ref === "string" ? `${JSON.stringify(written)} names no actor; write its UUID, or id:<uuid>` : ref;
});

/** Names a user of the built-in provider. */
export const userRef = bareRef(
  user.refType,
  "Names a user of the built-in provider: the username, key:<username> or id:<uuid>.",
  (written) => {
    const ref = parseRef(/^(id|key):/.test(written) ? written : `key:${written}`);
    if (typeof ref !== "string" && (ref.scheme === "id" || z.safeParse(username.schema(), ref.value).success))
      return ref;
    return `${JSON.stringify(written)} names no user; write the username, or id:<uuid>`;
  },
);

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
