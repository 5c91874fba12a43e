import { holderKinds, propertyImpact } from "../values/properties.ts";
import { propertySchema } from "../values/property-schema.ts";
import { markdown, singleLine } from "../values/value-types.ts";
import { allowField, defineJsonField, requireField } from "./field.ts";

export const propertyDefinitionFields = {
  name: allowField(singleLine),
  description: allowField(markdown, "Markdown."),
  kinds: allowField(holderKinds, "The kinds of objects that may have it; all if absent."),
  schema: defineJsonField(propertySchema, "The JSON Schema of its values; any value if absent."),
  impact: requireField(propertyImpact),
};
