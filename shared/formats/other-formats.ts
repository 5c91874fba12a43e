import type { CandidateFormat } from "../actions/contract/ports.ts";
import { DOCUMENT_SCHEMA, FIRST_DOCUMENT_SCHEMA } from "../domain/document/document.ts";
import { isObject, type JsonObject } from "./common/json-object.ts";

/** A match of a source with a format: the name of the format, how sure the match is, and the reason. */
export type FormatMatch = Omit<CandidateFormat, "format">;

/** End of the `$schema` of a model that Medatarun exported; the group is the version of that format. */
export const ANCESTOR_SCHEMA = /\/medatarun-model-(\d+\.\d+)\.json$/;

/** The version of Medatarun's format that is read. */
export const ANCESTOR_VERSION = "3.0";

/** A format that is recognised but not read. */
export interface OtherFormat {
  /** Name with article, as in "it is …". */
  readonly name: string;
  /** Returns true for an object of the format. */
  readonly matches: (source: JsonObject) => boolean;
}

/** Returns the formats that a source matches and that are not read. */
export function matchOtherFormats(source: unknown): readonly FormatMatch[] {
  const found = Array.isArray(source)
    ? LIST_FORMATS.filter(({ matches }) => source.length > 0 && source.every(isObjectWith(matches)))
    : OTHER_FORMATS.filter(({ matches }) => isObject(source) && matches(source));
  return found.map(({ name }) => ({ name, sure: "certain", because: "it bears the marks of that format" }));
}

const isObjectWith =
  (isIt: OtherFormat["matches"]) =>
  (value: unknown): boolean =>
    isObject(value) && isIt(value);

const OWN_SCHEMAS = DOCUMENT_SCHEMA.replace(/\d+$/, "");

const isString = (value: unknown): value is string => typeof value === "string";
const isArray = Array.isArray;
const schemaLike = (source: JsonObject, pattern: RegExp): boolean =>
  isString(source.$schema) && pattern.test(source.$schema);
const has = (source: JsonObject, ...members: readonly string[]): boolean =>
  members.every((member) => Object.hasOwn(source, member));
const hasSome = (source: JsonObject, ...members: readonly string[]): boolean =>
  members.some((member) => Object.hasOwn(source, member));
const isOneOf = (value: unknown, ...texts: readonly string[]): boolean => isString(value) && texts.includes(value);

/** Returns true for an object without the lists of a Frictionless descriptor. */
const isNoTable = (source: JsonObject): boolean => !hasSome(source, "fields", "resources");

const CKAN = ["num_resources", "owner_org", "metadata_created", "license_id", "relationships_as_subject"];
const isCkan = (source: JsonObject): boolean => isArray(source.resources) && hasSome(source, ...CKAN);

const GEOMETRIES = ["Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon"];

/** Formats by their own characteristics, the certain ones first. */
export const OTHER_FORMATS: readonly OtherFormat[] = [
  {
    name: `a model document of another version than ${FIRST_DOCUMENT_SCHEMA} and ${DOCUMENT_SCHEMA}`,
    matches: ({ $schema }) =>
      isString($schema) && $schema.startsWith(OWN_SCHEMAS) && !isOneOf($schema, DOCUMENT_SCHEMA, FIRST_DOCUMENT_SCHEMA),
  },
  {
    name: `a Medatarun model of another version than ${ANCESTOR_VERSION}`,
    matches: ({ $schema }) =>
      isString($schema) && (ANCESTOR_SCHEMA.exec($schema)?.[1] ?? ANCESTOR_VERSION) !== ANCESTOR_VERSION,
  },
  {
    name: "an OpenAPI document of another version than 3",
    matches: ({ openapi }) => isString(openapi) && !openapi.startsWith("3."),
  },
  { name: "a Swagger document", matches: ({ swagger }) => isString(swagger) },
  { name: "an AsyncAPI document", matches: ({ asyncapi }) => isString(asyncapi) },
  {
    name: "an Iceberg table",
    matches: (s) => has(s, "format-version", "table-uuid") || (s.type === "struct" && has(s, "schema-id")),
  },
  { name: "a struct schema of Spark or Kafka Connect", matches: (s) => s.type === "struct" && isArray(s.fields) },
  {
    name: "a Terraform state",
    matches: (s) => has(s, "terraform_version") || (isArray(s.resources) && has(s, "serial", "lineage")),
  },
  {
    name: "a CKAN package",
    matches: (s) => isCkan(s) || (typeof s.success === "boolean" && isObject(s.result) && isCkan(s.result)),
  },
  {
    name: "a dbt artifact other than a manifest",
    matches: ({ metadata }) =>
      isObject(metadata) && isString(metadata.dbt_schema_version) && !/\/manifest\//.test(metadata.dbt_schema_version),
  },
  { name: "a dbt project", matches: (s) => hasSome(s, "model-paths", "models-path", "source-paths", "dbt-version") },
  {
    name: "an Open Data Contract of another version than 3",
    matches: (s) => s.kind === "DataContract" && isString(s.apiVersion) && !/^v?3\./.test(s.apiVersion),
  },
  { name: "a data contract", matches: (s) => isString(s.dataContractSpecification) },
  { name: "a Kubernetes manifest", matches: (s) => isString(s.apiVersion) && isString(s.kind) },
  {
    name: "a CloudFormation template",
    matches: (s) => has(s, "AWSTemplateFormatVersion") || (isObject(s.Resources) && !has(s, "resources")),
  },
  { name: "an Azure Resource Manager template", matches: (s) => schemaLike(s, /management\.azure\.com/) },
  { name: "a Pulumi stack", matches: (s) => isObject(s.deployment) && isObject(s.deployment.manifest) },
  { name: "a Compose file", matches: (s) => isObject(s.services) && isNoTable(s) },
  {
    name: "a GeoJSON document",
    matches: (s) =>
      (s.type === "FeatureCollection" && isArray(s.features)) ||
      (s.type === "Feature" && has(s, "geometry")) ||
      (isOneOf(s.type, ...GEOMETRIES) && isArray(s.coordinates)),
  },
  { name: "a TopoJSON document", matches: (s) => s.type === "Topology" && has(s, "arcs") },
  { name: "a STAC document", matches: (s) => isString(s.stac_version) },
  {
    name: "a FHIR resource",
    matches: (s) => isString(s.resourceType) && isNoTable(s),
  },
  {
    name: "a GraphQL schema",
    matches: (s) => isObject(s.__schema) || (isObject(s.data) && isObject(s.data.__schema)),
  },
  {
    name: "a CSVW document",
    matches: (s) => JSON.stringify(s["@context"] ?? "").includes("ns/csvw") || has(s, "tableSchema"),
  },
  {
    name: "a DCAT catalogue",
    matches: (s) => isArray(s.dataset) && (has(s, "conformsTo") || has(s, "@context")),
  },
  { name: "a JSON-LD document", matches: (s) => hasSome(s, "@context", "@graph", "@type") && isNoTable(s) },
  {
    name: "an Elasticsearch mapping",
    matches: (s) => isObject(s.mappings) && (has(s.mappings, "properties") || has(s, "settings")),
  },
  {
    name: "a BigQuery table",
    matches: (s) => (isString(s.kind) && /^bigquery.table$/.test(s.kind)) || has(s, "tableReference"),
  },
  {
    name: "a Glue table",
    matches: (s) => has(s, "StorageDescriptor") || (isObject(s.Table) && has(s.Table, "StorageDescriptor")),
  },
  {
    name: "a Jupyter notebook",
    matches: (s) => isArray(s.cells) && has(s, "nbformat"),
  },
  { name: "a CycloneDX bill of materials", matches: (s) => s.bomFormat === "CycloneDX" },
  { name: "an SPDX bill of materials", matches: (s) => isString(s.spdxVersion) },
  {
    name: "a package.json of npm",
    matches: (s) =>
      isNoTable(s) &&
      (hasSome(s, "devDependencies", "peerDependencies", "lockfileVersion") ||
        (isString(s.name) && (isObject(s.dependencies) || isObject(s.scripts)))),
  },
  {
    name: "a model document without its $schema",
    matches: (s) => isNoTable(s) && isArray(s.entities) && isString(s.key) && !has(s, "$schema"),
  },
  {
    name: "a Frictionless catalog",
    matches: (s) => isArray(s.datasets) && s.datasets.every(isObjectWith((one) => hasSome(one, "package"))),
  },
  {
    name: "a single Data Resource; put it into the resources of a Data Package",
    matches: (s) => isNoTable(s) && hasSome(s, "path", "data") && hasSome(s, "schema", "profile"),
  },
  {
    name: "a Table Dialect; it stands in a resource of a Data Package",
    matches: (s) => schemaLike(s, /tabledialect|csv-?dialect/i) || has(s, "csvddfVersion"),
  },
];

/** Formats that are lists; all items must match. */
const LIST_FORMATS: readonly OtherFormat[] = [
  { name: "a BigQuery schema", matches: (s) => isString(s.name) && isString(s.type) && hasSome(s, "mode", "fields") },
  {
    name: "a list of Table Schema fields; put it into the fields of an object",
    matches: (s) => has(s, "name", "type"),
  },
];
