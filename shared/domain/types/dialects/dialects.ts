import type { Properties } from "../../values/properties.ts";
import { COMMON } from "./any-dialect.ts";
import { MYSQL } from "./mysql.ts";
import { ORACLE } from "./oracle.ts";
import { POSTGRESQL } from "./postgresql.ts";
import { AVRO, JSON_SCHEMA, ODCS, TABLE_SCHEMA } from "./schema-languages.ts";
import { SQLITE } from "./sqlite.ts";
import type { DialectTable } from "./table.ts";
import { TSQL } from "./tsql.ts";
import { BIGQUERY, DUCKDB, REDSHIFT, SNOWFLAKE, SPARK } from "./warehouses.ts";

/** Dialects with a table of types. The dialect `common` is for models without a known one. */
export const DIALECT_TABLES = {
  common: COMMON,
  postgresql: POSTGRESQL,
  mysql: MYSQL,
  sqlite: SQLITE,
  tsql: TSQL,
  oracle: ORACLE,
  snowflake: SNOWFLAKE,
  bigquery: BIGQUERY,
  redshift: REDSHIFT,
  spark: SPARK,
  duckdb: DUCKDB,
  jsonschema: JSON_SCHEMA,
  avro: AVRO,
  frictionless: TABLE_SCHEMA,
  odcs: ODCS,
} as const satisfies Readonly<Record<string, DialectTable>>;

export type TypeDialect = keyof typeof DIALECT_TABLES;

/** Other names of dialects: of the reader of SQL, of adapters of dbt and of servers in data contracts. */
const SYNONYMS: Readonly<Record<string, TypeDialect>> = {
  postgres: "postgresql",
  cockroachdb: "postgresql",
  alloydb: "postgresql",
  greenplum: "postgresql",
  mariadb: "mysql",
  sqlserver: "tsql",
  synapse: "tsql",
  fabric: "tsql",
  azure: "tsql",
  databricks: "spark",
  hive: "spark",
  impala: "spark",
  glue: "spark",
  athena: "spark",
  motherduck: "duckdb",
  openapi: "jsonschema",
};

/** Returns the dialect with this name; undefined if it has no table. */
export function findDialectByName(name: unknown): TypeDialect | undefined {
  if (typeof name !== "string") return undefined;
  const key = name.toLowerCase();
  if (Object.hasOwn(SYNONYMS, key)) return SYNONYMS[key];
  return Object.hasOwn(DIALECT_TABLES, key) ? (key as TypeDialect) : undefined;
}

/** Dialects of a model. */
export interface ModelDialects {
  /** Dialect of the keys of its types. */
  readonly types?: TypeDialect;
  /** Dialect of the database, which the physical types of a data contract are of. */
  readonly physical?: TypeDialect;
}

/** Properties of a model with the name of its dialect, and the dialects of the other namespaces. */
const NAME_PROPERTIES = ["sql:dialect", "dbt:adapter_type"];
const NAMESPACES: Readonly<Record<string, TypeDialect>> = {
  jsonschema: "jsonschema",
  openapi: "jsonschema",
  avro: "avro",
  frictionless: "frictionless",
  odcs: "odcs",
};

/** Returns the dialects of a model, by its properties or by those of one of its parts. */
export function findDialects(properties: Properties = {}): ModelDialects {
  for (const name of NAME_PROPERTIES) {
    if (!(name in properties)) continue;
    const dialect = findDialectByName(properties[name]) ?? "common";
    return { types: dialect, physical: dialect };
  }
  for (const name of Object.keys(properties)) {
    const namespace = name.slice(0, Math.max(0, name.indexOf(":")));
    const types = Object.hasOwn(NAMESPACES, namespace) ? NAMESPACES[namespace] : undefined;
    if (types === "odcs") return { types, ...findContractDialect(properties) };
    if (types) return { types };
  }
  return {};
}

/** Returns the dialect that a data contract names as a custom property, or that of its first server with a table. */
function findContractDialect(properties: Properties): Pick<ModelDialects, "physical"> {
  const custom = listObjects(properties["odcs:customProperties"]);
  const own = custom.filter(({ property }) => NAME_PROPERTIES.some((name) => name === property));
  const names = [...own.map(({ value }) => value), ...listObjects(properties["odcs:servers"]).map(({ type }) => type)];
  const physical = names.map(findDialectByName).find((one) => one !== undefined);
  return physical ? { physical } : {};
}

function listObjects(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
