import { DOCUMENT_SCHEMA, FIRST_DOCUMENT_SCHEMA } from "../domain/document.ts";
import type { SourceFormat } from "../domain/source-formats.ts";
import { ANCESTOR_SCHEMA, ANCESTOR_VERSION } from "./ancestor-json.ts";
import { isObject, type JsonObject } from "./json-object.ts";
import type { Marks } from "./marks.ts";
import { DBML, otherTextOf, SQL } from "./text-formats.ts";

/** The marks of each format that is read, in the order in which equally sure ones count. */
export const FORMAT_MARKS: readonly (readonly [SourceFormat, (source: unknown) => Marks | undefined])[] = [
  ["metaction", ofObject(metactionMarks)],
  ["medatarun", ofObject(medatarunMarks)],
  ["frictionless", ofObject(frictionlessMarks)],
  ["dbml", dbmlMarks],
  ["odcs", ofObject(odcsMarks)],
  ["dbt", ofObject(dbtMarks)],
  ["openapi", ofObject(openApiMarks)],
  ["avro", avroMarks],
  ["jsonschema", ofObject(jsonSchemaMarks)],
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

function openApiMarks({ openapi }: JsonObject): Marks | undefined {
  if (typeof openapi !== "string" || !openapi.startsWith("3.")) return undefined;
  return { name: "an OpenAPI document", sure: "certain", because: "its member openapi says version 3" };
}

function avroMarks(source: unknown): Marks | undefined {
  const because = "it has a type of Avro with the members of that";
  if (!Array.isArray(source)) return isAvro(source) ? { name: "an Avro schema", sure: "certain", because } : undefined;
  const isList = source.length > 0 && source.every(isAvro);
  return isList ? { name: "a list of Avro schemas", sure: "certain", because } : undefined;
}

/** True for a type of Avro that has fields or symbols. */
function isAvro(source: unknown): boolean {
  if (!isObject(source)) return false;
  const { type, fields, symbols, size } = source;
  if (type === "record" || type === "error") return Array.isArray(fields);
  return (type === "enum" && Array.isArray(symbols)) || (type === "fixed" && typeof size === "number");
}

function jsonSchemaMarks(source: JsonObject): Marks | undefined {
  const { $schema, properties, definitions, fields, resources } = source;
  if (fields !== undefined || resources !== undefined) return undefined;
  const name = "a JSON Schema";
  const said = typeof $schema === "string" ? $schema : "";
  if (/json-schema\.org/.test(said))
    return { name, sure: "certain", because: "its $schema names a draft of JSON Schema" };
  if (said.startsWith("urn:metaction:")) return undefined;
  const members = ["$defs", "$id", "oneOf", "allOf", "anyOf"].filter((member) => Object.hasOwn(source, member));
  const all = [
    ...(isObject(properties) ? ["properties"] : []),
    ...(isObject(definitions) ? ["definitions"] : []),
    ...members,
  ];
  if (all.length === 0) return undefined;
  return { name, sure: "likely", because: `it has ${all.join(" and ")} and no mark of another format` };
}

function dbmlMarks(source: unknown): Marks | undefined {
  if (typeof source !== "string") return undefined;
  const name = "a DBML text";
  const found = otherTextOf(source);
  if (found === SQL) return undefined;
  return found === DBML
    ? { name, sure: "certain", because: "it begins with a table, an enum or a project of DBML" }
    : { name, sure: "possible", because: "it is a text" };
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
