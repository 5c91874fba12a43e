import { breaking, breakingUnless } from "../compare/change-rule.ts";
import { LIMITS } from "../limits.ts";
import { cardinality, relationshipRoleKey } from "../structure-types.ts";
import { attributeKey, singleLine } from "../value-types.ts";
import { attributeFields } from "./attribute.ts";
import { described } from "./described.ts";
import { children, nested, optional, refTo, required, tagFields } from "./field.ts";

/** The fields of roles, the sides of a relationship. */
export const roleFields = {
  name: optional(singleLine, "", { searched: true }),
  entity: refTo("entity", "Its entity.", breaking("it leads to another entity")),
  cardinality: required(cardinality, "", {
    change: breakingUnless(
      (before) => before === "unknown",
      "what was unknown is now known",
      "another number of instances is allowed on this side",
    ),
  }),
};

/** The fields of relationships. */
export const relationshipFields = {
  ...described,
  ...tagFields,
  roles: nested({
    called: "RelationshipRole",
    key: relationshipRoleKey,
    fields: roleFields,
    text: "Its roles, two or more, in the order in which they were made.",
    compared: { objectType: "relationshipRole", location: "roleKey" },
    count: { least: 2, most: LIMITS.relationshipRoles, noun: "a relationship", nouns: "roles" },
  }),
  attributes: children({
    called: "Attribute",
    key: attributeKey,
    fields: attributeFields,
    text: "In the order in which they were made.",
    compared: { objectType: "relationshipAttribute", location: "attributeKey" },
  }),
};
