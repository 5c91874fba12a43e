import type { ImportNames } from "../actions/contract/ports.ts";
import type { ModelDocument } from "../domain/document.ts";
import { jsonTypeOf } from "../domain/value-type.ts";
import { refuseTooMany } from "./document-size.ts";
import type { Findings } from "./findings.ts";
import { isAbsent, isObject, type JsonObject } from "./json-object.ts";
import { readKeywords } from "./keywords.ts";
import { type KnownMembers, warnEntries, warnUnread } from "./members.ts";
import { modelOf, readHeader } from "./model-header.ts";
import { resourceEntities, type SchemaResource } from "./resource-entity.ts";
import type { SchemaFiles, SchemaRequest } from "./schema-files.ts";
import { isLaterVersion } from "./table.ts";

const PACKAGE: KnownMembers = {
  read: new Set(["$schema", "profile", "name", "title", "description", "homepage", "version", "resources", "keywords"]),
};

/** Members that say where a resource's data lies and how it is written; one warning names all of them. */
const DATA_FILE = ["path", "url", "data", "format", "mediatype", "encoding", "bytes", "hash", "dialect", "compression"];

const RESOURCE: KnownMembers = {
  read: new Set([
    "$schema",
    "profile",
    "name",
    "title",
    "description",
    "homepage",
    "schema",
    "keywords",
    "foreignKeys",
    ...DATA_FILE,
  ]),
  sentences: {
    primaryKey: "the primary key belongs into the schema and not beside it, so it is not carried over",
    primaryKeys: "is no member of a resource (primaryKey in the schema is), so it is not carried over",
  },
  defaults: { type: "table" },
};

/** A Data Package as a model with one entity for each resource that has a schema. */
export async function readDataPackage(
  source: JsonObject,
  names: ImportNames,
  origin: string | undefined,
  files: SchemaFiles,
  findings: Findings,
): Promise<ModelDocument> {
  const header = readHeader(source, names, findings);
  warnUnread(source, PACKAGE, findings);
  const keywords = readKeywords(source, findings);
  const resources = await withSchemas(listed(source, findings), files);
  refuseTooMany(resources.reduce((sum, r) => sum + 1 + fieldCount(r.schema.source), 1));
  const tables = resourceEntities(resources, isLaterVersion(source), origin);
  return modelOf(header, keywords, tables, names, origin);
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

/** The resources that have a schema, those in files of their own fetched. */
async function withSchemas(resources: readonly Listed[], files: SchemaFiles): Promise<readonly SchemaResource[]> {
  const found = resources.map((resource): SchemaResource | SchemaRequest | undefined => {
    const { source, findings } = resource;
    warnResource(source, findings);
    const { schema } = source;
    const here = findings.at("/schema");
    if (isObject(schema)) return { resource, schema: { source: schema, findings: here } };
    if (typeof schema === "string" && schema.trim() !== "") return { resource, ref: schema, findings: here };
    if (isAbsent(schema) || schema === "")
      findings.warn("", "not_carried_over", "the resource has no schema, so it became no entity");
    else here.fault("", `expected a schema or the address of one, got ${jsonTypeOf(schema)}`);
    return undefined;
  });
  const fetched = await files.fetchAll(found.filter((f) => f !== undefined && "ref" in f));
  return found.flatMap((f) => {
    const whole = f !== undefined && "ref" in f ? fetched.get(f) : f;
    return whole ? [whole] : [];
  });
}

function warnResource(source: JsonObject, findings: Findings): void {
  warnUnread(source, RESOURCE, findings);
  const misplaced = "the foreign key belongs into the schema and not beside it, so it is not carried over";
  warnEntries(source, "foreignKeys", misplaced, findings);
  const members = DATA_FILE.filter((m) => !isAbsent(source[m]));
  if (members.length > 0) {
    findings.warn("", "not_carried_over", `${members.join(", ")}: what describes the data itself is not carried over`);
  }
}
