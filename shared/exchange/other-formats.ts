import { DOCUMENT_SCHEMA, FIRST_DOCUMENT_SCHEMA } from "../domain/document.ts";
import { ANCESTOR_SCHEMA, ANCESTOR_VERSION } from "./ancestor-json.ts";
import { isObject, type JsonObject } from "./json-object.ts";
import type { Marks } from "./marks.ts";

/** A format that is recognised and not read. */
export interface OtherFormat {
  /** The name with its article, as a sentence goes on after "it is". */
  readonly name: string;
  /** True for an object that bears the marks of the format. */
  readonly isIt: (source: JsonObject) => boolean;
}

/** The formats that are recognised and not read whose marks a source bears. */
export function otherFormatsOf(source: unknown): readonly Marks[] {
  const found = Array.isArray(source)
    ? LISTS.filter(({ isIt }) => source.length > 0 && source.every(objectThat(isIt)))
    : OTHER_FORMATS.filter(({ isIt }) => isObject(source) && isIt(source));
  return found.map(({ name }) => ({ name, sure: "certain", because: "it bears the marks of that format" }));
}

const objectThat =
  (isIt: OtherFormat["isIt"]) =>
  (value: unknown): boolean =>
    isObject(value) && isIt(value);

const OWN_SCHEMAS = DOCUMENT_SCHEMA.replace(/\d+$/, "");

const isText = (value: unknown): value is string => typeof value === "string";
const isList = Array.isArray;
const schemaLike = (source: JsonObject, pattern: RegExp): boolean =>
  isText(source.$schema) && pattern.test(source.$schema);
const has = (source: JsonObject, ...members: readonly string[]): boolean =>
  members.every((member) => Object.hasOwn(source, member));
const hasSome = (source: JsonObject, ...members: readonly string[]): boolean =>
  members.some((member) => Object.hasOwn(source, member));
const isOneOf = (value: unknown, ...texts: readonly string[]): boolean => isText(value) && texts.includes(value);

/** True for an object that has neither of the lists by which Frictionless descriptors are told. */
const isNoTable = (source: JsonObject): boolean => !hasSome(source, "fields", "resources");

const CKAN = ["num_resources", "owner_org", "metadata_created", "license_id", "relationships_as_subject"];
const isCkan = (source: JsonObject): boolean => isList(source.resources) && hasSome(source, ...CKAN);

const GEOMETRIES = ["Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon"];

/** The formats by their own marks: those that leave no doubt first. */
export const OTHER_FORMATS: readonly OtherFormat[] = [
  {
    name: `a model document of another version than ${FIRST_DOCUMENT_SCHEMA} and ${DOCUMENT_SCHEMA}`,
    isIt: ({ $schema }) =>
      isText($schema) && $schema.startsWith(OWN_SCHEMAS) && !isOneOf($schema, DOCUMENT_SCHEMA, FIRST_DOCUMENT_SCHEMA),
  },
  {
    name: `a Medatarun model of another version than ${ANCESTOR_VERSION}`,
    isIt: ({ $schema }) =>
      isText($schema) && (ANCESTOR_SCHEMA.exec($schema)?.[1] ?? ANCESTOR_VERSION) !== ANCESTOR_VERSION,
  },
  {
    name: "an OpenAPI document of another version than 3",
    isIt: ({ openapi }) => isText(openapi) && !openapi.startsWith("3."),
  },
  { name: "a Swagger document", isIt: ({ swagger }) => isText(swagger) },
  { name: "an AsyncAPI document", isIt: ({ asyncapi }) => isText(asyncapi) },
  {
    name: "an Iceberg table",
    isIt: (s) => has(s, "format-version", "table-uuid") || (s.type === "struct" && has(s, "schema-id")),
  },
  { name: "a struct schema of Spark or Kafka Connect", isIt: (s) => s.type === "struct" && isList(s.fields) },
  {
    name: "a Terraform state",
    isIt: (s) => has(s, "terraform_version") || (isList(s.resources) && has(s, "serial", "lineage")),
  },
  {
    name: "a CKAN package",
    isIt: (s) => isCkan(s) || (typeof s.success === "boolean" && isObject(s.result) && isCkan(s.result)),
  },
  {
    name: "a dbt artifact other than a manifest",
    isIt: ({ metadata }) =>
      isObject(metadata) && isText(metadata.dbt_schema_version) && !/\/manifest\//.test(metadata.dbt_schema_version),
  },
  { name: "a dbt project", isIt: (s) => hasSome(s, "model-paths", "models-path", "source-paths", "dbt-version") },
  {
    name: "an Open Data Contract of another version than 3",
    isIt: (s) => s.kind === "DataContract" && isText(s.apiVersion) && !/^v?3\./.test(s.apiVersion),
  },
  { name: "a data contract", isIt: (s) => isText(s.dataContractSpecification) },
  { name: "a Kubernetes manifest", isIt: (s) => isText(s.apiVersion) && isText(s.kind) },
  {
    name: "a CloudFormation template",
    isIt: (s) => has(s, "AWSTemplateFormatVersion") || (isObject(s.Resources) && !has(s, "resources")),
  },
  { name: "an Azure Resource Manager template", isIt: (s) => schemaLike(s, /management\.azure\.com/) },
  { name: "a Pulumi stack", isIt: (s) => isObject(s.deployment) && isObject(s.deployment.manifest) },
  { name: "a Compose file", isIt: (s) => isObject(s.services) && isNoTable(s) },
  {
    name: "a GeoJSON document",
    isIt: (s) =>
      (s.type === "FeatureCollection" && isList(s.features)) ||
      (s.type === "Feature" && has(s, "geometry")) ||
      (isOneOf(s.type, ...GEOMETRIES) && isList(s.coordinates)),
  },
  { name: "a TopoJSON document", isIt: (s) => s.type === "Topology" && has(s, "arcs") },
  { name: "a STAC document", isIt: (s) => isText(s.stac_version) },
  {
    name: "a FHIR resource",
    isIt: (s) => isText(s.resourceType) && isNoTable(s),
  },
  {
    name: "a GraphQL schema",
    isIt: (s) => isObject(s.__schema) || (isObject(s.data) && isObject(s.data.__schema)),
  },
  {
    name: "a CSVW document",
    isIt: (s) => JSON.stringify(s["@context"] ?? "").includes("ns/csvw") || has(s, "tableSchema"),
  },
  {
    name: "a DCAT catalogue",
    isIt: (s) => isList(s.dataset) && (has(s, "conformsTo") || has(s, "@context")),
  },
  { name: "a JSON-LD document", isIt: (s) => hasSome(s, "@context", "@graph", "@type") && isNoTable(s) },
  {
    name: "an Elasticsearch mapping",
    isIt: (s) => isObject(s.mappings) && (has(s.mappings, "properties") || has(s, "settings")),
  },
  {
    name: "a BigQuery table",
    isIt: (s) => (isText(s.kind) && /^bigquery.table$/.test(s.kind)) || has(s, "tableReference"),
  },
  {
    name: "a Glue table",
    isIt: (s) => has(s, "StorageDescriptor") || (isObject(s.Table) && has(s.Table, "StorageDescriptor")),
  },
  {
    name: "a Jupyter notebook",
    isIt: (s) => isList(s.cells) && has(s, "nbformat"),
  },
  { name: "a CycloneDX bill of materials", isIt: (s) => s.bomFormat === "CycloneDX" },
  { name: "an SPDX bill of materials", isIt: (s) => isText(s.spdxVersion) },
  {
    name: "a package.json of npm",
    isIt: (s) =>
      isNoTable(s) &&
      (hasSome(s, "devDependencies", "peerDependencies", "lockfileVersion") ||
        (isText(s.name) && (isObject(s.dependencies) || isObject(s.scripts)))),
  },
  {
    name: "a model document without its $schema",
    isIt: (s) => isNoTable(s) && isList(s.entities) && isText(s.key) && !has(s, "$schema"),
  },
  {
    name: "a Frictionless catalog",
    isIt: (s) => isList(s.datasets) && s.datasets.every(objectThat((one) => hasSome(one, "package"))),
  },
  {
    name: "a single Data Resource; put it into the resources of a Data Package",
    isIt: (s) => isNoTable(s) && hasSome(s, "path", "data") && hasSome(s, "schema", "profile"),
  },
  {
    name: "a Table Dialect; it stands in a resource of a Data Package",
    isIt: (s) => schemaLike(s, /tabledialect|csv-?dialect/i) || has(s, "csvddfVersion"),
  },
];

/** Formats that are lists, by the marks of every member. */
const LISTS: readonly OtherFormat[] = [
  { name: "a BigQuery schema", isIt: (s) => isText(s.name) && isText(s.type) && hasSome(s, "mode", "fields") },
  { name: "a list of Table Schema fields; put it into the fields of an object", isIt: (s) => has(s, "name", "type") },
];
