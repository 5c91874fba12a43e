import { holderKinds, propertyImpact } from "../values/properties.ts";
import { propertySchema } from "../values/property-schema.ts";
import { markdown, singleLine } from "../values/value-types.ts";
import { jsonField, optionalField, requiredField } from "./field.ts";

/** The fields of definitions of properties. */
export const propertyDefinitionFields = {
  name: optionalField(singleLine),
  description: optionalField(markdown, "Markdown."),
  kinds: optionalField(holderKinds, "The kinds of objects that may have it; all where there are none."),
  schema: jsonField(propertySchema, "The JSON Schema of its values; any value is allowed where there is none."),
  impact: requiredField(propertyImpact),
};
