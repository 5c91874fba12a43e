import { breaking, breakingUnless, type ChangeRule, MOVED } from "../compare/change-rule.ts";
import type { Impact } from "../compare/difference.ts";
import { LIMITS } from "../limits.ts";
import { cardinality, relationshipRoleKey } from "../structure-types.ts";
import { attributeKey, singleLine } from "../value-types.ts";
import { attributeFields } from "./attribute.ts";
import { sourced } from "./described.ts";
import { attributePairs, children, nested, optional, refTo, required, tagFields } from "./field.ts";

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

type Pairs = readonly unknown[] | undefined;

/** The effect of other pairs, whose order has no meaning: all of them hold in every join. */
const JOIN: ChangeRule = (before, after) => {
  const [impact, reason] = joinOf(before as Pairs, after as Pairs);
  return [{ impact, reason }];
};

function joinOf(before: Pairs = [], after: Pairs = []): readonly [Impact, string] {
  const wanted = new Set(after.map((pair) => JSON.stringify(pair)));
  if (!before.every((pair) => wanted.has(JSON.stringify(pair)))) {
    if (after.length === 0) return ["breaking", "nothing says any more by which attributes it is joined"];
    return ["breaking", "it is joined by other attributes"];
  }
  if (before.length === 0) return ["additive", "it is known now by which attributes it is joined"];
  if (before.length < after.length)
    return ["additive", "it is joined by more attributes, and by those it was joined by"];
  return ["cosmetic", "the same pairs stand in another order"];
}

/** The fields of relationships. */
export const relationshipFields = {
  ...sourced,
  ...tagFields,
  roles: nested({
    called: "RelationshipRole",
    key: relationshipRoleKey,
    fields: roleFields,
    text: "Its roles, two or more, in the order in which they were made.",
    compared: { objectType: "relationshipRole", location: "roleKey" },
    count: { least: 2, most: LIMITS.relationshipRoles, noun: "a relationship", nouns: "roles" },
  }),
  keyPairs: attributePairs({
    of: "roles",
    text: "Of a relationship with two roles: the pairs of attributes that a join follows, each of one attribute of the entity in the first role and one of that in the second.",
    count: { least: 0, most: LIMITS.keyPairs, noun: "a relationship", nouns: "key pairs" },
    change: JOIN,
  }),
  attributes: children({
    kind: "attribute",
    called: "Attribute",
    key: attributeKey,
    fields: attributeFields,
    text: "In declared order.",
    compared: { objectType: "relationshipAttribute", location: "attributeKey" },
    moved: MOVED,
  }),
};
