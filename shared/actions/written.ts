import * as z from "zod/mini";
import type { Change } from "../domain/change.ts";
import type { Decision, Output } from "./define-action.ts";
import { namedObject } from "./named-object.ts";

/** The standard answer of a write. */
export interface Written {
  readonly status: "ok";
  readonly id: string;
  readonly key: string;
  readonly revision: number;
  readonly changed: boolean;
  readonly dryRun?: true;
  readonly changes?: readonly ChangeRow[];
}

/** One change as a dry run shows it. */
interface ChangeRow {
  readonly change: Change["does"];
  readonly kind: string;
  readonly id: string;
  readonly key: string;
}

/** How many changes a dry run lists; `changes` of a larger one ends there. */
const LISTED_CHANGES = 1_000;

/** The changes a dry run lists. */
function rowsOf({ changes, alongside = [] }: Decision): readonly ChangeRow[] {
  const all = [...changes, ...alongside.flatMap((part) => part.changes)];
  return all.slice(0, LISTED_CHANGES).map(changeRow);
}

/** The answer of a decision at the revision it became, or would have become. */
export function writtenAnswer(decision: Decision, revision: number, changed: boolean, dryRun: boolean): object {
  const rehearsed = dryRun ? { dryRun: true as const, changes: rowsOf(decision) } : {};
  if (decision.whole) return { ...decision.whole.at(revision).body, ...rehearsed };
  const standard: Written = {
    status: "ok",
    ...decision.subject,
    revision,
    changed,
    ...decision.extra,
    ...(!dryRun && decision.shownOnce),
    ...rehearsed,
  };
  return standard;
}

function changeRow(change: Change): ChangeRow {
  const { kind, id, key } = change.does === "delete" ? change.before : change.after;
  return { change: change.does, kind, id, key };
}

const memberSchemas = () => ({
  status: z.literal("ok"),
  id: z.string().check(z.describe("Id of the object addressed or made.")),
  key: z.string().check(z.describe("Its key after the call.")),
  revision: z.int().check(z.describe("The model's revision after the call.")),
  changed: z.boolean().check(z.describe("False when everything was already as asked.")),
  ...rehearsedMembers(),
});

/** What a dry run adds to the answer of a write. */
export const rehearsedMembers = () => ({
  dryRun: z.optional(z.literal(true).check(z.describe("True on a dry run, and absent else."))),
  changes: z.optional(
    z
      .array(
        namedObject("PlannedChange", {
          change: z.enum(["create", "update", "delete"]),
          kind: z.string(),
          id: z.string(),
          key: z.string(),
        }),
      )
      .check(z.describe(`What a dry run would change, at most ${LISTED_CHANGES} rows.`)),
  ),
});

/** The output of every write. */
export const written = {
  mediaType: "application/json",
  description: "What was written, and the model's revision.",
  schema: () => namedObject("Written", memberSchemas()),
} as const satisfies Output;

/** The output of a write that answers more than the standard members. */
export function writtenWith<M extends z.core.$ZodLooseShape>(description: string, members: () => M) {
  return {
    mediaType: "application/json" as const,
    description,
    schema: () => z.object({ ...memberSchemas(), ...members() }),
  };
}
