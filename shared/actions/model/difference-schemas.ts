import * as z from "zod/mini";
import type { PlanStep } from "../../domain/apply/plan.ts";
import { IMPACTS, type Impact } from "../../domain/differences.ts";
import { namedObjectSchema, recognisedSource } from "../building/answers.ts";
import type { Output } from "../contract/action.ts";

const sideSchema = () =>
  namedObjectSchema("ComparedModel", {
    modelId: z.optional(z.string().check(z.describe("Absent for inline content."))),
    modelKey: z.string(),
    modelVersion: z.string(),
    modelAuthority: z.enum(["system", "canonical"]),
    revision: z.optional(z.int().check(z.describe("Absent for inline content."))),
    recognised: z.optional(recognisedSource()),
  });

const snapshotSchema = (on: string) =>
  z.optional(
    z
      .record(z.string(), z.unknown())
      .check(z.describe(`The object on the ${on}, as \`model_export\` shows it; absent where it is not there.`)),
  );

/** The members of an answer that hold the keys on the way to an object. */
export const locationSchemas = {
  typeKey: z.optional(z.string()),
  entityKey: z.optional(z.string()),
  relationshipKey: z.optional(z.string()),
  roleKey: z.optional(z.string()),
  attributeKey: z.optional(z.string()),
  businessKeyKey: z.optional(z.string()),
  tagKey: z.optional(z.string()),
};

/** The schema of the sort of an object. */
export const objectTypeSchema = () =>
  z.enum([
    "model",
    "type",
    "entity",
    "entityAttribute",
    "relationship",
    "relationshipAttribute",
    "relationshipRole",
    "businessKey",
    "tag",
  ]);

/** The schema of the effect of a difference. */
export const impactSchema = () => z.enum(IMPACTS);

const entrySchema = () =>
  namedObjectSchema("ModelDifference", {
    status: z
      .enum(["ADDED", "DELETED", "MODIFIED", "RENAMED"])
      .check(
        z.describe(
          "`ADDED`: only on the right; `DELETED`: only on the left; `RENAMED`: on both, under two keys, whatever else differs.",
        ),
      ),
    objectType: objectTypeSchema(),
    ...locationSchemas,
    impact: impactSchema(),
    reasons: z.array(z.string()),
    members: z.optional(
      z.array(z.string()).check(z.describe("Which members differ, of a `MODIFIED` or `RENAMED` object.")),
    ),
    left: snapshotSchema("left"),
    right: snapshotSchema("right"),
  });

/** The answer of a comparison. */
export const compareOutput = {
  mediaType: "application/json",
  description: "The differences, in a stable order: by sort of object, then by place.",
  schema: () =>
    namedObjectSchema("ModelComparison", {
      scopeApplied: z.enum(["structural", "complete"]),
      left: sideSchema(),
      right: sideSchema(),
      breaking: z.int().check(z.describe("How many differences are breaking.")),
      additive: z.int(),
      cosmetic: z.int(),
      entries: z.array(entrySchema()),
    }),
} as const satisfies Output;

const membersSchema = (text: string) => z.optional(z.record(z.string(), z.unknown()).check(z.describe(text)));

/** The schema of a step of a plan. */
export const planStepSchema = () =>
  namedObjectSchema("PlanStep", {
    does: z.enum(["create", "update", "rename", "move", "delete"]),
    objectType: objectTypeSchema(),
    ref: z.string().check(z.describe("The object: `id:<uuid>`, or `key:<key>` of one that an earlier step makes.")),
    ownerRef: z.optional(
      z.string().check(z.describe("The entity or relationship that it lies in; absent of what lies in the model.")),
    ),
    ...locationSchemas,
    before: membersSchema("The members that change, as they are before the step; one without a value is absent."),
    after: membersSchema("The same members after the step, or all of an object that is made."),
    impact: impactSchema(),
    reasons: z.array(z.string()),
  });

/** The schema of what people and a source changed, each in another way. */
export const mergeConflictSchema = () =>
  namedObjectSchema("MergeConflict", {
    objectType: objectTypeSchema(),
    ref: z.string().check(z.describe("`id:<uuid>`, or `key:<key>` of an object that the model does not have.")),
    ...locationSchemas,
    member: z
      .nullable(z.string())
      .check(z.describe("Null where one side deleted the object that the other one changed or uses.")),
    base: z.unknown().check(z.describe("The value as it was imported last; null for none.")),
    ours: z.unknown().check(z.describe("The value that the model has; null for none.")),
    theirs: z.unknown().check(z.describe("The value that the source has; null for none.")),
  });

/** The schema of two objects that look like one. */
export const likelyRenameSchema = () =>
  namedObjectSchema("LikelyRename", {
    objectType: z.enum(["entity", "attribute"]),
    from: z.array(z.string()).check(z.describe("The keys of its owner, of an attribute, and its own.")),
    to: z.string().check(z.describe("The key that it has in the document, if it is the same.")),
    reason: z.string(),
  });

/** The schema of how many steps there are of each impact. */
export const impactCountSchemas = () => {
  const count = (one: Impact) => z.int().check(z.describe(`How many of its steps are ${one}.`));
  return { breaking: count("breaking"), additive: count("additive"), cosmetic: count("cosmetic") };
};

/** How many steps of a plan there are of each impact. */
export function countByImpact(steps: readonly PlanStep[]): Readonly<Record<Impact, number>> {
  const counts = { breaking: 0, additive: 0, cosmetic: 0 };
  for (const { impact } of steps) counts[impact] += 1;
  return counts;
}
