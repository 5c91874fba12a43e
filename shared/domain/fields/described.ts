import { markdown, singleLine } from "../value-types.ts";
import { optional, propertyFields } from "./field.ts";

/** The fields of every kind that people name and describe; types, tags and tag groups have no others. */
export const described = {
  name: optional(singleLine, "", { searched: true }),
  description: optional(markdown, "Markdown.", { searched: true }),
  ...propertyFields,
};
