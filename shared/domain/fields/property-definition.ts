import { holderKinds, propertyImpact } from "../values/properties.ts";
import { propertySchema } from "../values/property-schema.ts";
import { markdown, singleLine } from "../values/value-types.ts";
import { json, optional, required } from "./field.ts";

/** The fields of definitions of properties. */
export const propertyDefinitionFields = {
  name: optional(singleLine),
  description: optional(markdown, "Markdown."),
  kinds: optional(holderKinds, "The kinds of objects that may have it; all where there are none."),
  schema: json(propertySchema, "The JSON Schema of its values; any value is allowed where there is none."),
  impact: required(propertyImpact),
};
