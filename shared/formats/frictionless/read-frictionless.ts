import type { ImportNames } from "../../actions/contract/ports.ts";
import type { ModelDocument } from "../../domain/document/document.ts";
import { describeJsonType } from "../../domain/values/value-type.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { refuseTooMany } from "../common/document-size.ts";
import type { ReadFormat, SourceFiles } from "../common/format.ts";
import { addOmissions, readHeader, readLanguage } from "../common/header.ts";
import { isAbsent, isObject, type JsonObject, type Part } from "../common/json-object.ts";
import type { KeptValue } from "../common/kept-properties.ts";
import { readKeywords } from "../common/keywords.ts";
import { type SourcePath, toOrigin } from "../common/source-path.ts";
import { keepKeywords, keepMembers, readKeywordTexts } from "./kept-members.ts";
import { keepHeader, pickTexts } from "./lens.ts";
import { createModel } from "./model.ts";
import { LAYOUT, NAMESPACE, PROFILE_MEMBERS, STAND_ALONE_MEMBERS, toOwnProperties } from "./profile-members.ts";
import { readResourceEntities, type SchemaResource } from "./resource-entity.ts";
import { fetchSchemaFiles, type SchemaRequest } from "./schema-files.ts";
import { isLaterVersion, keepTableKeys, readTable, TABLE_PROPERTIES } from "./table.ts";

/** Reads a Table Schema, recognised by its fields, or a Data Package. */
export const readFrictionless: ReadFormat = async (source, { names, path, files, diagnostics }) => {
  const descriptor = source as JsonObject;
  const document =
    "fields" in descriptor
      ? readTableSchema(descriptor, names, path, diagnostics)
      : await readDataPackage(descriptor, names, path, files, diagnostics);
  return addOmissions(document, descriptor, names);
};

function readTableSchema(
  schema: JsonObject,
  names: ImportNames,
  path: SourcePath,
  diagnostics: Diagnostics,
): ModelDocument {
  const language = readLanguage(schema);
  const header = readHeader(schema, names, language, diagnostics);
  const table = readTable(schema, diagnostics, { laterVersion: isLaterVersion(schema), language, path });
  const [own, modelMembers] = splitMembers(schema);
  const entity = {
    key: header.ownKey,
    ...pickTexts(header.texts),
    ...toOrigin(path),
    attributes: table.attributes,
    primaryKey: table.primaryKey,
  };
  const tableEntity = {
    ...{ key: entity.key, entity, path, table, keywords: [] },
    names: typeof schema.name === "string" ? [schema.name] : [],
    schema: { source: schema, diagnostics },
    extras: [...keepMembers(own, PROFILE_MEMBERS.schema, diagnostics), ...keepTableKeys(schema, table, diagnostics)],
  };
  const keptValues = [
    { name: LAYOUT.descriptor, value: "table-schema", diagnostics },
    ...keepMembers(modelMembers, STAND_ALONE_MEMBERS, diagnostics),
    ...toOwnProperties(keepHeader(schema, header.ownKey, header.texts, language), diagnostics),
    ...toOwnProperties(keepKeywords(schema), diagnostics),
  ];
  return createModel(header, readKeywords(schema, diagnostics), [tableEntity], names, path, keptValues);
}

function splitMembers(schema: JsonObject): readonly [ofTable: JsonObject, ofModel: JsonObject] {
  const members = Object.entries(schema);
  const isOfTable = ([member]: readonly [string, unknown]) => TABLE_PROPERTIES.has(member);
  return [Object.fromEntries(members.filter(isOfTable)), Object.fromEntries(members.filter((one) => !isOfTable(one)))];
}

async function readDataPackage(
  source: JsonObject,
  names: ImportNames,
  path: SourcePath,
  files: SourceFiles,
  diagnostics: Diagnostics,
): Promise<ModelDocument> {
  const language = readLanguage(source);
  const header = readHeader(source, names, language, diagnostics);
  const keywords = readKeywords(source, diagnostics);
  const { tables, others } = await splitBySchema(listResources(source, diagnostics), files);
  const fields = tables.flatMap(({ schema }) => (Array.isArray(schema.source.fields) ? schema.source.fields : []));
  refuseTooMany(1 + tables.length + fields.length);
  const terms = { laterVersion: isLaterVersion(source), language, path, keywords: readKeywordTexts(source.keywords) };
  const keptValues = [
    { name: LAYOUT.descriptor, value: "data-package", diagnostics },
    ...keepMembers(source, PROFILE_MEMBERS.package, diagnostics),
    ...toOwnProperties(keepHeader(source, names.modelKey ?? header.ownKey, header.texts, language), diagnostics),
    ...toOwnProperties(keepKeywords(source), diagnostics),
    ...keepWithoutSchema(others, diagnostics),
  ];
  return createModel(header, keywords, readResourceEntities(tables, terms), names, path, keptValues);
}

function listResources(source: JsonObject, diagnostics: Diagnostics): readonly Part[] {
  const { resources } = source;
  if (!Array.isArray(resources)) {
    diagnostics.reject("/resources", `expected the list of resources, got ${describeJsonType(resources)}`);
    return [];
  }
  if (resources.length === 0) diagnostics.reject("/resources", "a Data Package needs at least one resource");
  return resources.flatMap((resource: unknown, i): readonly Part[] => {
    const resourceDiagnostics = diagnostics.at(`/resources/${i}`);
    if (isObject(resource)) return [{ source: resource, diagnostics: resourceDiagnostics }];
    resourceDiagnostics.reject("", `expected an object that describes a resource, got ${describeJsonType(resource)}`);
    return [];
  });
}

async function splitBySchema(resources: readonly Part[], files: SourceFiles) {
  const others: Part[] = [];
  const items = resources.map((resource): SchemaResource | SchemaRequest | undefined => {
    const { source, diagnostics } = resource;
    const { schema } = source;
    const at = diagnostics.at("/schema");
    if (isObject(schema)) return { resource, schema: { source: schema, diagnostics: at } };
    if (typeof schema === "string" && schema.trim() !== "") return { resource, ref: schema, diagnostics: at };
    if (isAbsent(schema) || schema === "") others.push(resource);
    else at.reject("", `expected a schema or the address of one, got ${describeJsonType(schema)}`);
    return undefined;
  });
  const schemas = await fetchSchemaFiles(
    items.filter((f) => f !== undefined && "ref" in f),
    files,
  );
  const tables = items.flatMap((f) => {
    const schema = f !== undefined && "ref" in f ? schemas.get(f) : f;
    return schema ? [schema] : [];
  });
  return { tables, others };
}

function keepWithoutSchema(others: readonly Part[], diagnostics: Diagnostics): readonly KeptValue[] {
  const value = others.map(({ source: { data, ...rest }, diagnostics: at }) => {
    at.warn("", "kept_as_property", "the resource has no schema, so it is kept as a property");
    if (!isAbsent(data)) at.warn("/data", "not_carried_over", "the data itself is not imported");
    return rest;
  });
  return value.length > 0 ? [{ name: `${NAMESPACE}resources`, value, diagnostics: diagnostics.at("/resources") }] : [];
}
