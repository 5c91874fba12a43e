import * as z from "zod/mini";
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

/** The schema of two objects that look like one. */
export const likelyRename = () =>
  namedObject("LikelyRename", {
    objectType: z.enum(["entity", "attribute"]),
    from: z.array(z.string()).check(z.describe("The keys of its owner, of an attribute, and its own.")),
    to: z.string().check(z.describe("The key that it has in the document, if it is the same.")),
    reason: z.string(),
  });
