import { constraints } from "../constraints/check.ts";
import { assessConstraints } from "../constraints/judge.ts";
import { type ChangeRule, createAdditiveRule, createBreakingRule, type Impact, MOVE_RULE } from "../differences.ts";
import { LIMITS } from "../limits.ts";
import {
  businessKeyKey,
  cardinality,
  relationshipKey,
  relationshipRoleKey,
  tagGroupKey,
  tagKey,
} from "../values/model-types.ts";
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
  attributePairsField,
  attributeRefsField,
  childrenField,
  type Fields,
  type InternalField,
  internalField,
  jsonField,
  nestedField,
  optionalField,
  propertyFields,
  refField,
  requiredField,
  tagFields,
} from "./field.ts";

/** The fields of everything that people name and describe; tags of groups and the groups have no others. */
export const describedFields = {
  name: optionalField(singleLine, "", { searched: true }),
  description: optionalField(markdown, "Markdown.", { searched: true }),
  ...propertyFields,
};

/** The field of every kind whose objects can come from a source. */
export const originField = optionalField(
  uri,
  "Where it came from: the label of the source and, behind `#`, the path to it there, in the source's own names.",
  { provenance: true },
);

/** The fields of kinds that come from sources, and which people name and describe; types and local tags have no others. */
export const sourcedFields = { ...describedFields, origin: originField };

const OPTIONAL_RULE: ChangeRule = (_, after) => [
  {
    impact: "breaking",
    reason: after === true ? "readers may meet records without it" : "writers that leave it out are refused",
  },
];

/** The fields of attributes, of entities and of relationships alike. */
export const attributeFields = {
  ...sourcedFields,
  owner: internalField<string>("Id of the entity or relationship it belongs to.", "entity", "relationship"),
  type: refField("type", "Its type.", createBreakingRule("its values are of another type")),
  optional: requiredField(flag, "", { missing: false, change: OPTIONAL_RULE }),
  constraints: jsonField(constraints, "The values it may have.", { change: assessConstraints }),
  ...tagFields,
  order: internalField<number>(
    "Sorts the attributes of one owner: in the order in which they were made, unless they were moved.",
  ),
};

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** The fields of entities. */
export const entityFields = {
  ...describedFields,
  documentationHome: optionalField(link),
  origin: originField,
  ...tagFields,
  attributes: childrenField({
    kind: "attribute",
    called: "Attribute",
    key: attributeKey,
    fields: attributeFields,
    text: "In declared order.",
    compared: { objectType: "entityAttribute", location: "attributeKey" },
    moved: MOVE_RULE,
  }),
  primaryKey: attributeRefsField({
    of: "itself",
    text: "Refs `id:<uuid>` of its attributes, in order.",
    count: { least: 0, most: LIMITS.primaryKeyAttributes, noun: "a primary key", nouns: "attributes" },
    change: createAdditiveRule(
      isEmptyList,
      "records can be identified now",
      "records are no longer identified as they were",
    ),
  }),
};

/** The fields of roles, the sides of a relationship. */
export const roleFields = {
  name: optionalField(singleLine, "", { searched: true }),
  entity: refField("entity", "Its entity.", createBreakingRule("it leads to another entity")),
  cardinality: requiredField(cardinality, "", {
    change: createAdditiveRule(
      (before) => before === "unknown",
      "what was unknown is now known",
      "another number of instances is allowed on this side",
    ),
  }),
};

type Pairs = readonly unknown[] | undefined;

/** The effect of other pairs, whose order has no meaning: all of them hold in every join. */
const KEY_PAIRS_RULE: ChangeRule = (before, after) => {
  const [impact, reason] = assessKeyPairs(before as Pairs, after as Pairs);
  return [{ impact, reason }];
};

function assessKeyPairs(before: Pairs = [], after: Pairs = []): readonly [Impact, string] {
  const wanted = new Set(after.map((pair) => JSON.stringify(pair)));
  if (!before.every((pair) => wanted.has(JSON.stringify(pair)))) {
    if (after.length === 0) return ["breaking", "nothing says any more by which attributes it is joined"];
    return ["breaking", "it is joined by other attributes"];
  }
  if (before.length === 0) return ["additive", "it is known now by which attributes it is joined"];
  if (before.length < after.length)
    return ["additive", "it is joined by more attributes, and by those it was joined by"];
  return ["cosmetic", "the same pairs stand in another order"];
}

/** The fields of relationships. */
export const relationshipFields = {
  ...sourcedFields,
  ...tagFields,
  roles: nestedField({
    called: "RelationshipRole",
    key: relationshipRoleKey,
    fields: roleFields,
    text: "Its roles, two or more, in the order in which they were made.",
    compared: { objectType: "relationshipRole", location: "roleKey" },
    count: { least: 2, most: LIMITS.relationshipRoles, noun: "a relationship", nouns: "roles" },
  }),
  keyPairs: attributePairsField({
    of: "roles",
    text: "Of a relationship with two roles: the pairs of attributes that a join follows, each of one attribute of the entity in the first role and one of that in the second.",
    count: { least: 0, most: LIMITS.keyPairs, noun: "a relationship", nouns: "key pairs" },
    change: KEY_PAIRS_RULE,
  }),
  attributes: childrenField({
    kind: "attribute",
    called: "Attribute",
    key: attributeKey,
    fields: attributeFields,
    text: "In declared order.",
    compared: { objectType: "relationshipAttribute", location: "attributeKey" },
    moved: MOVE_RULE,
  }),
};

/** The fields of business keys. */
export const businessKeyFields = {
  ...sourcedFields,
  entity: refField("entity", "Its entity.", createBreakingRule("it identifies another entity")),
  participants: attributeRefsField({
    of: "entity",
    text: "Refs `id:<uuid>` of the entity's attributes that form it, in order.",
    count: { least: 0, most: LIMITS.businessKeyParticipants, noun: "a business key", nouns: "participants" },
    change: createBreakingRule("records are no longer identified as they were"),
  }),
};

/** The fields of tag groups; documents show those of their tags that the model uses. */
export const tagGroupFields = {
  ...describedFields,
  tags: childrenField({ kind: "global_tag", called: "GlobalTag", key: tagKey, fields: describedFields, text: "" }),
};

/** The blobs with the documents that were imported last, by the labels of their sources. */
const sourcesField: InternalField<Readonly<Record<string, string>>, false> = {
  is: "internal",
  required: false,
  text: "The documents that were imported last, by the labels of their sources.",
};

/** The fields of models, and all that a model holds, as a document has it. */
export const modelFields = {
  name: requiredField(singleLine, "", { searched: true }),
  description: optionalField(markdown, "Markdown.", { searched: true }),
  ...propertyFields,
  version: requiredField(modelVersion, "A semantic version.", { missing: FIRST_VERSION }),
  authority: requiredField(modelAuthority, "", { missing: "system" }),
  documentationHome: optionalField(link),
  origin: originField,
  sources: sourcesField,
  ...tagFields,
  types: childrenField({
    kind: "type",
    called: "Type",
    key: typeKey,
    fields: sourcedFields,
    text: "",
    compared: { objectType: "type", location: "typeKey" },
  }),
  entities: childrenField({
    kind: "entity",
    called: "Entity",
    key: entityKey,
    fields: entityFields,
    text: "",
    compared: { objectType: "entity", location: "entityKey" },
  }),
  relationships: childrenField({
    kind: "relationship",
    called: "Relationship",
    key: relationshipKey,
    fields: relationshipFields,
    text: "",
    compared: { objectType: "relationship", location: "relationshipKey" },
  }),
  businessKeys: childrenField({
    kind: "business_key",
    called: "BusinessKey",
    key: businessKeyKey,
    fields: businessKeyFields,
    text: "",
    compared: { objectType: "businessKey", location: "businessKeyKey" },
  }),
  localTags: childrenField({
    kind: "tag",
    called: "Tag",
    key: tagKey,
    fields: sourcedFields,
    text: "Every tag of the model, also those that mark nothing.",
    compared: { objectType: "tag", location: "tagKey" },
  }),
  tagGroups: childrenField({
    kind: "tag_group",
    called: "TagGroup",
    key: tagGroupKey,
    fields: tagGroupFields,
    text: "The tags of groups that mark something in the model.",
  }),
};

/** The fields of the kinds of objects in a model, by the name of the kind. */
const FIELDS: ReadonlyMap<string, Fields> = new Map<string, Fields>([
  ["model", modelFields],
  ["type", sourcedFields],
  ["entity", entityFields],
  ["relationship", relationshipFields],
  ["attribute", attributeFields],
  ["business_key", businessKeyFields],
  ["tag", sourcedFields],
]);

/** The fields of a kind of objects in a model; undefined for other kinds. */
export function getFieldsOfKind(kind: string): Fields | undefined {
  return FIELDS.get(kind);
}
