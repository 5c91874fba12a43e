import { breakingUnless, MOVED } from "../compare/change-rule.ts";
import { LIMITS } from "../limits.ts";
import { attributeKey, link } from "../value-types.ts";
import { attributeFields } from "./attribute.ts";
import { described, origin } from "./described.ts";
import { attributeRefs, children, optional, tagFields } from "./field.ts";

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** The fields of entities. */
export const entityFields = {
  ...described,
  documentationHome: optional(link),
  origin,
  ...tagFields,
  attributes: children({
    kind: "attribute",
    called: "Attribute",
    key: attributeKey,
    fields: attributeFields,
    text: "In declared order.",
    compared: { objectType: "entityAttribute", location: "attributeKey" },
    moved: MOVED,
  }),
  primaryKey: attributeRefs({
    of: "itself",
    text: "Refs `id:<uuid>` of its attributes, in order.",
    count: { least: 0, most: LIMITS.primaryKeyAttributes, noun: "a primary key", nouns: "attributes" },
    change: breakingUnless(isEmpty, "records can be identified now", "records are no longer identified as they were"),
  }),
};
