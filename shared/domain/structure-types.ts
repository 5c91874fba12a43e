import * as z from "zod/mini";
import { valueType } from "./value-type.ts";
import { keyType } from "./value-types.ts";

export const relationshipKey = keyType("RelationshipKey", "a relationship, unique in its model");
export const relationshipRoleKey = keyType("RelationshipRoleKey", "a role, unique in its relationship");
export const businessKeyKey = keyType("BusinessKeyKey", "a business key, unique in its model");

/** All cardinalities, the narrowest first. */
export const CARDINALITIES = ["zeroOrOne", "one", "many", "unknown"] as const;

/** How many instances there may be on a role's side of a relationship. */
export type Cardinality = (typeof CARDINALITIES)[number];

export const cardinality = valueType<Cardinality>({
  id: "RelationshipCardinality",
  json: "string",
  description: `How many instances there may be on the role's side: ${CARDINALITIES.join(", ")}.`,
  schema: () => z.enum(CARDINALITIES, { error: `must be one of ${CARDINALITIES.join(", ")}` }),
});
