import { escapePointerToken } from "../../domain/text/characters.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import type { JsonObject } from "../common/json-object.ts";
import type { KeptValue } from "../common/kept-properties.ts";
import { REFERRING_PROPERTY } from "../common/writing/model-tables.ts";

/** The place of a member of a descriptor in a model. */
export type MemberPlace =
  /** A fixed field of the object or one of its parts, in words. */
  | { readonly in: string }
  /** A keyword of the attribute's constraints. */
  | "constraint"
  /** The property of this name where the value fits the definition that comes with the service, else as `own`. */
  | "well-known"
  /** The property `frictionless:<member>`. */
  | "own"
  /** Nowhere: the data itself. */
  | "none";

/** The members of one part of a descriptor, as versions 1 and 2 of the standard know them. */
export type PartMembers = Readonly<Record<string, MemberPlace>>;

/** The namespace of properties that belong to the format. */
export const NAMESPACE = "frictionless:";

const TEXT_PLACES = {
  name: { in: "the key; the name as well where it is no legal key" },
  title: { in: "the name" },
  description: { in: "the description" },
  homepage: { in: "`documentationHome`" },
  keywords: { in: "local tags of the model" },
} as const;

const PROVENANCE = { licenses: "well-known", sources: "well-known", contributors: "well-known" } as const;

/** The members of a field. */
const FIELD_PLACES = {
  name: TEXT_PLACES.name,
  title: TEXT_PLACES.title,
  description: TEXT_PLACES.description,
  type: { in: "the type" },
  format: "constraint",
  constraints: { in: "`constraints`, each as the keyword of the same name" },
  example: "own",
  examples: "own",
  rdfType: "own",
  missingValues: "own",
  categories: "own",
  categoriesOrdered: "own",
  bareNumber: "own",
  decimalChar: "own",
  groupChar: "own",
  trueValues: "own",
  falseValues: "own",
  delimiter: "own",
  itemType: "own",
} as const satisfies PartMembers;

/** The members of a Table Schema that say something about its table. */
const TABLE_PLACES = {
  $schema: "own",
  fields: { in: "the attributes, in their order" },
  primaryKey: { in: "the primary key" },
  uniqueKeys: { in: "business keys" },
  foreignKeys: { in: "relationships with key pairs" },
  missingValues: "own",
  fieldsMatch: "own",
} as const satisfies PartMembers;

/** The parts of descriptors with the place of each of their members in a model. */
export const PROFILE_MEMBERS = {
  package: {
    ...TEXT_PLACES,
    version: { in: "the version" },
    ...PROVENANCE,
    created: "well-known",
    $schema: "own",
    profile: "own",
    id: "own",
    image: "own",
    resources: { in: "entities; those without a schema in the property `frictionless:resources` of the model" },
  },
  resource: {
    ...TEXT_PLACES,
    ...PROVENANCE,
    $schema: "own",
    profile: "own",
    type: "own",
    path: "own",
    data: "none",
    format: "own",
    mediatype: "own",
    encoding: "own",
    bytes: "own",
    hash: "own",
    compression: "own",
    dialect: "own",
    schema: { in: "the entity's parts; an address in the property `frictionless:schema`" },
  },
  schema: { ...TEXT_PLACES, ...TABLE_PLACES },
  field: FIELD_PLACES,
  constraints: {
    required: { in: "`optional`, the other way round" },
    unique: "constraint",
    enum: "constraint",
    pattern: "constraint",
    minimum: "constraint",
    maximum: "constraint",
    exclusiveMinimum: "constraint",
    exclusiveMaximum: "constraint",
    minLength: "constraint",
    maxLength: "constraint",
    jsonSchema: { in: "the property `frictionless:constraints`" },
  },
  foreignKey: {
    name: { in: "the key" },
    title: TEXT_PLACES.title,
    description: TEXT_PLACES.description,
    fields: { in: "the first of each key pair" },
    reference: { in: "the other role, and the second of each key pair" },
    predicate: "own",
  },
} as const satisfies Readonly<Record<string, PartMembers>>;

/** The name of a part of a descriptor. */
export type Part = keyof typeof PROFILE_MEMBERS;

/** The members of a Table Schema on its own: those of a schema, and of a package what is told of the whole. */
export const STAND_ALONE_MEMBERS: PartMembers = {
  ...PROFILE_MEMBERS.package,
  ...PROFILE_MEMBERS.schema,
  path: "own",
  resources: "own",
};

/** The place of a member of a part; undefined for a member that the standard does not know. */
export function findMemberPlace(members: PartMembers, member: string): MemberPlace | undefined {
  return Object.hasOwn(members, member) ? members[member] : undefined;
}

/** The types of Table Schema version 1: every imported model gets them, used or not. */
export const TABLE_TYPES: readonly string[] = [
  "string",
  "number",
  "integer",
  "date",
  "datetime",
  "time",
  "year",
  "yearmonth",
  "boolean",
  "object",
  "geopoint",
  "geojson",
  "array",
  "duration",
  "any",
];

/** The types that version 2 added: a model gets one when a field uses it. */
export const LATER_TABLE_TYPES: readonly string[] = ["list"];

/** True for the name of a type that fields may have. */
export function isTableType(name: string): boolean {
  return TABLE_TYPES.includes(name) || LATER_TABLE_TYPES.includes(name);
}

/** Property that maps each legal property name to the member name it was made of. */
export const MEMBER_NAMES = `${NAMESPACE}memberNames`;

/** The properties of an entity and of a model that tell how their descriptor was written. */
export const LAYOUT = {
  /** Of a model: the sort of descriptor it came from, `data-package` or `table-schema`. */
  descriptor: `${NAMESPACE}descriptor`,
  /** Of an entity: the names of its properties, and of members of its texts, that stand in the schema and not beside it. */
  inSchema: `${NAMESPACE}inSchema`,
  /** Of a relationship: the key of the role that refers to the other, where nothing else tells it. */
  referring: REFERRING_PROPERTY,
  /** Of an entity: members of the schema whose place those of the resource take. */
  schemaMembers: `${NAMESPACE}schemaMembers`,
  /** Of an entity: members of the resource whose place those of the schema take. */
  resourceMembers: `${NAMESPACE}resourceMembers`,
} as const;

/** Members as properties in the namespace of the format. */
export function toOwnProperties(members: JsonObject, diagnostics: Diagnostics): readonly KeptValue[] {
  return Object.entries(members).map(([member, value]) => ({
    name: NAMESPACE + member,
    value,
    diagnostics: diagnostics.at(`/${escapePointerToken(member)}`),
  }));
}

/** A property about the layout of a descriptor, none where there is nothing to tell. */
export function toLayoutProperty(
  name: string,
  value: string | readonly string[] | JsonObject,
  diagnostics: Diagnostics,
) {
  return Object.keys(value).length > 0 ? [{ name, value, diagnostics }] : [];
}
