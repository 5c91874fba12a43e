import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import { ALL_PERMISSIONS, type Permission } from "../permissions.ts";
import { type KeyPattern, modelNamed, patternFault, printRef } from "../refs.ts";
import { text, valueType } from "../values/value-type.ts";
import { keyType } from "../values/value-types.ts";
import type { AuditOutcome } from "./audit.ts";

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

/** The name of an act in the audit log; also of an act of a version before or after this one. */
export const auditAct = valueType({
  id: "AuditAct",
  json: "string",
  description: "An act of the audit log: `<group>/<action>`, or `admin:reopen`.",
  schema: () =>
    text().check(
      z.regex(/^[a-z]{1,40}[/:][a-z_]{1,60}$/, { error: "is no act; write <group>/<action>, or admin:reopen" }),
    ),
});

export const auditOutcome = valueType<AuditOutcome>({
  id: "AuditOutcome",
  json: "string",
  description: "How an act ended: `ok` or `refused`.",
  schema: () => z.enum(["ok", "refused"], { error: "must be ok or refused" }),
});

const DATE = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** True for a moment that there is: a day of the calendar, and a time with its zone. */
function isMoment(written: string): boolean {
  const day = DATE.exec(written)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(written))) return false;
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/** A moment, brought to UTC with milliseconds. */
export const moment = valueType({
  id: "Moment",
  json: "string",
  description:
    "A moment in ISO 8601 with its time zone, such as `2026-11-22T09:30:00Z`; a date alone is its midnight in UTC.",
  schema: () =>
    text().check(
      z.refine<string>(isMoment, {
        error: (issue) =>
          `${JSON.stringify(issue.input)} is no moment; write one like 2026-11-22T09:30:00Z, or a date alone`,
        abort: true,
      }),
      z.meta({ pattern: DATE.source }),
      z.overwrite((written: string) => new Date(written).toISOString()),
    ),
});
