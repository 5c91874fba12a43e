import { constraints } from "../constraints/check.ts";
import type { ObjectType } from "../differences.ts";
import type { KindName } from "../kinds.ts";
import { LIMITS } from "../limits.ts";
import {
  businessKeyKey,
  cardinality,
  relationshipKey,
  relationshipRoleKey,
  tagGroupKey,
  tagKey,
} from "../values/model-types.ts";
import type { ValueType } from "../values/value-type.ts";
import {
  attributeKey,
  entityKey,
  FIRST_VERSION,
  flag,
  link,
  markdown,
  modelAuthority,
  modelVersion,
  singleLine,
  typeKey,
  uri,
} from "../values/value-types.ts";
import {
  allowField,
  type ChildrenField,
  type DocumentOf,
  defineAttributePairs,
  defineAttributeRefs,
  defineChildrenField,
  defineInternalField,
  defineJsonField,
  defineNestedField,
  defineRefField,
  type Fields,
  type InternalField,
  propertyFields,
  requireField,
  tagFields,
} from "./field.ts";

/** Fields of all named and described objects; the only fields of tag groups and global tags. */
export const describedFields = {
  name: allowField(singleLine, "", { searched: true }),
  description: allowField(markdown, "Markdown.", { searched: true }),
  ...propertyFields,
};

export const originField = allowField(
  uri,
  "The origin: the label of the source, and after `#` the path of the object in the source.",
  { provenance: true },
);

/** Fields of described objects that can be imported; the only fields of types and local tags. */
export const sourcedFields = { ...describedFields, origin: originField };

export const attributeFields = {
  ...sourcedFields,
  owner: defineInternalField<string>("Id of the entity or relationship it belongs to.", "entity", "relationship"),
  type: defineRefField("type", "Its type.", "type"),
  optional: requireField(flag, "", { missing: false, change: "optional" }),
  constraints: defineJsonField(constraints, "Constraints of its values.", { change: "constraints" }),
  ...tagFields,
  order: defineInternalField<number>(
    "Position among the attributes of its owner: the order of creation, unless an attribute was moved.",
  ),
};

const createAttributesField = (objectType: "entityAttribute" | "relationshipAttribute") =>
  defineChildrenField({
    kind: "attribute",
    noun: "Attribute",
    key: attributeKey,
    fields: attributeFields,
    text: "In declared order.",
    terms: { objectType, location: "attributeKey" },
    move: "move",
  });

export const entityFields = {
  ...describedFields,
  documentationHome: allowField(link),
  origin: originField,
  ...tagFields,
  attributes: createAttributesField("entityAttribute"),
  primaryKey: defineAttributeRefs({
    of: "itself",
    text: "Refs `id:<uuid>` of its attributes, in order.",
    count: { least: 0, most: LIMITS.primaryKeyAttributes, noun: "a primary key", nouns: "attributes" },
    change: "primaryKey",
  }),
};

export const roleFields = {
  name: allowField(singleLine, "", { searched: true }),
  entity: defineRefField("entity", "Its entity.", "entity"),
  cardinality: requireField(cardinality, "", { change: "cardinality" }),
};

export const relationshipFields = {
  ...sourcedFields,
  ...tagFields,
  roles: defineNestedField({
    noun: "RelationshipRole",
    key: relationshipRoleKey,
    fields: roleFields,
    text: "Its roles, at least two, in the order of creation.",
    terms: { objectType: "relationshipRole", location: "roleKey" },
    count: { least: 2, most: LIMITS.relationshipRoles, noun: "a relationship", nouns: "roles" },
  }),
  keyPairs: defineAttributePairs({
    of: "roles",
    text: "Pairs of refs to attributes that a join compares, for a relationship with two roles. Each pair has an attribute of the first role's entity and one of the second role's entity.",
    count: { least: 0, most: LIMITS.keyPairs, noun: "a relationship", nouns: "key pairs" },
    change: "keyPairs",
  }),
  attributes: createAttributesField("relationshipAttribute"),
};

export const businessKeyFields = {
  ...sourcedFields,
  entity: defineRefField("entity", "Its entity.", "entity"),
  participants: defineAttributeRefs({
    of: "entity",
    text: "Refs `id:<uuid>` of its attributes of the entity, in order.",
    count: { least: 0, most: LIMITS.businessKeyParticipants, noun: "a business key", nouns: "participants" },
    change: "participants",
  }),
};

/** Fields of tag groups. Documents contain only the tags that the model uses. */
export const tagGroupFields = {
  ...describedFields,
  tags: defineChildrenField({
    kind: "global_tag",
    noun: "GlobalTag",
    key: tagKey,
    fields: describedFields,
    text: "",
  }),
};

/** Names of the blobs with the last imported documents, by source label. */
const sourcesField: InternalField<Readonly<Record<string, string>>, false> = {
  is: "internal",
  required: false,
  text: "The last imported documents, by source label.",
};

/** Defines a list directly in a model that comparisons include, under the key member. */
function createPartsField<F extends Fields>(
  kind: KindName,
  objectType: ObjectType,
  key: ValueType<string>,
  fields: F,
  text = "",
): ChildrenField<DocumentOf<F>> {
  const title = objectType.charAt(0).toUpperCase() + objectType.slice(1);
  return defineChildrenField({
    kind,
    noun: title,
    key,
    fields,
    text,
    terms: { objectType, location: `${objectType}Key` },
  });
}

/** Fields of models and of everything in a model, as in documents. */
export const modelFields = {
  name: requireField(singleLine, "", { searched: true }),
  description: allowField(markdown, "Markdown.", { searched: true }),
  ...propertyFields,
  version: requireField(modelVersion, "A semantic version.", { missing: FIRST_VERSION }),
  authority: requireField(modelAuthority, "", { missing: "system" }),
  documentationHome: allowField(link),
  origin: originField,
  sources: sourcesField,
  ...tagFields,
  types: createPartsField("type", "type", typeKey, sourcedFields),
  entities: createPartsField("entity", "entity", entityKey, entityFields),
  relationships: createPartsField("relationship", "relationship", relationshipKey, relationshipFields),
  businessKeys: createPartsField("business_key", "businessKey", businessKeyKey, businessKeyFields),
  localTags: createPartsField("tag", "tag", tagKey, sourcedFields, "All tags of the model, including unused ones."),
  tagGroups: defineChildrenField({
    kind: "tag_group",
    noun: "TagGroup",
    key: tagGroupKey,
    fields: tagGroupFields,
    text: "The global tags that objects of the model have.",
  }),
};

const FIELDS: ReadonlyMap<string, Fields> = new Map<string, Fields>([
  ["model", modelFields],
  ["type", sourcedFields],
  ["entity", entityFields],
  ["relationship", relationshipFields],
  ["attribute", attributeFields],
  ["business_key", businessKeyFields],
  ["tag", sourcedFields],
]);

/** Returns the fields of a kind in a model; undefined for other kinds. */
export function getFieldsOfKind(kind: string): Fields | undefined {
  return FIELDS.get(kind);
}
