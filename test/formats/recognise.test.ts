import { describe, expect, test } from "vitest";
import { SOURCE_FORMAT_NAMES, type SourceFormat } from "../../shared/domain/values/source-formats.ts";
import { recogniseText } from "../../shared/formats/common/source-text.ts";
import { matchOtherFormats, OTHER_FORMATS } from "../../shared/formats/other-formats.ts";
import { recogniseFormat } from "../../shared/formats/recognise.ts";
import { loadReader } from "../../shared/formats/source-readers.ts";
import { problemOf, readContent } from "./reading.ts";

describe("a source", () => {
  test("that names its format has that format, whatever else it resembles", () => {
    const source = { $schema: "urn:metaction:model:2", key: "a", fields: [], properties: {} };
    const { others, ...chosen } = recogniseFormat(source);
    expect(chosen).toMatchObject({ format: "metaction", sure: "certain", because: "its $schema names that format" });
    expect(others.map(({ format }) => format)).toContain("frictionless");
  });

  test("is read in the given format, where possible", () => {
    const avro = { type: "record", name: "User", namespace: "crm", fields: [{ name: "email", type: "string" }] };
    const { format, because, others } = recogniseFormat(avro, "frictionless");
    expect(format).toBe("frictionless");
    expect(because).toBe("format says so; it has fields and no members of another format");
    expect(others.map(({ name }) => name)).toEqual(["an Avro schema"]);
  });

  test("that cannot be read in the given format is refused with the name of the detected format", async () =>
    expect((await problemOf(readContent({ fields: [{ name: "a" }] }, { format: "medatarun" }))).message).toBe(
      "the source cannot be imported: it is a Table Schema (frictionless), because it has fields and no members of another format, and cannot be read as medatarun; omit the format, or use that one",
    ));

  test("in an unknown format is refused", async () => {
    for (const content of ["name,title\n1,2", "hello", "[1", "- 1\n- 2"])
      expect((await problemOf(readContent(content))).code, content).toBe("source_not_recognised");
  });
});

test("every format has a reader", async () => {
  for (const format of SOURCE_FORMAT_NAMES) expect(await loadReader(format), format).toBeTypeOf("function");
});

describe("the dialect of a text in SQL", () => {
  test.each<[SourceFormat, string, string]>([
    ["postgresql", "certain", "-- PostgreSQL database dump\nCREATE TABLE a (b jsonb);"],
    ["mysql", "certain", "/*!40101 SET NAMES utf8 */;\nCREATE TABLE `a` (b int AUTO_INCREMENT) ENGINE=InnoDB;"],
    ["sqlite", "certain", "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE a (b INTEGER PRIMARY KEY);"],
    ["tsql", "certain", "CREATE TABLE [dbo].[a] ([b] [int] IDENTITY(1,1))\nGO\n"],
    ["oracle", "certain", "PROMPT a\nCREATE TABLE a (b VARCHAR2(9));\n/\n"],
    ["snowflake", "certain", "create or replace transient table a (b variant);"],
    ["bigquery", "certain", "CREATE TABLE d.a (b INT64, c STRUCT<d STRING>);"],
    ["redshift", "certain", "CREATE TABLE a (b character varying(9) ENCODE lzo) DISTSTYLE KEY DISTKEY (b);"],
    ["postgresql", "likely", "CREATE TABLE a (b timestamp with time zone);"],
    ["sql", "likely", "CREATE TABLE a (b int);"],
    ["sql", "likely", "CREATE TABLE a (b integer PRIMARY KEY);"],
  ])("is %s, %s: %#", async (format, sure, content) => {
    const { recognised } = await readContent(content, { modelKey: "m" });
    expect(recognised).toMatchObject({ format, sure });
  });

  test("is the given one, and another likely one is reported", async () => {
    const content = "CREATE TABLE A (b VARCHAR2(9));";
    const { recognised, document } = await readContent(content, { modelKey: "m", format: "postgresql" });
    const because = expect.stringMatching(/^format says so/);
    expect(recognised).toMatchObject({ format: "postgresql", sure: "possible", because });
    expect(recognised.others.map(({ format }) => format)).toEqual(["oracle"]);
    expect(document.entities[0]?.key).toBe("a");
  });

  test("cannot be requested for a text of another format", async () => {
    const problem = await problemOf(readContent("CREATE TABLE a (b int);", { format: "dbml" }));
    expect(problem.message).toContain("it is a text in standard SQL (sql)");
  });
});

const EXAMPLES: readonly (readonly [name: string, source: object])[] = [
  ["an OpenAPI document of another version", { openapi: "4.0.0", info: { title: "x", version: "1" }, paths: {} }],
  ["a Swagger document", { swagger: "2.0", info: {}, paths: {}, definitions: {} }],
  ["an AsyncAPI document", { asyncapi: "3.0.0", channels: {} }],
  ["an Iceberg table", { "format-version": 2, "table-uuid": "x", schemas: [] }],
  ["an Iceberg table", { type: "struct", "schema-id": 0, fields: [{ id: 1, name: "a", type: "long" }] }],
  ["a struct schema of Spark or Kafka Connect", { type: "struct", fields: [{ name: "a", type: "string" }] }],
  ["a Terraform state", { version: 4, terraform_version: "1.9.0", resources: [{ mode: "managed", type: "aws_s3" }] }],
  ["a CKAN package", { id: "1", name: "x", owner_org: "o", num_resources: 1, resources: [{ id: "2", url: "x.csv" }] }],
  ["a CKAN package", { success: true, result: { name: "x", license_id: "cc", resources: [{ package_id: "1" }] } }],
  [
    "a dbt artifact other than a manifest",
    { metadata: { dbt_schema_version: "https://schemas.getdbt.com/dbt/catalog/v1.json" }, nodes: {} },
  ],
  ["a dbt project", { name: "shop", version: "1.0", "model-paths": ["models"] }],
  ["an Open Data Contract of another version", { apiVersion: "v2.2.2", kind: "DataContract", id: "x", schema: [] }],
  ["a data contract", { dataContractSpecification: "1.2.0", id: "x", models: {} }],
  ["a Kubernetes manifest", { apiVersion: "kustomize.config.k8s.io/v1", kind: "Kustomization", resources: ["a.yaml"] }],
  ["a CloudFormation template", { AWSTemplateFormatVersion: "2010-09-09", Parameters: {} }],
  ["a CloudFormation template", { Resources: {} }],
  [
    "an Azure Resource Manager template",
    { $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", resources: [] },
  ],
  ["a Pulumi stack", { version: 3, deployment: { manifest: {}, resources: [] } }],
  ["a Compose file", { services: { web: { image: "nginx" } } }],
  ["a GeoJSON document", { type: "FeatureCollection", features: [] }],
  ["a GeoJSON document", { type: "Feature", geometry: null, properties: {} }],
  ["a GeoJSON document", { type: "Point", coordinates: [1, 2] }],
  ["a TopoJSON document", { type: "Topology", arcs: [], objects: {} }],
  ["a STAC document", { stac_version: "1.0.0", type: "Catalog", links: [] }],
  ["a FHIR resource", { resourceType: "StructureDefinition", snapshot: {} }],
  ["a GraphQL schema", { data: { __schema: { types: [] } } }],
  ["a CSVW document", { "@context": ["http://www.w3.org/ns/csvw", { "@language": "en" }], url: "x.csv" }],
  ["a DCAT catalogue", { conformsTo: "https://project-open-data.cio.gov/v1.1/schema", dataset: [] }],
  ["a JSON-LD document", { "@context": "https://schema.org/", "@type": "Dataset", name: "x" }],
  ["an Elasticsearch mapping", { mappings: { properties: { a: { type: "keyword" } } } }],
  ["a BigQuery table", { kind: "bigquery#table", tableReference: {}, schema: { fields: [] } }],
  ["a Glue table", { Name: "t", StorageDescriptor: { Columns: [] } }],
  ["a Jupyter notebook", { cells: [], metadata: {}, nbformat: 4 }],
  ["a CycloneDX bill of materials", { bomFormat: "CycloneDX", specVersion: "1.6", components: [] }],
  ["an SPDX bill of materials", { spdxVersion: "SPDX-2.3", packages: [] }],
  ["a package.json of npm", { name: "x", version: "1.0.0", scripts: { test: "x" } }],
  ["a package.json of npm", { name: "x", version: "1.0.0", lockfileVersion: 3, packages: {} }],
  ["a model document of another version", { $schema: "urn:metaction:model:99" }],
  ["a Medatarun model of another version", { $schema: "https://example.com/medatarun-model-2.0.json" }],
  ["a model document without its $schema", { key: "crm", version: "0.0.1", types: [], entities: [] }],
  ["a Frictionless catalog", { datasets: [{ name: "x", package: "datapackage.json" }] }],
  ["a single Data Resource", { name: "x", path: "x.csv", profile: "tabular-data-resource", schema: { fields: [] } }],
  ["a Table Dialect", { $schema: "https://datapackage.org/profiles/2.0/tabledialect.json", delimiter: ";" }],
];

describe("a descriptor of another format", () => {
  test.each(EXAMPLES)("is refused with the name of the format: %s (%#)", async (name, source) => {
    const problem = await problemOf(readContent(source));
    expect(problem.code).toBe("source_not_recognised");
    expect(problem.message).toContain(`: it is ${name}`);
  });

  test("has an example here for each format", () => {
    const named = new Set(EXAMPLES.map(([, source]) => matchOtherFormats(source)[0]?.name));
    expect(Object.keys(OTHER_FORMATS).filter((name) => !named.has(name))).toEqual([]);
    expect(matchOtherFormats({ type: "Feature", cells: [] })).toEqual([]);
  });

  test.each([
    ["a BigQuery schema", [{ name: "a", type: "STRING", mode: "NULLABLE" }]],
    ["a list of Table Schema fields", [{ name: "a", type: "string" }]],
    ["not an object", []],
    ["not an object", [1]],
  ])("that is a list is %s (%#)", async (name, source) =>
    expect((await problemOf(readContent(source))).message).toContain(`it is ${name}`));

  test.each([
    ["a Protocol Buffers file", 'syntax = "proto3";'],
    ["a GraphQL schema", "type A { b: Int }"],
    ["an HTML or XML page", "<xs:schema/>"],
  ])("that is a text is %s", async (name, content) => {
    const problem = await problemOf(readContent(content));
    expect(problem).toMatchObject({ code: "source_not_recognised" });
    expect(problem.message).toContain(`it is ${name}`);
  });

  test.each([
    ["SQL", "-- a dump\nCREATE TABLE customer (id int);"],
    ["SQL", "/* x */ insert into a values (1)"],
    ["DBML", "// shop\nTable users {\n id int\n}"],
    ["DBML", "Project shop {\n}"],
    ["a Prisma schema", "datasource db {\n}"],
    ["a GraphQL schema", '"""A user"""\ntype User {\n id: ID!\n}'],
    ["a Mermaid diagram", "erDiagram\n A ||--o{ B : has"],
    ["an HTML or XML page", "\n<xml/>"],
    [undefined, '{"a": 1}'],
    [undefined, "name,title\n1,2"],
    [undefined, "name: a\nfields: []"],
    [undefined, "table: a\nfields: []"],
    [undefined, "create : a\nselect: 1"],
    ["DBML", "Enum status {\n  new\n}\nTable a [note: 'x'] {\n  id int\n}"],
    ["a GraphQL schema", "enum Status {\n  NEW\n}\ntype A {\n  id: ID\n}"],
  ])("that is not JSON: %s (%#)", (name, text) => {
    if (name === undefined) expect(recogniseText(text)).toBeUndefined();
    else expect(recogniseText(text)).toContain(name);
  });
});

const fields = [{ name: "a", type: "string" }];

const resources = [{ name: "r", path: "r.csv" }];
const $schema = "https://datapackage.org/profiles/2.0/datapackage.json";

test.each([
  ["a Data Package of CKAN", { owner_org: "o", num_resources: 1, resources: [{ name: "r", schema: { fields } }] }],
  ["by its profile", { profile: "data-package", license_id: "x", resources }],
  ["by its $schema", { $schema, owner_org: "o", resources }],
  ["a Table Schema with a JSON Schema's $schema", { $schema: "http://json-schema.org/draft-07/schema#", fields }],
  ["a Table Schema with an $id and scripts", { $id: "x", scripts: {}, "@context": "x", fields }],
  ["a Table Schema with an unknown type", { type: "table", fields }],
])("a Frictionless descriptor with members of another format is read: %s", async (_, source) =>
  expect((await readContent({ name: "x", ...source })).document.key).toBe("x"));
