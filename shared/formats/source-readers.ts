import { DOCUMENT_SCHEMA, FIRST_DOCUMENT_SCHEMA } from "../domain/document/document.ts";
import type { SourceFormat } from "../domain/values/source-formats.ts";
import type { ReadFormat } from "./common/format.ts";
import { isObject, type JsonObject } from "./common/json-object.ts";
import { DBML, isSqlDialect, recogniseText, SQL, type SqlDialect } from "./common/source-text.ts";
import { ANCESTOR_SCHEMA, ANCESTOR_VERSION, type FormatMatch } from "./other-formats.ts";

interface SourceReader {
  match(source: unknown): FormatMatch | undefined;
  load(): Promise<ReadFormat>;
}

const loadOwn = () => import("./own/model-json.ts");
const loadJsonSchema = () => import("./json-schema/read-json-schema.ts");

/** The formats that are read, except SQL. Of two equally sure matches the first one wins. */
export const SOURCE_READERS: Readonly<Record<Exclude<SourceFormat, SqlDialect>, SourceReader>> = {
  metaction: { match: matchObject(matchMetaction), load: async () => (await loadOwn()).readOwnFormat },
  medatarun: { match: matchObject(matchMedatarun), load: async () => (await loadOwn()).readAncestorJson },
  frictionless: {
    match: matchObject(matchFrictionless),
    load: async () => (await import("./frictionless/read-frictionless.ts")).readFrictionless,
  },
  dbml: { match: matchDbml, load: async () => (await import("./dbml/read-dbml.ts")).readDbml },
  odcs: { match: matchObject(matchOdcs), load: async () => (await import("./odcs/read-odcs.ts")).readOdcs },
  dbt: { match: matchObject(matchDbt), load: async () => (await import("./dbt/read-dbt.ts")).readDbt },
  openapi: { match: matchObject(matchOpenApi), load: async () => (await loadJsonSchema()).readOpenApi },
  avro: { match: matchAvro, load: async () => (await import("./avro/read-avro.ts")).readAvro },
  jsonschema: { match: matchObject(matchJsonSchema), load: async () => (await loadJsonSchema()).readJsonSchema },
};

/** Loads the reader of a format. */
export async function loadReader(format: SourceFormat): Promise<ReadFormat> {
  if (!isSqlDialect(format)) return SOURCE_READERS[format].load();
  return (await import("./sql/read-sql.ts")).createSqlReader(format);
}

function matchObject(match: (source: JsonObject) => FormatMatch | undefined): SourceReader["match"] {
  return (source) => (isObject(source) ? match(source) : undefined);
}

function matchMetaction({ $schema }: JsonObject): FormatMatch | undefined {
  if ($schema !== DOCUMENT_SCHEMA && $schema !== FIRST_DOCUMENT_SCHEMA) return undefined;
  return { name: "a model document", sure: "certain", because: "its $schema names that format" };
}

function matchMedatarun({ $schema }: JsonObject): FormatMatch | undefined {
  const version = typeof $schema === "string" ? ANCESTOR_SCHEMA.exec($schema)?.[1] : undefined;
  if (version !== ANCESTOR_VERSION) return undefined;
  return { name: "a Medatarun model", sure: "certain", because: `its $schema names version ${version} of that format` };
}

function matchOdcs({ kind, apiVersion }: JsonObject): FormatMatch | undefined {
  if (kind !== "DataContract" || typeof apiVersion !== "string" || !/^v?3\./.test(apiVersion)) return undefined;
  return { name: "an Open Data Contract", sure: "certain", because: "its kind is DataContract, of version 3" };
}

function matchDbt(source: JsonObject): FormatMatch | undefined {
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

function matchOpenApi({ openapi }: JsonObject): FormatMatch | undefined {
  if (typeof openapi !== "string" || !openapi.startsWith("3.")) return undefined;
  return { name: "an OpenAPI document", sure: "certain", because: "its member openapi says version 3" };
}

function matchAvro(source: unknown): FormatMatch | undefined {
  const because = "it has a type of Avro with its members";
  if (!Array.isArray(source))
    return isAvroType(source) ? { name: "an Avro schema", sure: "certain", because } : undefined;
  const isList = source.length > 0 && source.every(isAvroType);
  return isList ? { name: "a list of Avro schemas", sure: "certain", because } : undefined;
}

function isAvroType(source: unknown) {
  if (!isObject(source)) return false;
  const { type, fields, symbols, size } = source;
  if (type === "record" || type === "error") return Array.isArray(fields);
  return (type === "enum" && Array.isArray(symbols)) || (type === "fixed" && typeof size === "number");
}

function matchJsonSchema(source: JsonObject): FormatMatch | undefined {
  const { $schema, properties, definitions, fields, resources } = source;
  if (fields !== undefined || resources !== undefined) return undefined;
  const name = "a JSON Schema";
  const schemaUri = typeof $schema === "string" ? $schema : "";
  if (/json-schema\.org/.test(schemaUri))
    return { name, sure: "certain", because: "its $schema names a draft of JSON Schema" };
  if (schemaUri.startsWith("urn:metaction:")) return undefined;
  const members = ["$defs", "$id", "oneOf", "allOf", "anyOf"].filter((member) => Object.hasOwn(source, member));
  const candidates = [
    ...(isObject(properties) ? ["properties"] : []),
    ...(isObject(definitions) ? ["definitions"] : []),
    ...members,
  ];
  if (candidates.length === 0) return undefined;
  return { name, sure: "likely", because: `it has ${candidates.join(" and ")} and no members of another format` };
}

function matchDbml(source: unknown): FormatMatch | undefined {
  if (typeof source !== "string") return undefined;
  const name = "a DBML text";
  const format = recogniseText(source);
  if (format === SQL) return undefined;
  return format === DBML
    ? { name, sure: "certain", because: "it begins with a table, an enum or a project of DBML" }
    : { name, sure: "possible", because: "it is a text" };
}

function matchFrictionless(source: JsonObject): FormatMatch | undefined {
  const isTable = "fields" in source;
  if (!isTable && !("resources" in source)) return undefined;
  const name = isTable ? "a Table Schema" : "a Data Package";
  const own = [source.$schema, source.profile].find((text) => typeof text === "string" && FRICTIONLESS.test(text));
  if (own !== undefined) return { name, sure: "certain", because: "its $schema or profile names the standard" };
  if (Array.isArray(source.resources) && source.resources.some(hasTableSchema)) {
    return { name, sure: "certain", because: "a resource of it has a schema with fields" };
  }
  return {
    name,
    sure: "likely",
    because: `it has ${isTable ? "fields" : "resources"} and no members of another format`,
  };
}

const FRICTIONLESS = /frictionlessdata|datapackage\.org|^(tabular-|fiscal-)?data-(package|resource)$|^table-schema$/;

function hasTableSchema(resource: unknown) {
  return isObject(resource) && isObject(resource.schema) && Array.isArray(resource.schema.fields);
}
