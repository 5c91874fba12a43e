import { ifDefined } from "../../domain/content.ts";
import type { AttributeDocument, EntityDocument, ModelDocument, TypeDocument } from "../../domain/document.ts";
import { pointerToken } from "../../domain/well-formed.ts";
import type { Findings } from "../findings.ts";
import { isObject, type JsonObject } from "../json-object.ts";
import { legalKey } from "../legal-key.ts";
import type { WrittenFile } from "../writer.ts";
import { type Coverage, warnUncovered } from "../writing/coverage.ts";
import { warnUnusedTypes } from "../writing/enum-types.ts";
import { isText, keptValue } from "../writing/kept-value.ts";
import { keyIn } from "../writing/model-tables.ts";
import { fileName } from "../writing/written-name.ts";
import { baseSchema, isJsonType } from "./base-schema.ts";
import { type Holding, holdingsOf } from "./holdings.ts";
import { objectSchema, type PathProperty } from "./object-schema.ts";
import { isOfSchema, writtenMembers } from "./written-members.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const TEXTS = ["name", "description"];
const KEYWORDS = [
  ...["enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength"],
  ...["maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems", "default", "examples"],
  ...["contentEncoding", "contentMediaType"],
];

const COVERAGE: Coverage = {
  format: "JSON Schema",
  model: { members: [...TEXTS, "types", "entities", "relationships"], property: isOfSchema },
  types: { members: TEXTS, property: (name) => name === "jsonschema:schema" },
  entities: { members: [...TEXTS, "attributes"], property: isOfSchema },
  attributes: { members: [...TEXTS, "type", "optional"], constraints: KEYWORDS, property: isOfSchema },
  relationships: { members: [...TEXTS, "roles", "keyPairs"], property: isOfSchema },
  roles: { members: ["entity", "cardinality"] },
};

/** Writes a model as a JSON Schema: each entity and each type that JSON does not have is a definition. */
export function writeJsonSchema(document: ModelDocument, findings: Findings): WrittenFile {
  warnUncovered(document, COVERAGE, findings);
  const holdings = holdingsOf(document, findings);
  const inline = new Set(holdings.filter(({ isInline }) => isInline).map(({ held }) => held));
  const entityKeys = new Set(document.entities.map(({ key }) => key));
  const types = new Map(
    document.types.filter(({ key }) => !isJsonType(key) && !entityKeys.has(key)).map((type) => [type.key, type]),
  );
  warnUnusedTypes(document, "JSON Schema", (key) => types.has(key), findings);
  warnTypes(document, types, findings);
  const { name, key, description, properties } = document;
  if (legalKey(name) !== key) findings.warn("/key", "not_written", "the key of a model is made of the title");
  const id = keptValue(properties, "jsonschema:$id", isText, findings);
  const schemaOf = (entity: EntityDocument): JsonObject => entitySchema(entity, document, holdings, types, findings);
  const definitions = [
    ...document.entities.filter((entity) => !inline.has(entity.key)).map((one) => [one.key, schemaOf(one)] as const),
    ...[...types.values()].map((type) => [type.key, typeSchema(type)] as const),
  ];
  const schema = {
    $schema: DIALECT,
    ...ifDefined("$id", id),
    title: name,
    ...ifDefined("description", description),
    ...writtenMembers(properties, findings, ["jsonschema:$schema", "jsonschema:$id"]),
    $defs: Object.fromEntries(definitions),
  };
  return { fileName: fileName(key, ".schema.json"), content: `${JSON.stringify(schema, null, 2)}\n` };
}

function refTo(key: string): JsonObject {
  return { $ref: `#/$defs/${encodeURIComponent(pointerToken(key))}` };
}

function typeSchema({ key, name, description, properties = {} }: TypeDocument): JsonObject {
  const kept = properties["jsonschema:schema"];
  return {
    ...ifDefined("title", name),
    ...ifDefined("description", description),
    ...(isObject(kept) ? kept : baseSchema(key)),
  };
}

function warnTypes({ types }: ModelDocument, defined: ReadonlyMap<string, TypeDocument>, findings: Findings): void {
  for (const [i, { key, name, description }] of types.entries()) {
    if (defined.has(key)) continue;
    const says = (name !== undefined && name !== key) || description !== undefined;
    const isTaken = !isJsonType(key);
    if (isTaken) findings.warn(`/types/${i}`, "not_written", "an entity has the name of the type");
    else if (says) findings.warn(`/types/${i}`, "not_written", "the types of JSON have no texts of their own");
  }
}

function entitySchema(
  entity: EntityDocument,
  document: ModelDocument,
  holdings: readonly Holding[],
  types: ReadonlyMap<string, TypeDocument>,
  findings: Findings,
): JsonObject {
  const i = document.entities.indexOf(entity);
  const at = findings.at(`/entities/${i}`);
  const own = holdings.filter(({ holder }) => holder === entity.key);
  const properties: readonly PathProperty[] = [
    ...entity.attributes.map((attribute, j) => ({
      path: attribute.key,
      schema: attributeSchema(attribute, types, at.at(`/attributes/${j}`)),
      isRequired: !attribute.optional,
    })),
    ...holdingProperties(own, (key) => {
      const inner = document.entities.find((one) => one.key === key);
      return inner ? entitySchema(inner, document, holdings, types, findings) : {};
    }),
  ];
  if (properties.length === 0)
    at.warn("/attributes", "written_otherwise", "an object without properties is read as a type");
  warnNumbers(entity, at);
  const { name, description } = entity;
  const kept = entity.properties?.["jsonschema:parts"];
  return {
    ...ifDefined("title", name),
    ...ifDefined("description", description),
    ...objectSchema(properties, kept),
    ...writtenMembers(entity.properties, at, ["jsonschema:parts"]),
  };
}

/** Warns of keys that are whole numbers, which stand before all others in an object of JSON. */
function warnNumbers({ attributes }: EntityDocument, at: Findings): void {
  const keys = attributes.map(({ key }) => key);
  const read = Object.keys(Object.fromEntries(keys.map((key) => [key, true])));
  if (read.join("\n") === keys.join("\n")) return;
  at.warn("/attributes", "written_otherwise", "members of JSON that are numbers stand before the others");
}

function attributeSchema(
  { name, description, type, constraints = {}, properties }: AttributeDocument,
  types: ReadonlyMap<string, TypeDocument>,
  at: Findings,
): JsonObject {
  const typeKey = keyIn(type);
  const { unique: _, unit: __, pattern, ...keywords } = constraints;
  const isPattern = pattern !== undefined && isRegExp(pattern);
  if (pattern !== undefined && !isPattern) {
    at.warn("/constraints/pattern", "not_written", "the pattern is no regular expression of JSON Schema");
  }
  return {
    ...ifDefined("title", name),
    ...ifDefined("description", description),
    ...(types.has(typeKey) ? refTo(typeKey) : baseSchema(typeKey)),
    ...(isPattern && { pattern }),
    ...keywords,
    ...writtenMembers(properties, at),
  };
}

function isRegExp(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").source !== "";
  } catch {
    return false;
  }
}

function holdingProperties(holdings: readonly Holding[], inline: (key: string) => JsonObject): readonly PathProperty[] {
  const byProperty = Map.groupBy(holdings, ({ property }) => property);
  return [...byProperty].flatMap(([property, list]): readonly PathProperty[] => {
    const [first] = list;
    if (!first) return [];
    const { relationship, at, isRequired, isMany, isMap, isInline } = first;
    const { name, description, properties } = relationship;
    const one = isInline ? inline(first.held) : refTo(first.held);
    const held = first.isAlternative ? { anyOf: list.map(({ held }) => refTo(held)) } : one;
    const many = isMap ? { type: "object", additionalProperties: held } : { type: "array", items: held };
    const schema = {
      ...ifDefined("title", name),
      ...ifDefined("description", description),
      ...writtenMembers(properties, at, OF_HOLDINGS),
      ...(isMany ? many : held),
    };
    return [{ path: property, schema, isRequired }];
  });
}

/** Properties of relationships that tell how they are held. */
const OF_HOLDINGS = ["jsonschema:property", "jsonschema:holds", "jsonschema:alternative"];
