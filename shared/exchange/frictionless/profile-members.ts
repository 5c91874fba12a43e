/** The place of a member of a descriptor in a model. */
export type Place =
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
export type PartMembers = Readonly<Record<string, Place>>;

/** The namespace of properties that belong to the format. */
export const NAMESPACE = "frictionless:";

const TEXTS = {
  name: { in: "the key; the name as well where it is no legal key" },
  title: { in: "the name" },
  description: { in: "the description" },
  homepage: { in: "`documentationHome`" },
  keywords: { in: "local tags of the model" },
} as const;

const PROVENANCE = { licenses: "well-known", sources: "well-known", contributors: "well-known" } as const;

/** The members of a field. */
const FIELD = {
  name: TEXTS.name,
  title: TEXTS.title,
  description: TEXTS.description,
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
const TABLE = {
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
    ...TEXTS,
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
    ...TEXTS,
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
  schema: { ...TEXTS, ...TABLE },
  field: FIELD,
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
    title: TEXTS.title,
    description: TEXTS.description,
    fields: { in: "the first of each key pair" },
    reference: { in: "the other role, and the second of each key pair" },
    predicate: "own",
  },
} as const satisfies Readonly<Record<string, PartMembers>>;

/** The name of a part of a descriptor. */
export type Part = keyof typeof PROFILE_MEMBERS;

/** The members of a Table Schema on its own: those of a schema, and of a package what is told of the whole. */
export const STAND_ALONE: PartMembers = {
  ...PROFILE_MEMBERS.package,
  ...PROFILE_MEMBERS.schema,
  path: "own",
  resources: "own",
};

/** The place of a member of a part; undefined for a member that the standard does not know. */
export function placeOf(members: PartMembers, member: string): Place | undefined {
  return Object.hasOwn(members, member) ? members[member] : undefined;
}
