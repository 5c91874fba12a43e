import { escapePointerToken } from "../../domain/text/characters.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import type { JsonObject } from "../common/json-object.ts";
import type { KeptValue } from "../common/kept-properties.ts";
import { REFERRING_PROPERTY } from "../common/writing/model-tables.ts";

/** Mapping of a member of a descriptor to a model. */
export type Mapping =
  /** A fixed member of the object or its parts, in words. */
  | { readonly in: string }
  /** A keyword of the attribute's constraints. */
  | "constraint"
  /** The property of this name where the value fits the definition that comes with the service, else as `own`. */
  | "well-known"
  /** The property `frictionless:<member>`. */
  | "own"
  /** Nowhere: the data itself. */
  | "none";

/** Members of one part of a descriptor, in versions 1 and 2 of the standard. */
export type PartMembers = Readonly<Record<string, Mapping>>;

export const NAMESPACE = "frictionless:";

const TEXT_MAP = {
  name: { in: "the key; also the name if it is not a valid key" },
  title: { in: "the name" },
  description: { in: "the description" },
  homepage: { in: "`documentationHome`" },
  keywords: { in: "local tags of the model" },
} as const;

function mapAll<P extends Mapping, M extends string>(mapping: P, ...members: readonly M[]): Readonly<Record<M, P>> {
  return Object.fromEntries(members.map((member) => [member, mapping])) as Record<M, P>;
}

const PROVENANCE = mapAll("well-known", "licenses", "sources", "contributors");

const FIELD_MAP = {
  name: TEXT_MAP.name,
  title: TEXT_MAP.title,
  description: TEXT_MAP.description,
  type: { in: "the type" },
  format: "constraint",
  constraints: { in: "`constraints`, each as the keyword of the same name" },
  ...mapAll("own", "example", "examples", "rdfType", "missingValues", "categories", "categoriesOrdered"),
  ...mapAll("own", "bareNumber", "decimalChar", "groupChar", "trueValues", "falseValues", "delimiter", "itemType"),
} as const satisfies PartMembers;

const TABLE_MAP = {
  $schema: "own",
  fields: { in: "the attributes, in their order" },
  primaryKey: { in: "the primary key" },
  uniqueKeys: { in: "business keys" },
  foreignKeys: { in: "relationships with key pairs" },
  ...mapAll("own", "missingValues", "fieldsMatch"),
} as const satisfies PartMembers;

export const PROFILE_MEMBERS = {
  package: {
    ...TEXT_MAP,
    version: { in: "the version" },
    ...PROVENANCE,
    created: "well-known",
    ...mapAll("own", "$schema", "profile", "id", "image"),
    resources: { in: "entities; those without a schema in the property `frictionless:resources` of the model" },
  },
  resource: {
    ...TEXT_MAP,
    ...PROVENANCE,
    ...mapAll("own", "$schema", "profile", "type", "path"),
    data: "none",
    ...mapAll("own", "format", "mediatype", "encoding", "bytes", "hash", "compression", "dialect"),
    schema: { in: "the entity's parts; an address in the property `frictionless:schema`" },
  },
  schema: { ...TEXT_MAP, ...TABLE_MAP },
  field: FIELD_MAP,
  constraints: {
    required: { in: "`optional`, inverted" },
    ...mapAll("constraint", "unique", "enum", "pattern", "minimum", "maximum", "exclusiveMinimum"),
    ...mapAll("constraint", "exclusiveMaximum", "minLength", "maxLength"),
    jsonSchema: { in: "the property `frictionless:constraints`" },
  },
  foreignKey: {
    name: { in: "the key" },
    title: TEXT_MAP.title,
    description: TEXT_MAP.description,
    fields: { in: "the first of each key pair" },
    reference: { in: "the other role, and the second of each key pair" },
    predicate: "own",
  },
} as const satisfies Readonly<Record<string, PartMembers>>;

/** Name of a part of a descriptor. */
export type Part = keyof typeof PROFILE_MEMBERS;

export const STAND_ALONE_MEMBERS: PartMembers = {
  ...PROFILE_MEMBERS.package,
  ...PROFILE_MEMBERS.schema,
  ...mapAll("own", "path", "resources"),
};

/** Returns the mapping of a member that the standard defines. */
export function findMapping(members: PartMembers, member: string): Mapping | undefined {
  return Object.hasOwn(members, member) ? members[member] : undefined;
}

/** Types of Table Schema version 1. Every imported model gets them. */
export const TABLE_TYPES: readonly string[] = [
  ...["string", "number", "integer", "date", "datetime", "time", "year", "yearmonth", "boolean", "object", "geopoint"],
  ...["geojson", "array", "duration", "any"],
];

/** Types that version 2 added. A model gets them if a field uses them. */
export const LATER_TABLE_TYPES: readonly string[] = ["list"];

export function isTableType(name: string): boolean {
  return TABLE_TYPES.includes(name) || LATER_TABLE_TYPES.includes(name);
}

export const MEMBER_NAMES = `${NAMESPACE}memberNames`;

export const LAYOUT = {
  /** Of a model: kind of the descriptor, `data-package` or `table-schema`. */
  descriptor: `${NAMESPACE}descriptor`,
  /** Of an entity: names of properties and text members that belong into the schema instead of the resource. */
  inSchema: `${NAMESPACE}inSchema`,
  /** Of a relationship: key of the referring role, if nothing else identifies it. */
  referring: REFERRING_PROPERTY,
  /** Of an entity: members of the schema that are hidden by members of the resource. */
  schemaMembers: `${NAMESPACE}schemaMembers`,
  /** Of an entity: members of the resource that are hidden by members of the schema. */
  resourceMembers: `${NAMESPACE}resourceMembers`,
} as const;

/** Returns members as properties in the namespace of the format. */
export function toOwnProperties(members: JsonObject, diagnostics: Diagnostics): readonly KeptValue[] {
  return Object.entries(members).map(([member, value]) => ({
    name: NAMESPACE + member,
    value,
    diagnostics: diagnostics.at(`/${escapePointerToken(member)}`),
  }));
}

/** Returns a layout property, unless its value is empty. */
export function toLayoutProperty(
  name: string,
  value: string | readonly string[] | JsonObject,
  diagnostics: Diagnostics,
) {
  return Object.keys(value).length > 0 ? [{ name, value, diagnostics }] : [];
}
