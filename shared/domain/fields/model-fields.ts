import { constraints } from "../constraints/check.ts";
import { judgeConstraints } from "../constraints/judge.ts";
import { breaking, breakingUnless, type ChangeRule, type Impact, MOVED } from "../differences.ts";
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
  attributePairs,
  attributeRefs,
  children,
  type Fields,
  type InternalField,
  internal,
  json,
  nested,
  optional,
  propertyFields,
  refTo,
  required,
  tagFields,
} from "./field.ts";

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

const OPTIONAL: ChangeRule = (_, after) => [
  {
    impact: "breaking",
    reason: after === true ? "readers may meet records without it" : "writers that leave it out are refused",
  },
];

/** The fields of attributes, of entities and of relationships alike. */
export const attributeFields = {
  ...sourced,
  owner: internal<string>("Id of the entity or relationship it belongs to.", "entity", "relationship"),
  type: refTo("type", "Its type.", breaking("its values are of another type")),
  optional: required(flag, "", { missing: false, change: OPTIONAL }),
  constraints: json(constraints, "The values it may have.", { change: judgeConstraints }),
  ...tagFields,
  order: internal<number>(
    "Sorts the attributes of one owner: in the order in which they were made, unless they were moved.",
  ),
};

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** The fields of entities. */
export const entityFields = {
  ...described,
  documentationHome: optional(link),
  origin,
  ...tagFields,
  attributes: children({
    kind: "attribute",
    called: "Attribute",
    key: attributeKey,
    fields: attributeFields,
    text: "In declared order.",
    compared: { objectType: "entityAttribute", location: "attributeKey" },
    moved: MOVED,
  }),
  primaryKey: attributeRefs({
    of: "itself",
    text: "Refs `id:<uuid>` of its attributes, in order.",
    count: { least: 0, most: LIMITS.primaryKeyAttributes, noun: "a primary key", nouns: "attributes" },
    change: breakingUnless(isEmpty, "records can be identified now", "records are no longer identified as they were"),
  }),
};

/** The fields of roles, the sides of a relationship. */
export const roleFields = {
  name: optional(singleLine, "", { searched: true }),
  entity: refTo("entity", "Its entity.", breaking("it leads to another entity")),
  cardinality: required(cardinality, "", {
    change: breakingUnless(
      (before) => before === "unknown",
      "what was unknown is now known",
      "another number of instances is allowed on this side",
    ),
  }),
};

type Pairs = readonly unknown[] | undefined;

/** The effect of other pairs, whose order has no meaning: all of them hold in every join. */
const JOIN: ChangeRule = (before, after) => {
  const [impact, reason] = joinOf(before as Pairs, after as Pairs);
  return [{ impact, reason }];
};

function joinOf(before: Pairs = [], after: Pairs = []): readonly [Impact, string] {
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
  ...sourced,
  ...tagFields,
  roles: nested({
    called: "RelationshipRole",
    key: relationshipRoleKey,
    fields: roleFields,
    text: "Its roles, two or more, in the order in which they were made.",
    compared: { objectType: "relationshipRole", location: "roleKey" },
    count: { least: 2, most: LIMITS.relationshipRoles, noun: "a relationship", nouns: "roles" },
  }),
  keyPairs: attributePairs({
    of: "roles",
    text: "Of a relationship with two roles: the pairs of attributes that a join follows, each of one attribute of the entity in the first role and one of that in the second.",
    count: { least: 0, most: LIMITS.keyPairs, noun: "a relationship", nouns: "key pairs" },
    change: JOIN,
  }),
  attributes: children({
    kind: "attribute",
    called: "Attribute",
    key: attributeKey,
    fields: attributeFields,
    text: "In declared order.",
    compared: { objectType: "relationshipAttribute", location: "attributeKey" },
    moved: MOVED,
  }),
};

/** The fields of business keys. */
export const businessKeyFields = {
  ...sourced,
  entity: refTo("entity", "Its entity.", breaking("it identifies another entity")),
  participants: attributeRefs({
    of: "entity",
    text: "Refs `id:<uuid>` of the entity's attributes that form it, in order.",
    count: { least: 0, most: LIMITS.businessKeyParticipants, noun: "a business key", nouns: "participants" },
    change: breaking("records are no longer identified as they were"),
  }),
};

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

/** The fields of the kinds of objects in a model, by the name of the kind. */
const FIELDS: ReadonlyMap<string, Fields> = new Map<string, Fields>([
  ["model", modelFields],
  ["type", sourced],
  ["entity", entityFields],
  ["relationship", relationshipFields],
  ["attribute", attributeFields],
  ["business_key", businessKeyFields],
  ["tag", sourced],
]);

/** The fields of a kind of objects in a model; undefined for other kinds. */
export function fieldsOfKind(kind: string): Fields | undefined {
  return FIELDS.get(kind);
}
