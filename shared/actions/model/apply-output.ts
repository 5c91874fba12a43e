import * as z from "zod/mini";
import type { PlanStep } from "../../domain/apply/plan.ts";
import type { Impact } from "../../domain/compare/difference.ts";
import { namedObject } from "../building/named-object.ts";
import { impact, location, objectType } from "./compare-output.ts";

const members = (text: string) => z.optional(z.record(z.string(), z.unknown()).check(z.describe(text)));

/** The schema of a step of a plan. */
export const planStep = () =>
  namedObject("PlanStep", {
    does: z.enum(["create", "update", "rename", "move", "delete"]),
    objectType: objectType(),
    ref: z.string().check(z.describe("The object: `id:<uuid>`, or `key:<key>` of one that an earlier step makes.")),
    ownerRef: z.optional(
      z.string().check(z.describe("The entity or relationship that it lies in; absent of what lies in the model.")),
    ),
    ...location,
    before: members("The members that change, as they are before the step; one without a value is absent."),
    after: members("The same members after the step, or all of an object that is made."),
    impact: impact(),
    reasons: z.array(z.string()),
  });

/** The schema of what people and a source changed, each in another way. */
export const mergeConflict = () =>
  namedObject("MergeConflict", {
    objectType: objectType(),
    ref: z.string().check(z.describe("`id:<uuid>`, or `key:<key>` of an object that the model does not have.")),
    ...location,
    member: z
      .nullable(z.string())
      .check(z.describe("Null where one side deleted the object that the other one changed or uses.")),
    base: z.unknown().check(z.describe("The value as it was imported last; null for none.")),
    ours: z.unknown().check(z.describe("The value that the model has; null for none.")),
    theirs: z.unknown().check(z.describe("The value that the source has; null for none.")),
  });

/** The schema of two objects that look like one. */
export const likelyRename = () =>
  namedObject("LikelyRename", {
    objectType: z.enum(["entity", "attribute"]),
    from: z.array(z.string()).check(z.describe("The keys of its owner, of an attribute, and its own.")),
    to: z.string().check(z.describe("The key that it has in the document, if it is the same.")),
    reason: z.string(),
  });

/** The schema of how many steps there are of each impact. */
export const stepsByImpact = () => {
  const count = (one: Impact) => z.int().check(z.describe(`How many of its steps are ${one}.`));
  return { breaking: count("breaking"), additive: count("additive"), cosmetic: count("cosmetic") };
};

/** How many steps of a plan there are of each impact. */
export function countByImpact(steps: readonly PlanStep[]): Readonly<Record<Impact, number>> {
  const counts = { breaking: 0, additive: 0, cosmetic: 0 };
  for (const { impact } of steps) counts[impact] += 1;
  return counts;
}
