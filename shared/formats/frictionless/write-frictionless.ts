import type {
  AttributeDocument,
  BusinessKeyDocument,
  EntityDocument,
  ModelDocument,
} from "../../domain/document/document.ts";
import { includeMember } from "../../domain/model/content.ts";
import { findLogicalType } from "../../domain/types/find-logical-type.ts";
import type { LogicalType, LogicalTypeName } from "../../domain/types/logical/logical-type.ts";
import type { Properties } from "../../domain/values/properties.ts";
import { areSetsAmong } from "../common/column-sets.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { type Language, readLanguage, TEXT_MEMBERS } from "../common/header.ts";
import { isObject, type JsonObject, toList } from "../common/json-object.ts";
import { createFieldLens, flattenConstraints, nestConstraints } from "./field.ts";
import { readKeywordTexts } from "./kept-members.ts";
import { createHeaderLens, createTextLens, pickTexts, restoreMembers } from "./lens.ts";
import {
  findMapping,
  isTableType,
  LAYOUT,
  NAMESPACE,
  PROFILE_MEMBERS,
  STAND_ALONE_MEMBERS,
} from "./profile-members.ts";
import { TABLE_PROPERTIES, toKeyMember } from "./table.ts";
import { type TableNames, writeForeignKeys } from "./write-foreign-keys.ts";
import {
  areSameKeywords,
  listTagTexts,
  splitProperties,
  toKeywords,
  warnOtherTexts,
  warnUnwritten,
} from "./write-members.ts";

const PACKAGE_SCHEMA = "https://datapackage.org/profiles/2.0/datapackage.json";

/** Writes a model as a Data Package, or as a Table Schema if imported from one and still with one table. */
export function writeDescriptor(document: ModelDocument, diagnostics: Diagnostics): string {
  warnUnwritten(document, diagnostics);
  const language = readLanguage(document.properties ?? {});
  const tables = writeTables(document, language, diagnostics);
  const [table] = tables;
  const descriptor =
    table && isTableSchema(document)
      ? toTableSchema(document, table, language, diagnostics)
      : toPackage(document, tables, language, diagnostics);
  return `${JSON.stringify(descriptor, null, 2)}\n`;
}

/** Returns the file name of a descriptor. */
export function getDescriptorName(document: ModelDocument): string {
  return isTableSchema(document) ? "schema.json" : "datapackage.json";
}

function isTableSchema({ properties, entities }: ModelDocument) {
  return properties?.[LAYOUT.descriptor] === "table-schema" && entities.length === 1;
}

function toPackage(
  document: ModelDocument,
  tables: readonly WrittenTable[],
  language: Language,
  diagnostics: Diagnostics,
): JsonObject {
  const { members, extras } = splitProperties(document.properties, PROFILE_MEMBERS.package, diagnostics);
  const isOurs = document.properties?.[LAYOUT.descriptor] === undefined;
  const others: unknown = extras.resources;
  return {
    ...(isOurs && { $schema: PACKAGE_SCHEMA }),
    ...toHeader(document.key, document, document.version, extras, language),
    ...members,
    ...includeMember("keywords", toKeywords(document, document.tags, extras.keywords)),
    resources: [
      ...tables.map(({ resource, schema }) => ({ ...resource, schema })),
      ...(Array.isArray(others) ? others : []),
    ],
  };
}

function toTableSchema(
  document: ModelDocument,
  table: WrittenTable,
  language: Language,
  diagnostics: Diagnostics,
): JsonObject {
  const { members, extras } = splitProperties(document.properties, STAND_ALONE_MEMBERS, diagnostics);
  warnOtherTexts(document, table.entity, diagnostics);
  return {
    ...toHeader(table.entity.key, table.entity, document.version, extras, language),
    ...members,
    ...includeMember("keywords", toKeywords(document, document.tags, extras.keywords)),
    ...table.schema,
  };
}

function toHeader(
  key: string,
  texts: ModelDocument | EntityDocument,
  version: string,
  keptMembers: JsonObject,
  language: Language,
): JsonObject {
  return restoreMembers({ ...pickTexts(texts), version }, keptMembers, createHeaderLens(key, language));
}

/** An entity as a resource and a separate schema. */
export interface WrittenTable {
  readonly entity: EntityDocument;
  readonly resource: JsonObject;
  readonly schema: JsonObject;
}

/** Writes the entities of a model as tables with foreign keys. */
export function writeTables(
  document: ModelDocument,
  language: Language,
  diagnostics: Diagnostics,
): readonly WrittenTable[] {
  const levels = document.entities.map((entity, i) => {
    const at = diagnostics.at(`/entities/${i}`);
    const fields = entity.attributes.map((one, j) => writeField(one, document, language, at.at(`/attributes/${j}`)));
    return { entity, fields, diagnostics: at, ...splitLevels(document, entity, language, at) };
  });
  const names = new Map(
    levels.map(({ entity, resource, schema, fields }): [string, TableNames] => [
      `key:${entity.key}`,
      {
        names: [resource.name, schema.name].filter((name) => typeof name === "string"),
        fields: new Map(entity.attributes.map(({ key }, i) => [`key:${key}`, String(fields[i]?.name)])),
      },
    ]),
  );
  const foreignKeys = writeForeignKeys(document, names, diagnostics);
  return levels.map(({ entity, resource, schema, fields, extras }) => {
    const toFieldName = (ref: string) => names.get(`key:${entity.key}`)?.fields.get(ref) ?? ref;
    const keys = document.businessKeys.filter((one) => one.entity === `key:${entity.key}`);
    const others: readonly unknown[] = Array.isArray(extras.foreignKeys) ? extras.foreignKeys : [];
    const all = [...(foreignKeys.get(`key:${entity.key}`) ?? []), ...others];
    const primaryKey = entity.primaryKey.map(toFieldName);
    return {
      entity,
      resource,
      schema: {
        ...schema,
        fields,
        ...includeMember(
          "primaryKey",
          hasSameNames(extras.primaryKey, primaryKey) ? extras.primaryKey : toKeyMember(primaryKey),
        ),
        ...includeMember("uniqueKeys", toUniqueKeys(entity, keys, extras.uniqueKeys, toFieldName)),
        ...includeMember("foreignKeys", all.length > 0 ? all : undefined),
      },
    };
  });
}

function hasSameNames(sourceNames: unknown, names: readonly string[]) {
  return sourceNames !== undefined && String([...new Set(toList(sourceNames))]) === String(names);
}

function toUniqueKeys(
  { attributes }: EntityDocument,
  keys: readonly BusinessKeyDocument[],
  sourceKeys: unknown,
  toFieldName: (ref: string) => string,
): unknown {
  const uniqueRefs = new Set(attributes.filter((a) => a.constraints?.unique === true).map((a) => `key:${a.key}`));
  const isSaid = ([ref = "", ...rest]: readonly string[]) => rest.length === 0 && uniqueRefs.has(ref);
  const sets = keys.filter((one) => !isSaid(one.participants)).map((one) => one.participants.map(toFieldName));
  const sourceSets = toList(sourceKeys).map((names) => toList(names).map(String));
  const all = keys.map((one) => one.participants.map(toFieldName));
  const isKept = sourceSets.length > 0 && areSetsAmong(sets, sourceSets) && areSetsAmong(sourceSets, all);
  if (isKept) return sourceKeys;
  return sets.length > 0 ? sets : undefined;
}

const KEY_MEMBERS = ["foreignKeys", "primaryKey", "uniqueKeys"];

function splitLevels(document: ModelDocument, entity: EntityDocument, language: Language, diagnostics: Diagnostics) {
  const { properties = {} } = entity;
  const schemaSet = new Set(toList(properties[LAYOUT.inSchema]).map(String));
  const isInner = (name: string) => schemaSet.has(name) || TABLE_PROPERTIES.has(name.replace(NAMESPACE, ""));
  const sourceKeys = Object.fromEntries(KEY_MEMBERS.map((member) => [member, properties[NAMESPACE + member]]));
  const isOuter = (name: string) => !isInner(name) && !KEY_MEMBERS.some((one) => NAMESPACE + one === name);
  const resourcePart = splitProperties(filterMembers(properties, isOuter), PROFILE_MEMBERS.resource, diagnostics);
  const schemaPart = splitProperties(filterMembers(properties, isInner), PROFILE_MEMBERS.schema, diagnostics);
  const texts = restoreTexts(entity, resourcePart.extras, language);
  const resourceOnly = readObjectProperty(properties, LAYOUT.resourceMembers);
  const { keywords: schemaKeywords, ...schemaOnly } = splitProperties(
    readObjectProperty(properties, LAYOUT.schemaMembers),
    {},
    diagnostics,
  ).members;
  const tagTexts = listTagTexts(document, entity.tags);
  const keptTexts = [resourcePart.extras.keywords, schemaKeywords].flatMap(readKeywordTexts);
  // Tables without keywords inherit those of the package.
  const isKept = areSameKeywords(tagTexts, keptTexts.length > 0 ? keptTexts : listTagTexts(document, document.tags));
  const isModels = String(entity.tags ?? []) === String(document.tags ?? []);
  const keywords = isKept ? resourcePart.extras.keywords : isModels || tagTexts.length === 0 ? undefined : tagTexts;
  const isHere = (member: string) => !schemaSet.has(member);
  if (typeof resourcePart.extras.schema === "string") {
    diagnostics.warn("", "written_otherwise", "the schema of a separate file is written into the package");
  }
  return {
    resource: {
      name: entity.key,
      ...filterMembers(texts, isHere),
      ...resourceOnly,
      ...resourcePart.members,
      ...includeMember("keywords", keywords),
      ...(resourcePart.members.path === undefined && { data: [] }),
    } as JsonObject,
    schema: {
      ...filterMembers(texts, (member) => !isHere(member)),
      ...schemaOnly,
      ...schemaPart.members,
      ...includeMember("keywords", isKept ? schemaKeywords : undefined),
    } as JsonObject,
    extras: sourceKeys as JsonObject,
  };
}

function restoreTexts(entity: EntityDocument, keptMembers: JsonObject, language: Language): JsonObject {
  const keptTexts = Object.fromEntries(
    TEXT_MEMBERS.map((member) => [member, keptMembers[member]]).filter(([, v]) => v !== undefined),
  );
  return restoreMembers(pickTexts(entity), keptTexts, createTextLens(entity.key, language));
}

function filterMembers<V>(
  members: Readonly<Record<string, V>>,
  isKept: (name: string) => boolean,
): Readonly<Record<string, V>> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => isKept(name)));
}

function readObjectProperty(properties: Properties, name: string): JsonObject {
  const value = properties[name];
  return isObject(value) ? value : {};
}

function writeField(
  attribute: AttributeDocument,
  document: ModelDocument,
  language: Language,
  diagnostics: Diagnostics,
): JsonObject {
  const { key, tags = [], properties, ...fields } = attribute;
  const { members, extras } = splitProperties(properties, PROFILE_MEMBERS.field, diagnostics);
  if (tags.length > 0) diagnostics.warn("/tags", "not_written", "fields of a Table Schema have no keywords");
  for (const keyword of Object.keys(fields.constraints ?? {})) {
    if (keyword === "format" || findMapping(PROFILE_MEMBERS.constraints, keyword) !== undefined) continue;
    const detail = `Table Schema has no constraint ${keyword}, so it is written as a custom member`;
    diagnostics.warn(`/constraints/${keyword}`, "written_otherwise", detail);
  }
  const type = toFieldType(attribute, document, diagnostics);
  const lens = createFieldLens(key, language);
  return {
    ...nestConstraints(restoreMembers({ ...fields, type: `key:${type}` }, flattenConstraints(extras), lens)),
    ...members,
  };
}

function toFieldType(attribute: AttributeDocument, document: ModelDocument, diagnostics: Diagnostics): string {
  const name = attribute.type.replace(/^key:/, "");
  if (isTableType(name)) return name;
  const logicalType = findLogicalType(attribute, document);
  const type = logicalType ? toClosestType(logicalType) : "any";
  diagnostics.warn("/type", "written_otherwise", "Table Schema does not have the type, so the closest one is written");
  return type;
}

/** Types of Table Schema with the values of logical types that have no parameters that matter. */
const CLOSEST_TYPES: Readonly<Partial<Record<LogicalTypeName, string>>> = {
  ...{ string: "string", uuid: "string", binary: "string", bits: "string", xml: "string", enum: "string" },
  ...{ network: "string", interval: "string", integer: "integer", float: "number", boolean: "boolean" },
  ...{ date: "date", time: "time", timestamp: "datetime", array: "array", map: "object", record: "object" },
};

function toClosestType(type: LogicalType): string {
  if (type.type === "decimal") return type.scale !== undefined && type.scale <= 0 ? "integer" : "number";
  return CLOSEST_TYPES[type.type] ?? "any";
}
