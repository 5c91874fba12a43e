import * as z from "zod/mini";
import { type GroupedTag, optionalMember } from "../../domain/model/content.ts";
import type { Tag } from "../../domain/model/objects.ts";
import { parseStoredJson } from "../../domain/text/json-values.ts";
import { type Properties, properties } from "../../domain/values/properties.ts";
import { uri } from "../../domain/values/value-types.ts";
import { namedObjectSchema } from "../building/answers.ts";
import type { ReadView } from "../contract/view.ts";

const identitySchema = () => namedObjectSchema("IdAndKey", { id: z.string(), key: z.string() });

/** Returns the schema of a tag in all answers of the group `tag`. */
export const tagSchema = () =>
  namedObjectSchema("Tag", {
    id: z.string(),
    key: z.string(),
    group: z.optional(identitySchema()).check(z.describe("The group of a global tag.")),
    groupId: z.optional(z.string()).check(z.describe("The id of that group.")),
    model: z.optional(identitySchema()).check(z.describe("The model of a local tag.")),
    tagScopeRef: namedObjectSchema("TagScopeRef", {
      type: z.enum(["global", "model"]),
      id: z.optional(z.string()),
    }).check(z.describe("The scope of its use; `id` is the id of the model.")),
    name: z.optional(z.string()),
    description: z.optional(z.string()),
    properties: z.optional(properties.schema()),
    origin: z.optional(uri.schema()).check(z.describe("The origin of a local tag.")),
  });

/** A tag in an answer. */
export type TagRow = z.infer<ReturnType<typeof tagSchema>>;

type Described = Pick<Tag, "name" | "description" | "properties">;

function toTagTexts({ name, description, properties: kept }: Described) {
  return {
    ...optionalMember("name", name),
    ...optionalMember("description", description),
    ...(kept !== undefined && { properties: parseStoredJson<Properties>(kept) }),
  };
}

/** Converts a global tag to its row. */
export function toGlobalTagRow({ tag, group }: GroupedTag): TagRow {
  return {
    id: tag.id,
    key: tag.key,
    group: { id: group.id, key: group.key },
    groupId: group.id,
    tagScopeRef: { type: "global" },
    ...toTagTexts(tag),
  };
}

/** Converts a tag of the model of the view to its row. */
export function toLocalTagRow(tag: Tag, { ledgerId: modelId, modelKey }: ReadView): TagRow {
  return {
    id: tag.id,
    key: tag.key,
    model: { id: modelId, key: modelKey },
    tagScopeRef: { type: "model", id: modelId },
    ...toTagTexts(tag),
    ...optionalMember("origin", tag.origin),
  };
}
