import * as z from "zod/mini";
import { KINDS, relationshipAttribute } from "./kinds.ts";
import type { Cardinality } from "./objects.ts";
import { keyType, refType, valueType } from "./value-types.ts";

export const relationshipKey = keyType("RelationshipKey", "a relationship, unique in its model");
export const relationshipRoleKey = keyType("RelationshipRoleKey", "a role, unique in its relationship");
export const businessKeyKey = keyType("BusinessKeyKey", "a business key, unique in its model");

export const relationshipRef = refType(KINDS.relationship.refType, "a relationship of the model");
export const relationshipRoleRef = refType("RelationshipRoleRef", "a role of the relationship");
export const relationshipAttributeRef = refType(relationshipAttribute.refType, "an attribute of the relationship");
export const businessKeyRef = refType(KINDS.business_key.refType, "a business key of the model");

/** All cardinalities, the narrowest first. */
export const CARDINALITIES: readonly Cardinality[] = ["zeroOrOne", "one", "many", "unknown"];

export const cardinality = valueType<Cardinality>({
  id: "RelationshipCardinality",
  json: "string",
  description: `How many instances there may be on the role's side: ${CARDINALITIES.join(", ")}.`,
  schema: () => z.enum(CARDINALITIES, { error: `must be one of ${CARDINALITIES.join(", ")}` }),
});
