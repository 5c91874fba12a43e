import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import { TAG_KEY, UUID_PATTERN } from "../refs.ts";
import { defineValueType, describeJsonType, textSchema, type ValueType } from "./value-type.ts";
import { createKeyType } from "./value-types.ts";

export const relationshipKey = createKeyType("RelationshipKey", "a relationship, unique in its model");
export const relationshipRoleKey = createKeyType("RelationshipRoleKey", "a role, unique in its relationship");
export const businessKeyKey = createKeyType("BusinessKeyKey", "a business key, unique in its model");

/** All cardinalities, the narrowest first. */
export const CARDINALITIES = ["zeroOrOne", "one", "many", "unknown"] as const;

/** How many instances there may be on a role's side of a relationship. */
export type Cardinality = (typeof CARDINALITIES)[number];

export const cardinality = defineValueType<Cardinality>({
  id: "RelationshipCardinality",
  json: "string",
  description: `How many instances there may be on the role's side: ${CARDINALITIES.join(", ")}.`,
  schema: () => z.enum(CARDINALITIES, { error: `must be one of ${CARDINALITIES.join(", ")}` }),
});

export const modelRevision = defineValueType<number>({
  id: "ModelRevision",
  json: "number",
  description: "A revision of a model: 1 is the commit that made it, and every commit adds one.",
  schema: () =>
    z
      .int({ error: (issue) => `expected a whole number, got ${describeJsonType(issue.input)}` })
      .check(z.minimum(1, { error: "must be at least 1" })),
});

const UUID = new RegExp(`^${UUID_PATTERN}$`);

export const objectId = defineValueType({
  id: "ObjectId",
  json: "string",
  description: "The id of an object, a UUID; also of one that is gone.",
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
    "What is compared: `structural` leaves out texts, links, tags, version and authority; `complete` everything.",
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
            `${JSON.stringify(issue.input)} is no key: 1 to ${LIMITS.keyCharacters} letters, digits, _ and -`,
        }),
      ),
  });

export const tagKey = createTagKeyType("TagKey", "a tag, unique in its group or model");
export const tagGroupKey = createTagKeyType("TagGroupKey", "a tag group, unique in the instance");

const CHOICES = ["refuse", "ours", "theirs"] as const;

/** The way in which an import into a model goes on where people and the source changed the same. */
export type OnConflict = (typeof CHOICES)[number];

/** That way, as a parameter. */
export const onConflict = defineValueType<OnConflict>({
  id: "OnConflict",
  json: "string",
  description:
    "Where people and the source changed the same: `refuse` does nothing and tells of all such places, `ours` keeps what the model has, `theirs` takes what the source has.",
  schema: () => z.enum(CHOICES, { error: `must be one of ${CHOICES.join(", ")}` }),
});

/** The name of a plan, as a dry run of `model_apply` answers it. */
export const planName = defineValueType({
  id: "PlanName",
  json: "string",
  description: "The name of a plan: 64 hexadecimal digits.",
  schema: () => textSchema().check(z.regex(/^[0-9a-f]{64}$/, { error: "is no name of a plan: 64 hexadecimal digits" })),
});
