import type { ImportNames } from "../../actions/contract/ports.ts";
import type { ModelDocument } from "../../domain/document.ts";
import { jsonTypeOf } from "../../domain/value-type.ts";
import { refuseTooMany } from "../document-size.ts";
import type { Findings } from "../findings.ts";
import { isAbsent, isObject, type JsonObject } from "../json-object.ts";
import type { SourcePlace } from "../source-place.ts";
import { LAYOUT, ownProperties } from "./entity-properties.ts";
import { keptHeader, readHeader } from "./header.ts";
import { keptMembers } from "./kept-members.ts";
import type { KeptValue } from "./kept-properties.ts";
import { keptKeywords, keywordTexts } from "./keyword-members.ts";
import { readKeywords } from "./keywords.ts";
import { languageOf } from "./language.ts";
import { modelOf } from "./model.ts";
import { NAMESPACE, PROFILE_MEMBERS } from "./profile-members.ts";
import { resourceEntities, type SchemaResource } from "./resource-entity.ts";
import type { SchemaFiles, SchemaRequest } from "./schema-files.ts";
import { isLaterVersion } from "./table.ts";

/**
 * A Data Package as a model with one entity for each resource that has a schema; the others are kept whole as a property of the
 * model.
 */
export async function readDataPackage(
  source: JsonObject,
  names: ImportNames,
  place: SourcePlace,
  files: SchemaFiles,
  findings: Findings,
): Promise<ModelDocument> {
  const language = languageOf(source);
  const header = readHeader(source, names, language, findings);
  const keywords = readKeywords(source, findings);
  const { tables, others } = await partedBySchema(listed(source, findings), files);
  refuseTooMany(tables.reduce((sum, r) => sum + 1 + fieldCount(r.schema.source), 1));
  const terms = { laterVersion: isLaterVersion(source), language, place, keywords: keywordTexts(source.keywords) };
  const kept = [
    { name: LAYOUT.descriptor, value: "data-package", findings },
    ...keptMembers(source, PROFILE_MEMBERS.package, findings),
    ...ownProperties(keptHeader(source, names.modelKey ?? header.ownKey, header.texts, language), findings),
    ...ownProperties(keptKeywords(source), findings),
    ...withoutSchema(others, findings),
  ];
  return modelOf(header, keywords, resourceEntities(tables, terms), names, place, kept);
}

function fieldCount(schema: JsonObject): number {
  return Array.isArray(schema.fields) ? schema.fields.length : 0;
}

interface Listed {
  readonly source: JsonObject;
  readonly findings: Findings;
}

function listed(source: JsonObject, findings: Findings): readonly Listed[] {
  const { resources } = source;
  if (!Array.isArray(resources)) {
    findings.fault("/resources", `expected the list of resources, got ${jsonTypeOf(resources)}`);
    return [];
  }
  if (resources.length === 0) findings.fault("/resources", "there is no resource; a Data Package has at least one");
  return resources.flatMap((resource: unknown, i): readonly Listed[] => {
    const here = findings.at(`/resources/${i}`);
    if (isObject(resource)) return [{ source: resource, findings: here }];
    here.fault("", `expected an object that describes a resource, got ${jsonTypeOf(resource)}`);
    return [];
  });
}

/** The resources that have a schema, those in files of their own fetched, and those that have none. */
async function partedBySchema(resources: readonly Listed[], files: SchemaFiles) {
  const others: Listed[] = [];
  const found = resources.map((resource): SchemaResource | SchemaRequest | undefined => {
    const { source, findings } = resource;
    const { schema } = source;
    const here = findings.at("/schema");
    if (isObject(schema)) return { resource, schema: { source: schema, findings: here } };
    if (typeof schema === "string" && schema.trim() !== "") return { resource, ref: schema, findings: here };
    if (isAbsent(schema) || schema === "") others.push(resource);
    else here.fault("", `expected a schema or the address of one, got ${jsonTypeOf(schema)}`);
    return undefined;
  });
  const fetched = await files.fetchAll(found.filter((f) => f !== undefined && "ref" in f));
  const tables = found.flatMap((f) => {
    const whole = f !== undefined && "ref" in f ? fetched.get(f) : f;
    return whole ? [whole] : [];
  });
  return { tables, others };
}

/** Resources without a schema as one property of the model, their inline data left out. */
function withoutSchema(others: readonly Listed[], findings: Findings): readonly KeptValue[] {
  const value = others.map(({ source: { data, ...rest }, findings: here }) => {
    here.warn("", "kept_as_property", "the resource has no schema, so it is no entity but kept as a property");
    if (!isAbsent(data)) here.warn("/data", "not_carried_over", "the data itself is not carried over");
    return rest;
  });
  return value.length > 0 ? [{ name: `${NAMESPACE}resources`, value, findings: findings.at("/resources") }] : [];
}
