import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import { ALL_PERMISSIONS, type Permission } from "../permissions.ts";
import { findPatternFault, type KeyPattern, parseModelPattern, printRef } from "../refs.ts";
import { defineValueType, textSchema } from "../values/value-type.ts";
import { createKeyType } from "../values/value-types.ts";
import type { AuditOutcome } from "./audit.ts";

export const serviceAccountKey = createKeyType("ServiceAccountKey", "a service account, unique in the instance");
export const roleKey = createKeyType("RoleKey", "a role, unique in the instance");
export const permissionKey = defineValueType<Permission>({
  id: "PermissionKey",
  json: "string",
  description: `A permission: ${ALL_PERMISSIONS.join(", ")}.`,
  schema: () =>
    z.enum(ALL_PERMISSIONS, {
      error: ({ input }) => `${JSON.stringify(input)} is no permission; they are ${ALL_PERMISSIONS.join(", ")}`,
    }),
});
/** A pattern of the models that a role or token is for. */
export const modelKeyPattern = defineValueType<KeyPattern>({
  id: "ModelKeyPattern",
  json: "string",
  description:
    "Model keys: `*` stands for any run of characters, as in `crm_*`; `\\*` and `\\\\` stand for the characters themselves. What begins with `key:` or `id:` is one model: `key:crm` the one of this key, `id:<uuid>` that one, whatever its key becomes.",
  schema: () =>
    textSchema().check(
      z.maxLength(LIMITS.keyPatternCharacters, { error: `has more than ${LIMITS.keyPatternCharacters} characters` }),
      z.refine<string>((pattern) => findPatternFault(pattern) === undefined, {
        error: (issue) => findPatternFault(String(issue.input)) ?? "",
        abort: true,
      }),
      z.meta({ pattern: "^([^\\\\\\x00\\x1b\\x80-\\x9f]|\\\\[\\\\*])+$" }),
      z.overwrite((written: string) => {
        const named = parseModelPattern(written);
        return named ? printRef(named) : written;
      }),
    ),
});
/** An action by its path. */
export const actionPath = defineValueType({
  id: "ActionPath",
  json: "string",
  description: "An action: `<group>/<action>`, such as `model/entity_create`.",
  schema: () =>
    textSchema().check(z.regex(/^[a-z]{1,40}\/[a-z_]{1,60}$/, { error: "is no action; write <group>/<action>" })),
});
export const tokenDays = defineValueType<number>({
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
export const auditAct = defineValueType({
  id: "AuditAct",
  json: "string",
  description: "An act of the audit log: `<group>/<action>`, or `admin:reopen`.",
  schema: () =>
    textSchema().check(
      z.regex(/^[a-z]{1,40}[/:][a-z_]{1,60}$/, { error: "is no act; write <group>/<action>, or admin:reopen" }),
    ),
});

export const auditOutcome = defineValueType<AuditOutcome>({
  id: "AuditOutcome",
  json: "string",
  description: "How an act ended: `ok` or `refused`.",
  schema: () => z.enum(["ok", "refused"], { error: "must be ok or refused" }),
});

const DATE = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** True for a moment that there is: a day of the calendar, and a time with its zone. */
function isTimestamp(written: string): boolean {
  const day = DATE.exec(written)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(written))) return false;
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/** A moment, brought to UTC with milliseconds. */
export const timestamp = defineValueType({
  id: "Moment",
  json: "string",
  description:
    "A moment in ISO 8601 with its time zone, such as `2026-11-22T09:30:00Z`; a date alone is its midnight in UTC.",
  schema: () =>
    textSchema().check(
      z.refine<string>(isTimestamp, {
        error: (issue) =>
          `${JSON.stringify(issue.input)} is no moment; write one like 2026-11-22T09:30:00Z, or a date alone`,
        abort: true,
      }),
      z.meta({ pattern: DATE.source }),
      z.overwrite((written: string) => new Date(written).toISOString()),
    ),
});
