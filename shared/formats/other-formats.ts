import type { CandidateFormat } from "../actions/contract/ports.ts";
import { DOCUMENT_SCHEMA, FIRST_DOCUMENT_SCHEMA } from "../domain/document/document.ts";
import { isObject, type JsonObject } from "./common/json-object.ts";

/** A match of a source with a format. */
export type FormatMatch = Omit<CandidateFormat, "format">;

/** End of the `$schema` of a model that Medatarun exported; the group is the version of that format. */
export const ANCESTOR_SCHEMA = /\/medatarun-model-(\d+\.\d+)\.json$/;

export const ANCESTOR_VERSION = "3.0";

type FormatTests = Readonly<Record<string, (source: JsonObject) => boolean>>;

/** Returns the formats that a source matches and that are not read. */
export function matchOtherFormats(source: unknown): readonly FormatMatch[] {
  const isList = Array.isArray(source);
  const items: readonly unknown[] = isList ? source : [source];
  const tests = Object.entries(isList ? LIST_FORMATS : OTHER_FORMATS);
  const hits = tests.filter(([, matches]) => items.length > 0 && items.every(isObjectWith(matches)));
  return hits.map(([name]) => ({ name, sure: "certain", because: "it bears the marks of that format" }));
}

const isObjectWith = (isIt: FormatTests[string]) => (value: unknown) => isObject(value) && isIt(value);

const OWN_SCHEMAS = DOCUMENT_SCHEMA.replace(/\d+$/, "");

const isString = (value: unknown): value is string => typeof value === "string";
const isArray = Array.isArray;
const schemaLike = (source: JsonObject, pattern: RegExp) => isString(source.$schema) && pattern.test(source.$schema);
const has = (source: JsonObject, ...members: readonly string[]) =>
  members.every((member) => Object.hasOwn(source, member));
const hasSome = (source: JsonObject, ...members: readonly string[]) =>
  members.some((member) => Object.hasOwn(source, member));
const isOneOf = (value: unknown, ...texts: readonly string[]) => isString(value) && texts.includes(value);

const isNoTable = (source: JsonObject) => !hasSome(source, "fields", "resources");

const CKAN = ["num_resources", "owner_org", "metadata_created", "license_id", "relationships_as_subject"];
const isCkan = (source: JsonObject) => isArray(source.resources) && hasSome(source, ...CKAN);

const GEOMETRIES = ["Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon"];

/** Formats by their own characteristics, the certain ones first. */
export const OTHER_FORMATS: FormatTests = {
  [`a model document of another version than ${FIRST_DOCUMENT_SCHEMA} and ${DOCUMENT_SCHEMA}`]: ({ $schema }) =>
    isString($schema) && $schema.startsWith(OWN_SCHEMAS) && !isOneOf($schema, DOCUMENT_SCHEMA, FIRST_DOCUMENT_SCHEMA),
  [`a Medatarun model of another version than ${ANCESTOR_VERSION}`]: ({ $schema }) =>
    isString($schema) && (ANCESTOR_SCHEMA.exec($schema)?.[1] ?? ANCESTOR_VERSION) !== ANCESTOR_VERSION,
  "an OpenAPI document of another version than 3": ({ openapi }) => isString(openapi) && !openapi.startsWith("3."),
  "a Swagger document": ({ swagger }) => isString(swagger),
  "an AsyncAPI document": ({ asyncapi }) => isString(asyncapi),
  "an Iceberg table": (s) => has(s, "format-version", "table-uuid") || (s.type === "struct" && has(s, "schema-id")),
  "a struct schema of Spark or Kafka Connect": (s) => s.type === "struct" && isArray(s.fields),
  "a Terraform state": (s) => has(s, "terraform_version") || (isArray(s.resources) && has(s, "serial", "lineage")),
  "a CKAN package": (s) => isCkan(s) || (typeof s.success === "boolean" && isObject(s.result) && isCkan(s.result)),
  "a dbt artifact other than a manifest": ({ metadata }) =>
    isObject(metadata) && isString(metadata.dbt_schema_version) && !/\/manifest\//.test(metadata.dbt_schema_version),
  "a dbt project": (s) => hasSome(s, "model-paths", "models-path", "source-paths", "dbt-version"),
  "an Open Data Contract of another version than 3": (s) =>
    s.kind === "DataContract" && isString(s.apiVersion) && !/^v?3\./.test(s.apiVersion),
  "a data contract": (s) => isString(s.dataContractSpecification),
  "a Kubernetes manifest": (s) => isString(s.apiVersion) && isString(s.kind),
  "a CloudFormation template": (s) =>
    has(s, "AWSTemplateFormatVersion") || (isObject(s.Resources) && !has(s, "resources")),
  "an Azure Resource Manager template": (s) => schemaLike(s, /management\.azure\.com/),
  "a Pulumi stack": (s) => isObject(s.deployment) && isObject(s.deployment.manifest),
  "a Compose file": (s) => isObject(s.services) && isNoTable(s),
  "a GeoJSON document": (s) =>
    (s.type === "FeatureCollection" && isArray(s.features)) ||
    (s.type === "Feature" && has(s, "geometry")) ||
    (isOneOf(s.type, ...GEOMETRIES) && isArray(s.coordinates)),
  "a TopoJSON document": (s) => s.type === "Topology" && has(s, "arcs"),
  "a STAC document": (s) => isString(s.stac_version),
  "a FHIR resource": (s) => isString(s.resourceType) && isNoTable(s),
  "a GraphQL schema": (s) => isObject(s.__schema) || (isObject(s.data) && isObject(s.data.__schema)),
  "a CSVW document": (s) => JSON.stringify(s["@context"] ?? "").includes("ns/csvw") || has(s, "tableSchema"),
  "a DCAT catalogue": (s) => isArray(s.dataset) && (has(s, "conformsTo") || has(s, "@context")),
  "a JSON-LD document": (s) => hasSome(s, "@context", "@graph", "@type") && isNoTable(s),
  "an Elasticsearch mapping": (s) => isObject(s.mappings) && (has(s.mappings, "properties") || has(s, "settings")),
  "a BigQuery table": (s) => (isString(s.kind) && /^bigquery.table$/.test(s.kind)) || has(s, "tableReference"),
  "a Glue table": (s) => has(s, "StorageDescriptor") || (isObject(s.Table) && has(s.Table, "StorageDescriptor")),
  "a Jupyter notebook": (s) => isArray(s.cells) && has(s, "nbformat"),
  "a CycloneDX bill of materials": (s) => s.bomFormat === "CycloneDX",
  "an SPDX bill of materials": (s) => isString(s.spdxVersion),
  "a package.json of npm": (s) =>
    isNoTable(s) &&
    (hasSome(s, "devDependencies", "peerDependencies", "lockfileVersion") ||
      (isString(s.name) && (isObject(s.dependencies) || isObject(s.scripts)))),
  "a model document without its $schema": (s) =>
    isNoTable(s) && isArray(s.entities) && isString(s.key) && !has(s, "$schema"),
  "a Frictionless catalog": (s) =>
    isArray(s.datasets) && s.datasets.every(isObjectWith((one) => hasSome(one, "package"))),
  "a single Data Resource; put it into the resources of a Data Package": (s) =>
    isNoTable(s) && hasSome(s, "path", "data") && hasSome(s, "schema", "profile"),
  "a Table Dialect; it stands in a resource of a Data Package": (s) =>
    schemaLike(s, /tabledialect|csv-?dialect/i) || has(s, "csvddfVersion"),
};

const LIST_FORMATS: FormatTests = {
  "a BigQuery schema": (s) => isString(s.name) && isString(s.type) && hasSome(s, "mode", "fields"),
  "a list of Table Schema fields; put it into the fields of an object": (s) => has(s, "name", "type"),
};
