import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import { ALL_PERMISSIONS, type Permission } from "../permissions.ts";
import { findPatternFault, type KeyPattern, parseModelPattern, printRef } from "../refs.ts";
import { createTextSchema, defineChoiceType, defineTextType, defineValueType } from "../values/value-type.ts";
import { createKeyType, createNumberType } from "../values/value-types.ts";

export const serviceAccountKey = createKeyType("ServiceAccountKey", "a service account, unique in the instance");
export const roleKey = createKeyType("RoleKey", "a role, unique in the instance");
export const permissionKey = defineValueType<Permission>({
  id: "PermissionKey",
  json: "string",
  description: `A permission: ${ALL_PERMISSIONS.join(", ")}.`,
  schema: () =>
    z.enum(ALL_PERMISSIONS, {
      error: ({ input }) =>
        `Unknown permission ${JSON.stringify(input)}; expected one of ${ALL_PERMISSIONS.join(", ")}`,
    }),
});
/** Pattern that selects the models a role or token applies to. */
export const modelKeyPattern = defineValueType<KeyPattern>({
  id: "ModelKeyPattern",
  json: "string",
  description:
    "A pattern of model keys: `*` matches any number of characters, as in `crm_*`; `\\*` and `\\\\` match the characters themselves. A ref selects a single model: `key:crm` by its key, `id:<uuid>` by its id, even after its key changes.",
  schema: () =>
    createTextSchema().check(
      z.maxLength(LIMITS.keyPatternCharacters, { error: `has more than ${LIMITS.keyPatternCharacters} characters` }),
      z.refine<string>((pattern) => findPatternFault(pattern) === undefined, {
        error: (issue) => findPatternFault(String(issue.input)) ?? "",
        abort: true,
      }),
      z.meta({ pattern: "^([^\\\\\\x00\\x1b\\x80-\\x9f]|\\\\[\\\\*])+$" }),
      z.overwrite((text: string) => {
        const ref = parseModelPattern(text);
        return ref ? printRef(ref) : text;
      }),
    ),
});
export const actionPath = defineTextType(
  "ActionPath",
  "An action: `<group>/<action>`, such as `model/entity_create`.",
  () => [z.regex(/^[a-z]{1,40}\/[a-z_]{1,60}$/, { error: "is not a valid action; use <group>/<action>" })],
);

export const tokenDays = createNumberType("TokenDays", `Days, 1 to ${LIMITS.apiTokenDays}.`, LIMITS.apiTokenDays);

/** Id of a session: 16 bytes in base64url. */
export const sessionId = defineTextType("SessionId", "The id of a session, as in `auth/session_list`.", () => [
  z.regex(/^[A-Za-z0-9_-]{22}$/, { error: "is not a valid session id; take one of auth/session_list" }),
]);

/** Name of an act in the audit log. Accepts acts of earlier and later versions as well. */
export const auditAct = defineTextType(
  "AuditAct",
  "An act of the audit log: `<group>/<action>`, or `admin:reopen`.",
  () => [
    z.regex(/^[a-z]{1,40}[/:][a-z_]{1,60}$/, { error: "is not a valid act; use <group>/<action> or admin:reopen" }),
  ],
);

export const auditOutcome = defineChoiceType("AuditOutcome", "The outcome of an act: `ok` or `refused`.", [
  "ok",
  "refused",
]);

const DATE = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

function isTimestamp(text: string) {
  const day = DATE.exec(text)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(text))) return false;
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/** Timestamp, converted to UTC with milliseconds. */
export const timestamp = defineTextType(
  "Moment",
  "A point in time in ISO 8601 with its time zone, such as `2026-11-22T09:30:00Z`; a date without a time means midnight UTC.",
  () => [
    z.refine<string>(isTimestamp, {
      error: (issue) =>
        `${JSON.stringify(issue.input)} is not a valid point in time; use a form such as 2026-11-22T09:30:00Z, or a date`,
      abort: true,
    }),
    z.meta({ pattern: DATE.source }),
    z.overwrite((text: string) => new Date(text).toISOString()),
  ],
);

/** The name of the sign-in attempts that are counted for all names together. A name of a user is a single line. */
export const ANY_NAME = { name: "\n" };
