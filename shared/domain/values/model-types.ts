import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import { TAG_KEY, UUID_PATTERN } from "../refs.ts";
import { defineChoiceType, defineTextType, defineValueType, expectType, type ValueType } from "./value-type.ts";
import { createKeyType } from "./value-types.ts";

export const relationshipKey = createKeyType("RelationshipKey", "a relationship, unique in its model");
export const relationshipRoleKey = createKeyType("RelationshipRoleKey", "a role, unique in its relationship");
export const businessKeyKey = createKeyType("BusinessKeyKey", "a business key, unique in its model");

/** All cardinalities, narrowest first. */
export const CARDINALITIES = ["zeroOrOne", "one", "many", "unknown"] as const;

/** Number of instances on a role's side of a relationship. */
export type Cardinality = (typeof CARDINALITIES)[number];

export const cardinality = defineChoiceType(
  "RelationshipCardinality",
  `The number of instances on the role's side: ${CARDINALITIES.join(", ")}.`,
  CARDINALITIES,
);

export const modelRevision = defineValueType<number>({
  id: "ModelRevision",
  json: "number",
  description: "A revision of a model: 1 for the commit that created it, and one more for every later commit.",
  schema: () => z.int(expectType("a whole number")).check(z.minimum(1, { error: "must be at least 1" })),
});

const ID = new RegExp(`^(id:)?${UUID_PATTERN}$`);

export const objectId = defineTextType(
  "ObjectId",
  "The id of an object: id:<uuid>, or its UUID. Deleted objects are allowed.",
  () => [
    z.regex(ID, { error: (issue) => `${JSON.stringify(issue.input)} is not the id of an object; use id:<uuid>` }),
    z.overwrite((text: string) => text.replace(/^id:/, "").toLowerCase()),
  ],
);

export const compareScope = defineChoiceType(
  "CompareScope",
  "The scope of the comparison: `structural` ignores texts, links, tags, version and authority; `complete` compares everything.",
  ["structural", "complete"],
);

const createTagKeyType = (id: string, noun: string): ValueType<string> =>
  defineTextType(
    id,
    `Key of ${noun}: 1 to ${LIMITS.keyCharacters} letters A-Z a-z, digits, _ and -; case-sensitive.`,
    () => [
      z.regex(TAG_KEY, {
        error: (issue) =>
          `${JSON.stringify(issue.input)} is not a valid key; use 1 to ${LIMITS.keyCharacters} letters, digits, _ and -`,
      }),
    ],
  );

export const tagKey = createTagKeyType("TagKey", "a tag, unique in its group or model");
export const tagGroupKey = createTagKeyType("TagGroupKey", "a tag group, unique in the instance");

const CHOICES = ["refuse", "ours", "theirs"] as const;

/** Handling of conflicts between manual edits and the source in an import. */
export type OnConflict = (typeof CHOICES)[number];

export const onConflict = defineChoiceType(
  "OnConflict",
  "The handling of conflicts between manual edits and the source: `refuse` changes nothing and lists all conflicts, `ours` keeps the values of the model, `theirs` takes the values of the source.",
  CHOICES,
);

export const onUndoConflict = defineChoiceType(
  "OnUndoConflict",
  "The handling of what others changed since: `keep` keeps it, `back` gives it its former value too.",
  ["keep", "back"] as const,
);

/** Name of a plan, as a dry run of `model_apply` returns it. */
export const planName = defineTextType("PlanName", "The name of a plan: 64 hexadecimal digits.", () => [
  z.regex(/^[0-9a-f]{64}$/, { error: "is not a valid plan name; use its 64 hexadecimal digits" }),
]);
