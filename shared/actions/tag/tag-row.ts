import * as z from "zod/mini";
import { optionalMember, type GroupedTag } from "../../domain/model/content.ts";
import type { Tag } from "../../domain/model/objects.ts";
import { parseStoredJson } from "../../domain/text/json-values.ts";
import { type Properties, properties } from "../../domain/values/properties.ts";
import { uri } from "../../domain/values/value-types.ts";
import { namedObject } from "../building/answers.ts";
import type { View } from "../contract/view.ts";

const named = () => namedObject("IdAndKey", { id: z.string(), key: z.string() });

/** A tag as every action of the group `tag` answers it. */
export const tagRow = () =>
  namedObject("Tag", {
    id: z.string(),
    key: z.string(),
    group: z.optional(named()).check(z.describe("The group of a global tag.")),
    groupId: z.optional(z.string()).check(z.describe("The id of that group.")),
    model: z.optional(named()).check(z.describe("The model of a local tag.")),
    tagScopeRef: namedObject("TagScopeRef", { type: z.enum(["global", "model"]), id: z.optional(z.string()) }).check(
      z.describe("Where it may be used; `id` is that of the model."),
    ),
    name: z.optional(z.string()),
    description: z.optional(z.string()),
    properties: z.optional(properties.schema()),
    origin: z.optional(uri.schema()).check(z.describe("Of a local tag: where it came from.")),
  });

/** A tag as it is answered. */
export type TagRow = z.infer<ReturnType<typeof tagRow>>;

type Described = Pick<Tag, "name" | "description" | "properties">;

function textsOf({ name, description, properties: kept }: Described) {
  return {
    ...optionalMember("name", name),
    ...optionalMember("description", description),
    ...(kept !== undefined && { properties: parseStoredJson<Properties>(kept) }),
  };
}

/** The row of a global tag. */
export function globalTagRow({ tag, group }: GroupedTag): TagRow {
  return {
    id: tag.id,
    key: tag.key,
    group: { id: group.id, key: group.key },
    groupId: group.id,
    tagScopeRef: { type: "global" },
    ...textsOf(tag),
  };
}

/** The row of a tag of the model that is viewed. */
export function localTagRow(tag: Tag, { ledgerId: modelId, modelKey }: View): TagRow {
  return {
    id: tag.id,
    key: tag.key,
    model: { id: modelId, key: modelKey },
    tagScopeRef: { type: "model", id: modelId },
    ...textsOf(tag),
    ...optionalMember("origin", tag.origin),
  };
}
