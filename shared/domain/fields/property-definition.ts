import { holderKinds, propertyImpact } from "../values/properties.ts";
import { propertySchema } from "../values/property-schema.ts";
import { markdown, singleLine } from "../values/value-types.ts";
import { jsonField, optionalField, requiredField } from "./field.ts";

export const propertyDefinitionFields = {
  name: optionalField(singleLine),
  description: optionalField(markdown, "Markdown."),
  kinds: optionalField(holderKinds, "The kinds of objects that may have it; all if absent."),
  schema: jsonField(propertySchema, "The JSON Schema of its values; any value if absent."),
  impact: requiredField(propertyImpact),
};
