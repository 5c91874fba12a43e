import * as z from "zod/mini";
import { valueType } from "./value-type.ts";
import { listOf } from "./value-types.ts";

/** The kinds of objects that have properties, as definitions name them. */
const HOLDER_KINDS = [
  "model",
  "type",
  "entity",
  "relationship",
  "attribute",
  "business_key",
  "tag",
  "tag_group",
] as const;

/** A kind of objects that have properties; tags of models and of groups are one. */
export type HolderKind = (typeof HOLDER_KINDS)[number];

export const holderKinds = listOf(
  valueType<HolderKind>({
    id: "PropertyHolderKind",
    json: "string",
    description: `A kind of objects that have properties: ${HOLDER_KINDS.join(", ")}.`,
    schema: () => z.enum(HOLDER_KINDS, { error: `must be one of ${HOLDER_KINDS.join(", ")}` }),
  }),
  HOLDER_KINDS.length,
  1,
);

/** The meaning of a change of a property to whoever relies on the object. */
export type PropertyImpact = "cosmetic" | "breaking";

export const propertyImpact = valueType<PropertyImpact>({
  id: "PropertyImpact",
  json: "string",
  description: "The impact of a change of a property in a comparison: cosmetic or breaking.",
  schema: () => z.enum(["cosmetic", "breaking"], { error: "must be cosmetic or breaking" }),
});
