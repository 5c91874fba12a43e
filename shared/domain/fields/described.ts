import { markdown, singleLine, uri } from "../value-types.ts";
import { optional, propertyFields } from "./field.ts";

/** The fields of everything that people name and describe; tags of groups and the groups have no others. */
export const described = {
  name: optional(singleLine, "", { searched: true }),
  description: optional(markdown, "Markdown.", { searched: true }),
  ...propertyFields,
};

/** The field of every kind whose objects can come from a source. */
export const origin = optional(
  uri,
  "Where it came from: the label of the source and, behind `#`, the path to it there, in the source's own names.",
  { provenance: true },
);

/** The fields of kinds that come from sources, and which people name and describe; types and local tags have no others. */
export const sourced = { ...described, origin };
