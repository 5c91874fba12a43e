import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import { TAG_KEY, UUID_PATTERN } from "../refs.ts";
import { defineValueType, describeJsonType, textSchema, type ValueType } from "./value-type.ts";
import { createKeyType } from "./value-types.ts";

export const relationshipKey = createKeyType("RelationshipKey", "a relationship, unique in its model");
export const relationshipRoleKey = createKeyType("RelationshipRoleKey", "a role, unique in its relationship");
export const businessKeyKey = createKeyType("BusinessKeyKey", "a business key, unique in its model");

/** All cardinalities, narrowest first. */
export const CARDINALITIES = ["zeroOrOne", "one", "many", "unknown"] as const;

/** Number of instances on a role's side of a relationship. */
export type Cardinality = (typeof CARDINALITIES)[number];

export const cardinality = defineValueType<Cardinality>({
  id: "RelationshipCardinality",
  json: "string",
  description: `The number of instances on the role's side: ${CARDINALITIES.join(", ")}.`,
  schema: () => z.enum(CARDINALITIES, { error: `must be one of ${CARDINALITIES.join(", ")}` }),
});

export const modelRevision = defineValueType<number>({
  id: "ModelRevision",
  json: "number",
  description: "A revision of a model: 1 for the commit that created it, and one more for every later commit.",
  schema: () =>
    z
      .int({ error: (issue) => `expected a whole number, got ${describeJsonType(issue.input)}` })
      .check(z.minimum(1, { error: "must be at least 1" })),
});

const UUID = new RegExp(`^${UUID_PATTERN}$`);

export const objectId = defineValueType({
  id: "ObjectId",
  json: "string",
  description: "The id of an object, a UUID. Deleted objects are allowed.",
  schema: () =>
    textSchema().check(
      z.regex(UUID, { error: (issue) => `${JSON.stringify(issue.input)} is not a UUID` }),
      z.overwrite((written: string) => written.toLowerCase()),
    ),
});

export const compareScope = defineValueType<"structural" | "complete">({
  id: "CompareScope",
  json: "string",
  description:
    "The scope of the comparison: `structural` ignores texts, links, tags, version and authority; `complete` compares everything.",
  schema: () => z.enum(["structural", "complete"], { error: "must be structural or complete" }),
});

const createTagKeyType = (id: string, of: string): ValueType<string> =>
  defineValueType({
    id,
    json: "string",
    description: `Key of ${of}: 1 to ${LIMITS.keyCharacters} letters A-Z a-z, digits, _ and -; case-sensitive.`,
    schema: () =>
      textSchema().check(
        z.regex(TAG_KEY, {
          error: (issue) =>
            `${JSON.stringify(issue.input)} is not a valid key; use 1 to ${LIMITS.keyCharacters} letters, digits, _ and -`,
        }),
      ),
  });

export const tagKey = createTagKeyType("TagKey", "a tag, unique in its group or model");
export const tagGroupKey = createTagKeyType("TagGroupKey", "a tag group, unique in the instance");

const CHOICES = ["refuse", "ours", "theirs"] as const;

/** Handling of conflicts between manual edits and the source in an import. */
export type OnConflict = (typeof CHOICES)[number];

/** Conflict handling, as a parameter. */
export const onConflict = defineValueType<OnConflict>({
  id: "OnConflict",
  json: "string",
  description:
    "The handling of conflicts between manual edits and the source: `refuse` changes nothing and lists all conflicts, `ours` keeps the values of the model, `theirs` takes the values of the source.",
  schema: () => z.enum(CHOICES, { error: `must be one of ${CHOICES.join(", ")}` }),
});

/** Name of a plan, as a dry run of `model_apply` returns it. */
export const planName = defineValueType({
  id: "PlanName",
  json: "string",
  description: "The name of a plan: 64 hexadecimal digits.",
  schema: () =>
    textSchema().check(z.regex(/^[0-9a-f]{64}$/, { error: "is not a valid plan name; use its 64 hexadecimal digits" })),
});
