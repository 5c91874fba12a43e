import { isObject, type JsonObject } from "./json-object.ts";

/** A format that is recognised and not read. */
export interface OtherFormat {
  /** The name with its article, as a sentence goes on after "it is". */
  readonly name: string;
  /** True for an object that bears the marks of the format. */
  readonly isIt: (source: JsonObject) => boolean;
}

/** The name of the first of those formats whose marks a source bears; undefined where it bears none. */
export function otherFormatOf(source: unknown): string | undefined {
  if (Array.isArray(source)) return LISTS.find(({ isIt }) => source.length > 0 && source.every(objectThat(isIt)))?.name;
  return isObject(source) ? OTHER_FORMATS.find(({ isIt }) => isIt(source))?.name : undefined;
}

const objectThat =
  (isIt: OtherFormat["isIt"]) =>
  (value: unknown): boolean =>
    isObject(value) && isIt(value);

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

/** The `type` of an Avro schema that has fields or symbols. */
const isAvro = ({ type, fields, symbols, size }: JsonObject): boolean =>
  (isOneOf(type, "record", "error") && isList(fields)) ||
  (type === "enum" && isList(symbols)) ||
  (type === "fixed" && typeof size === "number");

const GEOMETRIES = ["Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon"];

/** Formats that are no JSON and no YAML, by how their text begins after comments. */
const TEXTS: readonly (readonly [name: string, begins: RegExp])[] = [
  ["an HTML or XML page; give the address of the JSON file itself", /^</],
  ["SQL", /^(create|alter|drop|insert|begin|set|use|select|with|pragma)\s/i],
  ["DBML", /^(table|enum|project|tablegroup)\s[^{\n:]*\{/i],
  ["a Prisma schema", /^(datasource|generator|model)\s+\w+\s*\{/],
  ["a Protocol Buffers file", /^(syntax\s*=|package\s+[\w.]+;|message\s+\w+\s*\{)/],
  ["a GraphQL schema", /^(schema\s*\{|(type|input|interface|scalar|union|directive)\s+@?\w+)/],
  ["a Mermaid diagram", /^(erDiagram|classDiagram|graph|flowchart)\b/],
];

/** The name of the format in which a text that is no JSON is written; undefined where it bears no known marks. */
export function otherTextOf(text: string): string | undefined {
  const start = text
    .slice(0, 10_000)
    .replace(/^(\s+|--[^\n]*\n|\/\/[^\n]*\n|#[^\n]*\n|\/\*[^*]*\*+([^/*][^*]*\*+)*\/|"""[^"]*""")*/, "");
  return TEXTS.find(([, begins]) => begins.test(start))?.[0];
}

/** The formats by their own marks: those that leave no doubt first. */
export const OTHER_FORMATS: readonly OtherFormat[] = [
  { name: "an OpenAPI document", isIt: ({ openapi }) => isText(openapi) },
  { name: "a Swagger document", isIt: ({ swagger }) => isText(swagger) },
  { name: "an AsyncAPI document", isIt: ({ asyncapi }) => isText(asyncapi) },
  { name: "an Avro schema", isIt: isAvro },
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
    name: "a dbt artifact",
    isIt: ({ metadata }) => isObject(metadata) && isText(metadata.dbt_schema_version),
  },
  {
    name: "a dbt properties file",
    isIt: (s) => s.version === 2 && ["models", "sources", "seeds", "snapshots"].some((member) => isList(s[member])),
  },
  { name: "a dbt project", isIt: (s) => hasSome(s, "model-paths", "models-path", "source-paths", "dbt-version") },
  {
    name: "an Open Data Contract",
    isIt: (s) => s.kind === "DataContract" && isText(s.apiVersion),
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
    name: "a JSON Schema",
    isIt: (s) =>
      isNoTable(s) &&
      (schemaLike(s, /json-schema\.org/) ||
        isObject(s.properties) ||
        isObject(s.definitions) ||
        hasSome(s, "$defs", "$id", "oneOf", "allOf", "anyOf")),
  },
  {
    name: "a model document without its $schema",
    isIt: (s) => isNoTable(s) && isList(s.entities) && isText(s.key),
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
  { name: "a list of Avro schemas", isIt: isAvro },
  { name: "a BigQuery schema", isIt: (s) => isText(s.name) && isText(s.type) && hasSome(s, "mode", "fields") },
  { name: "a list of Table Schema fields; put it into the fields of an object", isIt: (s) => has(s, "name", "type") },
];
