import * as z from "zod/mini";
import { ifDefined } from "../../domain/content.ts";
import type { AuthRole } from "../../domain/objects.ts";
import { namedObject } from "../building/named-object.ts";

/** The schema of a role as it is shown. */
export const roleRow = () =>
  namedObject("Role", {
    id: z.string(),
    key: z.string(),
    name: z.string(),
    description: z.optional(z.string()),
    autoAssign: z.boolean().check(z.describe("True for the one role that new actors get.")),
    managedRole: z.boolean().check(z.describe("True where the service keeps the role.")),
    createdAt: z.string(),
    lastUpdatedAt: z.string(),
  });

/** A role as it is shown; its permissions stand beside it. */
export function shownRole({ id, key, name, description, autoAssign, managed, createdAt, updatedAt }: AuthRole) {
  return {
    id,
    key,
    name,
    ...ifDefined("description", description),
    autoAssign,
    managedRole: managed,
    createdAt,
    lastUpdatedAt: updatedAt,
  };
}
