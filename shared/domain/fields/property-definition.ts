import { propertySchema } from "../property-schema.ts";
import { holderKinds, propertyImpact } from "../property-types.ts";
import { markdown, singleLine } from "../value-types.ts";
import { type JsonField, optional, required } from "./field.ts";

const schema: JsonField<Readonly<Record<string, unknown>>> = {
  is: "json",
  required: false,
  type: propertySchema,
  text: "The JSON Schema of its values; any value is allowed where there is none.",
};

/** The fields of definitions of properties. */
export const propertyDefinitionFields = {
  name: optional(singleLine),
  description: optional(markdown, "Markdown."),
  kinds: optional(holderKinds, "The kinds of objects that may have it; all where there are none."),
  schema,
  impact: required(propertyImpact),
};
