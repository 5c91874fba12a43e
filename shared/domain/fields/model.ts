import { businessKeyKey, relationshipKey } from "../structure-types.ts";
import { tagGroupKey, tagKey } from "../tag-types.ts";
import { entityKey, link, markdown, modelAuthority, modelVersion, singleLine, typeKey } from "../value-types.ts";
import { FIRST_VERSION } from "../versions.ts";
import { businessKeyFields } from "./business-key.ts";
import { described, origin, sourced } from "./described.ts";
import { entityFields } from "./entity.ts";
import { children, type InternalField, optional, propertyFields, required, tagFields } from "./field.ts";
import { relationshipFields } from "./relationship.ts";

/** The fields of tag groups; documents show those of their tags that the model uses. */
export const tagGroupFields = {
  ...described,
  tags: children({ kind: "global_tag", called: "GlobalTag", key: tagKey, fields: described, text: "" }),
};

/** The blobs with the documents that were imported last, by the labels of their sources. */
const sources: InternalField<Readonly<Record<string, string>>, false> = {
  is: "internal",
  required: false,
  text: "The documents that were imported last, by the labels of their sources.",
};

/** The fields of models, and all that a model holds, as a document has it. */
export const modelFields = {
  name: required(singleLine, "", { searched: true }),
  description: optional(markdown, "Markdown.", { searched: true }),
  ...propertyFields,
  version: required(modelVersion, "A semantic version.", { missing: FIRST_VERSION }),
  authority: required(modelAuthority, "", { missing: "system" }),
  documentationHome: optional(link),
  origin,
  sources,
  ...tagFields,
  types: children({
    kind: "type",
    called: "Type",
    key: typeKey,
    fields: sourced,
    text: "",
    compared: { objectType: "type", location: "typeKey" },
  }),
  entities: children({
    kind: "entity",
    called: "Entity",
    key: entityKey,
    fields: entityFields,
    text: "",
    compared: { objectType: "entity", location: "entityKey" },
  }),
  relationships: children({
    kind: "relationship",
    called: "Relationship",
    key: relationshipKey,
    fields: relationshipFields,
    text: "",
    compared: { objectType: "relationship", location: "relationshipKey" },
  }),
  businessKeys: children({
    kind: "business_key",
    called: "BusinessKey",
    key: businessKeyKey,
    fields: businessKeyFields,
    text: "",
    compared: { objectType: "businessKey", location: "businessKeyKey" },
  }),
  localTags: children({
    kind: "tag",
    called: "Tag",
    key: tagKey,
    fields: sourced,
    text: "Every tag of the model, also those that mark nothing.",
    compared: { objectType: "tag", location: "tagKey" },
  }),
  tagGroups: children({
    kind: "tag_group",
    called: "TagGroup",
    key: tagGroupKey,
    fields: tagGroupFields,
    text: "The tags of groups that mark something in the model.",
  }),
};
