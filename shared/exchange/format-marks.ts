import { DOCUMENT_SCHEMA, FIRST_DOCUMENT_SCHEMA } from "../domain/document.ts";
import type { SourceFormat } from "../domain/source-formats.ts";
import { ANCESTOR_SCHEMA, ANCESTOR_VERSION } from "./ancestor-json.ts";
import { isObject, type JsonObject } from "./json-object.ts";
import type { Marks } from "./marks.ts";

/** The marks of each format that is read, in the order in which equally sure ones count. */
export const FORMAT_MARKS: readonly (readonly [SourceFormat, (source: unknown) => Marks | undefined])[] = [
  ["metaction", ofObject(metactionMarks)],
  ["medatarun", ofObject(medatarunMarks)],
  ["frictionless", ofObject(frictionlessMarks)],
  ["odcs", ofObject(odcsMarks)],
  ["dbt", ofObject(dbtMarks)],
];

function ofObject(marks: (source: JsonObject) => Marks | undefined): (source: unknown) => Marks | undefined {
  return (source) => (isObject(source) ? marks(source) : undefined);
}

function metactionMarks({ $schema }: JsonObject): Marks | undefined {
  if ($schema !== DOCUMENT_SCHEMA && $schema !== FIRST_DOCUMENT_SCHEMA) return undefined;
  return { name: "a model document", sure: "certain", because: "its $schema names that format" };
}

function medatarunMarks({ $schema }: JsonObject): Marks | undefined {
  const version = typeof $schema === "string" ? ANCESTOR_SCHEMA.exec($schema)?.[1] : undefined;
  if (version !== ANCESTOR_VERSION) return undefined;
  return { name: "a Medatarun model", sure: "certain", because: `its $schema names version ${version} of that format` };
}

function odcsMarks({ kind, apiVersion }: JsonObject): Marks | undefined {
  if (kind !== "DataContract" || typeof apiVersion !== "string" || !/^v?3\./.test(apiVersion)) return undefined;
  return { name: "an Open Data Contract", sure: "certain", because: "its kind is DataContract, of version 3" };
}

function dbtMarks(source: JsonObject): Marks | undefined {
  const { metadata, version } = source;
  const artifact = isObject(metadata) ? metadata.dbt_schema_version : undefined;
  if (typeof artifact === "string" && /\/manifest\//.test(artifact)) {
    return { name: "a dbt manifest", sure: "certain", because: "its metadata names that schema" };
  }
  const lists = ["models", "sources", "seeds", "snapshots"].filter((member) => Array.isArray(source[member]));
  if (lists.length === 0 || !(version === 2 || version === undefined)) return undefined;
  const sure = version === 2 ? "certain" : "possible";
  return { name: "a dbt properties file", sure, because: `it has ${lists.join(" and ")}, and version 2 or none` };
}

function frictionlessMarks(source: JsonObject): Marks | undefined {
  const isTable = "fields" in source;
  if (!isTable && !("resources" in source)) return undefined;
  const name = isTable ? "a Table Schema" : "a Data Package";
  const own = [source.$schema, source.profile].find((text) => typeof text === "string" && FRICTIONLESS.test(text));
  if (own !== undefined) return { name, sure: "certain", because: "its $schema or profile names the standard" };
  if (Array.isArray(source.resources) && source.resources.some(hasTableSchema)) {
    return { name, sure: "certain", because: "a resource of it has a schema with fields" };
  }
  return { name, sure: "likely", because: `it has ${isTable ? "fields" : "resources"} and no mark of another format` };
}

const FRICTIONLESS = /frictionlessdata|datapackage\.org|^(tabular-|fiscal-)?data-(package|resource)$|^table-schema$/;

function hasTableSchema(resource: unknown): boolean {
  return isObject(resource) && isObject(resource.schema) && Array.isArray(resource.schema.fields);
}
