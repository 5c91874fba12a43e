import * as z from "zod/mini";
import { IMPACTS } from "../../domain/compare/difference.ts";
import { namedObject } from "../building/named-object.ts";
import { recognisedSource } from "../building/recognised-source.ts";
import type { Output } from "../contract/action.ts";

const side = () =>
  namedObject("ComparedModel", {
    modelId: z.optional(z.string().check(z.describe("Absent for inline content."))),
    modelKey: z.string(),
    modelVersion: z.string(),
    modelAuthority: z.enum(["system", "canonical"]),
    revision: z.optional(z.int().check(z.describe("Absent for inline content."))),
    recognised: z.optional(recognisedSource()),
  });

const snapshot = (on: string) =>
  z.optional(
    z
      .record(z.string(), z.unknown())
      .check(z.describe(`The object on the ${on}, as \`model_export\` shows it; absent where it is not there.`)),
  );

/** The members of an answer that hold the keys on the way to an object. */
export const location = {
  typeKey: z.optional(z.string()),
  entityKey: z.optional(z.string()),
  relationshipKey: z.optional(z.string()),
  roleKey: z.optional(z.string()),
  attributeKey: z.optional(z.string()),
  businessKeyKey: z.optional(z.string()),
  tagKey: z.optional(z.string()),
};

/** The schema of the sort of an object. */
export const objectType = () =>
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
export const impact = () => z.enum(IMPACTS);

const entry = () =>
  namedObject("ModelDifference", {
    status: z
      .enum(["ADDED", "DELETED", "MODIFIED", "RENAMED"])
      .check(
        z.describe(
          "`ADDED`: only on the right; `DELETED`: only on the left; `RENAMED`: on both, under two keys, whatever else differs.",
        ),
      ),
    objectType: objectType(),
    ...location,
    impact: impact(),
    reasons: z.array(z.string()),
    members: z.optional(
      z.array(z.string()).check(z.describe("Which members differ, of a `MODIFIED` or `RENAMED` object.")),
    ),
    left: snapshot("left"),
    right: snapshot("right"),
  });

/** The answer of a comparison. */
export const compared = {
  mediaType: "application/json",
  description: "The differences, in a stable order: by sort of object, then by place.",
  schema: () =>
    namedObject("ModelComparison", {
      scopeApplied: z.enum(["structural", "complete"]),
      left: side(),
      right: side(),
      breaking: z.int().check(z.describe("How many differences are breaking.")),
      additive: z.int(),
      cosmetic: z.int(),
      entries: z.array(entry()),
    }),
} as const satisfies Output;
