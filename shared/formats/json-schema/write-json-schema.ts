import { KEYWORD_NAMES } from "../../domain/constraints/keywords.ts";
import type { AttributeDocument, EntityDocument, ModelDocument, TypeDocument } from "../../domain/document/document.ts";
import { includeMember } from "../../domain/model/content.ts";
import { escapePointerToken } from "../../domain/text/characters.ts";
import { findDialects, type ModelDialects } from "../../domain/types/dialects/dialects.ts";
import { findLogicalType, type NamedType, resolveAttributeType } from "../../domain/types/find-logical-type.ts";
import type { Properties } from "../../domain/values/properties.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { isObject, type JsonObject } from "../common/json-object.ts";
import { toLegalKey } from "../common/legal-key.ts";
import { warnUnusedTypes } from "../common/writing/column-types.ts";
import type { Coverage } from "../common/writing/coverage.ts";
import { toKey } from "../common/writing/model-tables.ts";
import { isText, readKeptValue, warnInvalidMember } from "../common/writing/own-members.ts";
import { groupByPath } from "../common/writing/written-names.ts";
import { findHoldings, type Holding } from "./holdings.ts";
import { toLogicalSchema } from "./type-schema.ts";

const NAMESPACE = "jsonschema:";

const isSchema = (value: unknown) => isObject(value) || typeof value === "boolean";

/** Members of JSON Schema with the test of their values. */
const MEMBER_TESTS: readonly (readonly [members: string, isValid: (value: unknown) => boolean])[] = [
  ["items additionalProperties additionalItems not if then else contains propertyNames contentSchema", isSchema],
  ["unevaluatedProperties unevaluatedItems", isSchema],
  ["anyOf oneOf allOf prefixItems", (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema)],
  ["patternProperties dependentSchemas", (value) => isObject(value) && Object.values(value).every(isSchema)],
  ["$comment $ref", (value) => typeof value === "string"],
  ["readOnly writeOnly deprecated", (value) => typeof value === "boolean"],
  ["minProperties maxProperties minContains maxContains", (value) => Number.isSafeInteger(value) && Number(value) >= 0],
];
const TESTS_BY_MEMBER = new Map(
  MEMBER_TESTS.flatMap(([members, isValid]) => members.split(" ").map((member) => [member, isValid] as const)),
);
/** Members that are written from other facts, or would change the meaning of others. */
const RESERVED_MEMBERS = new Set([
  ...KEYWORD_NAMES,
  ...["type", "title", "description", "properties", "required", "$schema", "$id", "$defs", "definitions", "$anchor"],
  ...["$dynamicRef", "$dynamicAnchor", "$vocabulary", "$recursiveRef", "$recursiveAnchor"],
  ...["dependentRequired", "dependencies"],
]);

function toSchemaMembers(properties: Properties = {}, at: Diagnostics, others: readonly string[] = []): JsonObject {
  const members = Object.entries(properties).flatMap(([name, value]): [string, unknown][] => {
    if (!name.startsWith(NAMESPACE) || others.includes(name)) return [];
    const member = name.slice(NAMESPACE.length);
    const isValid = TESTS_BY_MEMBER.get(member)?.(value) ?? !member.startsWith("$");
    if (isValid && !RESERVED_MEMBERS.has(member)) return [[member, value]];
    warnInvalidMember(name, at);
    return [];
  });
  return Object.fromEntries(members);
}

function isSchemaProperty(name: string) {
  return name.startsWith(NAMESPACE);
}

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const TEXT_MEMBERS = ["name", "description"];
/** All keywords but those that JSON Schema does not have. */
const WRITTEN_KEYWORDS = KEYWORD_NAMES.filter((keyword) => keyword !== "unique" && keyword !== "unit");

export const JSON_SCHEMA_COVERAGE: Coverage = {
  format: "JSON Schema",
  model: { members: [...TEXT_MEMBERS, "types", "entities", "relationships"], property: isSchemaProperty },
  types: { members: TEXT_MEMBERS, property: (name) => name === "jsonschema:schema" },
  entities: { members: [...TEXT_MEMBERS, "attributes"], property: isSchemaProperty },
  attributes: {
    members: [...TEXT_MEMBERS, "type", "optional"],
    constraints: WRITTEN_KEYWORDS,
    property: isSchemaProperty,
  },
  relationships: { members: [...TEXT_MEMBERS, "roles", "keyPairs"], property: isSchemaProperty },
  roles: { members: ["entity", "cardinality"] },
};

/** Writes a model as a JSON Schema with definitions of entities and types. */
export function writeJsonSchema(document: ModelDocument, diagnostics: Diagnostics): string {
  const holdings = findHoldings(document, diagnostics);
  const inline = new Set(holdings.filter(({ isInline }) => isInline).map(({ child }) => child));
  const entityKeys = new Set(document.entities.map(({ key }) => key));
  const types = new Map(
    document.types.filter(({ key }) => !isJsonType(key) && !entityKeys.has(key)).map((type) => [type.key, type]),
  );
  warnUnusedTypes(document, "JSON Schema", (key) => types.has(key), diagnostics);
  warnTypes(document, types, diagnostics);
  const { name, key, description, properties } = document;
  if (toLegalKey(name) !== key) diagnostics.warn("/key", "not_written", "the model key is derived from the title");
  const id = readKeptValue(properties, "jsonschema:$id", isText, diagnostics);
  const entities: Entities = {
    ...{ document, types, diagnostics },
    indexes: new Map(document.entities.map((one, i) => [one.key, i])),
    holdings: Map.groupBy(holdings, ({ holder }) => holder),
  };
  const toSchema = ({ key }: EntityDocument) => toEntitySchema(key, entities);
  const definitions = [
    ...document.entities.filter((entity) => !inline.has(entity.key)).map((one) => [one.key, toSchema(one)] as const),
    ...[...types.values()].map((type) => [type.key, toTypeSchema(type, findDialects(properties))] as const),
  ];
  const schema = {
    $schema: DIALECT,
    ...includeMember("$id", id),
    title: name,
    ...includeMember("description", description),
    ...toSchemaMembers(properties, diagnostics, ["jsonschema:$schema", "jsonschema:$id"]),
    $defs: Object.fromEntries(definitions),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function toSchemaRef(key: string): JsonObject {
  return { $ref: `#/$defs/${encodeURIComponent(escapePointerToken(key))}` };
}

function toTypeSchema(type: TypeDocument, dialects: ModelDialects): JsonObject {
  const { name, description, properties = {} } = type;
  const ownSchema = properties["jsonschema:schema"];
  return {
    ...includeMember("title", name),
    ...includeMember("description", description),
    ...(isObject(ownSchema) ? ownSchema : toBaseSchema(type, dialects)),
  };
}

function warnTypes({ types }: ModelDocument, typesByKey: ReadonlyMap<string, TypeDocument>, diagnostics: Diagnostics) {
  for (const [i, { key, name, description }] of types.entries()) {
    if (typesByKey.has(key)) continue;
    const hasTexts = (name !== undefined && name !== key) || description !== undefined;
    const isTaken = !isJsonType(key);
    if (isTaken) diagnostics.warn(`/types/${i}`, "not_written", "the name of the type is used by an entity");
    else if (hasTexts) diagnostics.warn(`/types/${i}`, "not_written", "JSON types have no name and description");
  }
}

interface Entities {
  readonly document: ModelDocument;
  readonly types: ReadonlyMap<string, TypeDocument>;
  readonly diagnostics: Diagnostics;
  /** Indexes of the entities in the document, by key. */
  readonly indexes: ReadonlyMap<string, number>;
  /** Holdings by the key of the holder. */
  readonly holdings: ReadonlyMap<string, readonly Holding[]>;
}

function toEntitySchema(key: string, all: Entities): JsonObject {
  const { document, types } = all;
  const i = all.indexes.get(key) ?? -1;
  const entity = document.entities[i];
  if (!entity) return {};
  const at = all.diagnostics.at(`/entities/${i}`);
  const properties: readonly PathProperty[] = [
    ...entity.attributes.map((attribute, j) => ({
      path: attribute.key,
      schema: toAttributeSchema(attribute, document, types, at.at(`/attributes/${j}`)),
      isRequired: !attribute.optional,
    })),
    ...toHoldingProperties(all.holdings.get(key) ?? [], (child) => toEntitySchema(child, all)),
  ];
  if (properties.length === 0)
    at.warn("/attributes", "written_otherwise", "objects without properties are read as types");
  warnNumbers(entity, at);
  const { name, description } = entity;
  const parts = entity.properties?.["jsonschema:parts"];
  return {
    ...includeMember("title", name),
    ...includeMember("description", description),
    ...toObjectSchema(properties, parts),
    ...toSchemaMembers(entity.properties, at, ["jsonschema:parts"]),
  };
}

/** Warns about keys that are integers, which JSON objects list first. */
function warnNumbers({ attributes }: EntityDocument, at: Diagnostics) {
  const keys = attributes.map(({ key }) => key);
  const readKeys = Object.keys(Object.fromEntries(keys.map((key) => [key, true])));
  if (readKeys.join("\n") === keys.join("\n")) return;
  at.warn("/attributes", "written_otherwise", "JSON objects list numeric keys first");
}

function toAttributeSchema(
  attribute: AttributeDocument,
  document: ModelDocument,
  types: ReadonlyMap<string, TypeDocument>,
  at: Diagnostics,
): JsonObject {
  const { name, description, constraints = {}, properties } = attribute;
  const { unique: _, unit: __, pattern, ...keywords } = constraints;
  const isPattern = pattern !== undefined && isValidPattern(pattern);
  if (pattern !== undefined && !isPattern) {
    at.warn("/constraints/pattern", "not_written", "the pattern is not valid in JSON Schema");
  }
  return {
    ...includeMember("title", name),
    ...includeMember("description", description),
    ...toValueSchema(attribute, document, types, at),
    ...(isPattern && { pattern }),
    ...keywords,
    ...toSchemaMembers(properties, at),
  };
}

/** Returns the schema of the type of an attribute: a ref, unless its arguments make it another JSON type. */
function toValueSchema(
  attribute: AttributeDocument,
  document: ModelDocument,
  types: ReadonlyMap<string, TypeDocument>,
  at: Diagnostics,
): JsonObject {
  const key = toKey(attribute.type);
  const dialects = findDialects(document.properties);
  const type = types.get(key);
  if (!type) return toBaseSchema({ key }, dialects);
  const logicalType = findLogicalType(attribute, document);
  const own = logicalType ? toLogicalSchema(logicalType) : {};
  const base = toTypeSchema(type, dialects);
  if (own.type !== undefined && base.type !== undefined && own.type !== base.type) {
    at.warn("/type", "written_otherwise", "the arguments of the type make it another JSON type, which is written");
    return own;
  }
  return { ...toSchemaRef(key), ...includeMember("items", own.items) };
}

function isValidPattern(pattern: string) {
  try {
    return new RegExp(pattern, "u").source !== "";
  } catch {
    return false;
  }
}

function toHoldingProperties(
  holdings: readonly Holding[],
  inline: (key: string) => JsonObject,
): readonly PathProperty[] {
  const byProperty = Map.groupBy(holdings, ({ property }) => property);
  return [...byProperty].flatMap(([property, list]): readonly PathProperty[] => {
    const [first] = list;
    if (!first) return [];
    const { relationship, at, isRequired, isMany, isMap, isInline } = first;
    const { name, description, properties } = relationship;
    const one = isInline ? inline(first.child) : toSchemaRef(first.child);
    const target = first.isAlternative ? { anyOf: list.map(({ child }) => toSchemaRef(child)) } : one;
    const container = isMap ? { type: "object", additionalProperties: target } : { type: "array", items: target };
    const schema = {
      ...includeMember("title", name),
      ...includeMember("description", description),
      ...toSchemaMembers(properties, at, HOLDING_PROPERTIES),
      ...(isMany ? container : target),
    };
    return [{ path: property, schema, isRequired }];
  });
}

const HOLDING_PROPERTIES = ["jsonschema:property", "jsonschema:holds", "jsonschema:alternative"];

interface PathProperty {
  readonly path: string;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
}

function toObjectSchema(properties: readonly PathProperty[], parts: unknown, prefix = ""): JsonObject {
  const groups = groupByPath(properties);
  const members = groups.map((group): [string, JsonObject] => {
    const { name, own } = group;
    if (own) return [name, own.schema];
    const path = prefix + name;
    const rest = isObject(parts) && Object.hasOwn(parts, path) ? parts[path] : undefined;
    return [name, { ...(isObject(rest) && rest), ...toObjectSchema(group.inner, parts, `${path}.`) }];
  });
  const required = groups
    .filter((group) => (group.own ? group.own.isRequired : group.inner.some(({ isRequired }) => isRequired)))
    .map(({ name }) => name);
  return { type: "object", properties: Object.fromEntries(members), ...(required.length > 0 && { required }) };
}

const JSON_TYPES = new Set(["string", "number", "integer", "boolean", "array", "object", "null"]);

function isJsonType(name: string) {
  return name === "any" || name.split("|").every((one) => JSON_TYPES.has(one));
}

/** Returns the schema of a type without arguments and constraints. */
function toBaseSchema(type: NamedType, dialects: ModelDialects): JsonObject {
  const { key } = type;
  if (key === "any") return {};
  if (isJsonType(key)) return { type: key.includes("|") ? key.split("|") : key };
  const { logicalType } = resolveAttributeType({}, type, dialects);
  return logicalType ? toLogicalSchema(logicalType, key.toLowerCase()) : {};
}
