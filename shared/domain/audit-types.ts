import * as z from "zod/mini";
import type { AuditOutcome } from "./audit.ts";
import { text, valueType } from "./value-type.ts";

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
