import * as z from "zod/mini";
import type { PlanStep } from "../../domain/apply/plan.ts";
import { IMPACTS, type Impact, VERDICTS } from "../../domain/differences.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import {
  createNamedOutput,
  createNamedSchema,
  createRecognisedSourceSchema,
  describe,
  describeInteger,
  describeList,
  describeText,
} from "../building/answers.ts";
import { createOwnIdSchema } from "../building/ids.ts";
import type { ReadView } from "../contract/view.ts";

const createSideSchema = () =>
  createNamedSchema("ComparedModel", {
    modelId: z.optional(createOwnIdSchema("Id of the model; absent for inline content.")),
    modelKey: z.string(),
    modelVersion: z.string(),
    modelAuthority: z.enum(["system", "canonical"]),
    revision: z.optional(describeInteger("Absent for inline content.")),
    recognised: z.optional(createRecognisedSourceSchema()),
  });

const createSnapshotSchema = (on: string) =>
  z.optional(
    describe(
      z.record(z.string(), z.unknown()),
      `The object on the ${on}, as in \`model_export\`; absent if that side does not have it.`,
    ),
  );

export const locationSchemas = {
  typeKey: z.optional(z.string()),
  entityKey: z.optional(z.string()),
  relationshipKey: z.optional(z.string()),
  roleKey: z.optional(z.string()),
  attributeKey: z.optional(z.string()),
  businessKeyKey: z.optional(z.string()),
  tagKey: z.optional(z.string()),
};

/** Returns the schema of the type of an object. */
export const createObjectTypeSchema = () =>
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

/** Returns the schemas of the numbers of differences or steps by impact. */
export const createImpactCountSchemas = (noun: "differences" | "steps") => {
  const count = (one: Impact) => describeInteger(`The number of ${one} ${noun}.`);
  return {
    breaking: count("breaking"),
    behavioural: count("behavioural"),
    additive: count("additive"),
    operational: count("operational"),
    cosmetic: count("cosmetic"),
    verdicts: describe(
      createNamedSchema("VerdictCountsOfSides", {
        readers: createVerdictCountSchema(),
        writers: createVerdictCountSchema(),
      }),
      `The numbers of ${noun} by their verdicts for each side.`,
    ),
  };
};

const createVerdictCountSchema = () =>
  createNamedSchema("VerdictCounts", { breaks: z.int(), risk: z.int(), safe: z.int() });

/** Returns the schema of the impact of a difference. */
export const createImpactSchema = () => z.enum(IMPACTS);

const createSideVerdictSchema = () =>
  createNamedSchema("SideVerdict", {
    verdict: z.enum(VERDICTS),
    reasons: describeList(z.string(), "Empty for `safe`."),
  });

/** Returns the schemas of the class of a difference, with its reasons, and of the verdicts on it. */
const createVerdictSchemas = () => ({
  impact: createImpactSchema(),
  reasons: z.array(z.string()),
  readers: describe(createSideVerdictSchema(), "The verdict for programs that read values by the old definition."),
  writers: describe(createSideVerdictSchema(), "The verdict for programs that write values by the old definition."),
});

const createEntrySchema = () =>
  createNamedSchema("ModelDifference", {
    status: describe(
      z.enum(["ADDED", "DELETED", "MODIFIED", "RENAMED"]),
      "`ADDED`: only on the right; `DELETED`: only on the left; `RENAMED`: on both, with different keys and possibly more differences.",
    ),
    objectType: createObjectTypeSchema(),
    ...locationSchemas,
    ...createVerdictSchemas(),
    members: z.optional(describeList(z.string(), "The members that differ, for a `MODIFIED` or `RENAMED` object.")),
    left: createSnapshotSchema("left"),
    right: createSnapshotSchema("right"),
  });

export const compareOutput = createNamedOutput(
  "ModelComparison",
  "The differences in a stable order: by object type, then by location.",
  () => ({
    scopeApplied: z.enum(["structural", "complete"]),
    left: createSideSchema(),
    right: createSideSchema(),
    ...createImpactCountSchemas("differences"),
    likelyRenames: describeList(
      createLikelyRenameSchema(),
      "Deleted and added objects that may be one renamed object; empty for two states of one model.",
    ),
    entries: z.array(createEntrySchema()),
  }),
);

const createMembersSchema = (text: string) => z.optional(describe(z.record(z.string(), z.unknown()), text));

/** Returns the schema of a step of a plan. */
export const createPlanStepSchema = () =>
  createNamedSchema("PlanStep", {
    does: z.enum(["create", "update", "rename", "move", "delete"]),
    objectType: createObjectTypeSchema(),
    ref: describeText("Ref `id:<uuid>` of the object, or `key:<key>` if an earlier step creates it."),
    ownerRef: z.optional(
      describeText("Ref of the entity or relationship that contains it; absent for objects directly in the model."),
    ),
    ...locationSchemas,
    before: createMembersSchema(
      "The changing members before the step, with refs to other objects; members without a value are absent.",
    ),
    after: createMembersSchema(
      "The same members after the step, or all members of a new object, with refs to other objects.",
    ),
    ...createVerdictSchemas(),
  });

/** Returns the schema of a member that people and a source changed in different ways. */
export const createMergeConflictSchema = () =>
  createNamedSchema("MergeConflict", {
    objectType: createObjectTypeSchema(),
    ref: describeText("Ref `id:<uuid>` of the object, or `key:<key>` if the model does not have it."),
    ...locationSchemas,
    member: describe(
      z.nullable(z.string()),
      "Null if one side deleted the object and the other side changed or uses it.",
    ),
    base: describe(z.unknown(), "The value at the last import; null for none."),
    ours: describe(z.unknown(), "The value in the model; null for none."),
    theirs: describe(z.unknown(), "The value in the source; null for none."),
  });

/** Returns the schema of two objects that may be one renamed object. */
export const createLikelyRenameSchema = () =>
  createNamedSchema("LikelyRename", {
    objectType: z.enum(["entity", "attribute"]),
    from: describeList(z.string(), "The key of the object; for an attribute the key of its owner and its key."),
    to: describeText("The key in the document, if it is the same object."),
    confidence: describe(z.number(), "From 0.55, the lowest reported confidence, to 1."),
    reason: z.string(),
    declaredBy: describeText(
      "The member of the new object that declares the rename, with the former key as its value: `renamedFrom`.",
    ),
  });

/** Returns a value as a listed conflict shows it: of a longer one the beginning of its JSON text. */
export function cutConflictValue(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text.length > LIMITS.conflictCharacters ? text.slice(0, LIMITS.conflictCharacters).toWellFormed() : value;
}

type Judged = Pick<PlanStep, "impact" | "readers" | "writers">;

/** Counts differences or the steps of a plan by impact, and by the verdicts for each side. */
export function countByImpact(steps: readonly Judged[]) {
  const counts = { breaking: 0, behavioural: 0, additive: 0, operational: 0, cosmetic: 0 };
  const [readers, writers] = [
    { breaks: 0, risk: 0, safe: 0 },
    { breaks: 0, risk: 0, safe: 0 },
  ];
  for (const step of steps) {
    counts[step.impact] += 1;
    readers[step.readers.verdict] += 1;
    writers[step.writers.verdict] += 1;
  }
  return { ...counts, verdicts: { readers, writers } };
}

/** Creates the problem that the plan of a call is not the one that the call would execute. */
export function createOutdatedProblem(inputPlan: string, plan: string, view: ReadView | undefined): Problem {
  const state = view ? `the model ${view.modelKey} is at revision ${view.revision}` : "the model does not exist";
  return new Problem(
    "plan_outdated",
    `The plan ${inputPlan.slice(0, 12)}… is outdated: ${state}. Make a dry run again and check the plan ${plan.slice(0, 12)}…`,
    { plan, ...(view && { currentRevision: view.revision }) },
  );
}
