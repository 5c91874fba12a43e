import type { LogicalType } from "../logical/logical-type.ts";
import { defineTable } from "./table.ts";

const INT8: LogicalType = { type: "integer", bits: 8 };
const INT16: LogicalType = { type: "integer", bits: 16 };
const INT32: LogicalType = { type: "integer", bits: 32 };
const INT64: LogicalType = { type: "integer", bits: 64 };
const FLOAT32: LogicalType = { type: "float", bits: 32 };
const FLOAT64: LogicalType = { type: "float", bits: 64 };
const STRING: LogicalType = { type: "string" };
const NTZ: LogicalType = { type: "timestamp", precision: 6, zone: false };
const INSTANT: LogicalType = { type: "timestamp", precision: 6, zone: true };
const TIME: LogicalType = { type: "time", precision: 6, zone: false };

const SNOWFLAKE_DOCS = "https://docs.snowflake.com/en/sql-reference";
const NUMBER38: LogicalType = { type: "decimal", precision: 38, scale: 0 };

/** Types of Snowflake. Its integers are numbers of 38 digits, and its floating-point numbers have 64 bits. */
export const SNOWFLAKE = defineTable(
  "Snowflake",
  {
    numeric: `${SNOWFLAKE_DOCS}/data-types-numeric`,
    text: `${SNOWFLAKE_DOCS}/data-types-text`,
    logical: `${SNOWFLAKE_DOCS}/data-types-logical`,
    datetime: `${SNOWFLAKE_DOCS}/data-types-datetime`,
    semistructured: `${SNOWFLAKE_DOCS}/data-types-semistructured`,
    structured: `${SNOWFLAKE_DOCS}/data-types-structured`,
    geospatial: `${SNOWFLAKE_DOCS}/data-types-geospatial`,
  },
  [
    ["number|decimal|dec|numeric", NUMBER38, "numeric", "precision", "scale"],
    ["int|integer|bigint|smallint|tinyint|byteint", NUMBER38, "numeric"],
    ["float|float4|float8|double|double precision|real", FLOAT64, "numeric", "width"],
    ["decfloat", { type: "decimal" }, "numeric"],
    [
      "varchar|string|text|nvarchar|nvarchar2|char varying|nchar varying|character varying",
      STRING,
      "text",
      "maxLength",
    ],
    ["char|character|nchar", { type: "string", maxLength: 1 }, "text", "maxLength"],
    ["binary|varbinary", { type: "binary" }, "text", "maxLength"],
    ["boolean", { type: "boolean" }, "logical"],
    ["date", { type: "date" }, "datetime"],
    ["time", { type: "time", precision: 9, zone: false }, "datetime", "precision"],
    // Without another setting of the account, a timestamp has no time zone.
    [
      "timestamp_ntz|datetime|timestamp|timestampntz|timestamp without time zone",
      { type: "timestamp", precision: 9, zone: false },
      "datetime",
      "precision",
    ],
    [
      "timestamp_ltz|timestampltz|timestamp with local time zone",
      { type: "timestamp", precision: 9, zone: true },
      "datetime",
      "precision",
    ],
    [
      "timestamp_tz|timestamptz|timestamp with time zone",
      { type: "timestamp", precision: 9, zone: true },
      "datetime",
      "precision",
    ],
    ["variant", { type: "json" }, "semistructured"],
    ["array", { type: "array" }, "semistructured"],
    ["object", { type: "record" }, "semistructured"],
    ["map", { type: "map" }, "structured"],
    ["geography", { type: "geometry", form: "geography" }, "geospatial"],
    ["geometry", { type: "geometry" }, "geospatial"],
    ["uuid", { type: "uuid" }, "text"],
  ],
);

/** Types of BigQuery. Its integers and floating-point numbers have 64 bits. */
export const BIGQUERY = defineTable(
  "BigQuery",
  { types: "https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types" },
  [
    ["int64|int|smallint|integer|bigint|tinyint|byteint", INT64, "types"],
    ["float64|float", FLOAT64, "types"],
    ["numeric|decimal", { type: "decimal", precision: 38, scale: 9 }, "types", "precision", "scale"],
    ["bignumeric|bigdecimal", { type: "decimal", precision: 76, scale: 38 }, "types", "precision", "scale"],
    ["bool|boolean", { type: "boolean" }, "types"],
    ["string", STRING, "types", "maxLength"],
    ["bytes", { type: "binary" }, "types", "maxLength"],
    ["date", { type: "date" }, "types"],
    ["time", TIME, "types"],
    ["datetime", NTZ, "types"],
    ["timestamp", INSTANT, "types"],
    ["interval", { type: "interval" }, "types"],
    ["json", { type: "json" }, "types"],
    ["geography", { type: "geometry", form: "geography" }, "types"],
    ["array", { type: "array" }, "types"],
    ["struct|record", { type: "record" }, "types"],
  ],
);

const REDSHIFT_DOCS = "https://docs.aws.amazon.com/redshift/latest/dg";
const SHORT: LogicalType = { type: "string", maxLength: 256, unit: "byte" };

/** Types of Amazon Redshift. Lengths are in bytes. */
export const REDSHIFT = defineTable(
  "Amazon Redshift",
  {
    types: `${REDSHIFT_DOCS}/c_Supported_data_types.html`,
    numeric: `${REDSHIFT_DOCS}/r_Numeric_types201.html`,
    character: `${REDSHIFT_DOCS}/r_Character_types.html`,
    datetime: `${REDSHIFT_DOCS}/r_Datetime_types.html`,
    super: `${REDSHIFT_DOCS}/r_SUPER_type.html`,
  },
  [
    ["smallint|int2", INT16, "numeric"],
    ["integer|int|int4", INT32, "numeric"],
    ["bigint|int8", INT64, "numeric"],
    ["numeric|decimal", { type: "decimal", precision: 18, scale: 0 }, "numeric", "precision", "scale"],
    ["real|float4", FLOAT32, "numeric"],
    ["double precision|float8|float", FLOAT64, "numeric", "digits"],
    ["boolean|bool", { type: "boolean" }, "types"],
    ["varchar|character varying|nvarchar|text", SHORT, "character", "maxLength"],
    ["char|character|nchar", { ...SHORT, maxLength: 1, fixed: true }, "character", "maxLength"],
    ["bpchar", { ...SHORT, fixed: true }, "character"],
    ["date", { type: "date" }, "datetime"],
    ["time|time without time zone", TIME, "datetime"],
    ["timetz|time with time zone", { ...TIME, zone: true }, "datetime"],
    ["timestamp|timestamp without time zone", NTZ, "datetime"],
    ["timestamptz|timestamp with time zone", INSTANT, "datetime"],
    ["interval", { type: "interval" }, "datetime"],
    ["varbyte|varbinary|binary varying", { type: "binary" }, "types", "maxLength"],
    ["super", { type: "json" }, "super"],
    ["geometry", { type: "geometry" }, "types"],
    ["geography", { type: "geometry", form: "geography" }, "types"],
  ],
);

const DATABRICKS_DOCS = "https://docs.databricks.com/aws/en/sql/language-manual/data-types";

/** Types of Spark, Databricks and Hive. */
export const SPARK = defineTable(
  "Spark, Databricks or Hive",
  {
    types: "https://spark.apache.org/docs/latest/sql-ref-datatypes.html",
    variant: `${DATABRICKS_DOCS}/variant-type`,
    geometry: `${DATABRICKS_DOCS}/geometry-type`,
    hive: "https://cwiki.apache.org/confluence/display/Hive/LanguageManual+Types",
  },
  [
    ["tinyint|byte", INT8, "types"],
    ["smallint|short", INT16, "types"],
    ["int|integer", INT32, "types"],
    ["bigint|long", INT64, "types"],
    ["float|real", FLOAT32, "types"],
    ["double|double precision", FLOAT64, "types"],
    ["decimal|dec|numeric", { type: "decimal", precision: 10, scale: 0 }, "types", "precision", "scale"],
    ["boolean", { type: "boolean" }, "types"],
    ["string", STRING, "types"],
    ["varchar", STRING, "types", "maxLength"],
    ["char", { type: "string", fixed: true }, "types", "maxLength"],
    ["binary", { type: "binary" }, "types"],
    ["date", { type: "date" }, "types"],
    ["timestamp|timestamp_ltz", INSTANT, "types"],
    ["timestamp_ntz", NTZ, "types"],
    ["timestamp with local time zone", INSTANT, "hive"],
    ["interval", { type: "interval" }, "types"],
    ["array", { type: "array" }, "types"],
    ["map", { type: "map" }, "types"],
    ["struct", { type: "record" }, "types"],
    ["variant", { type: "json" }, "variant"],
    ["geometry", { type: "geometry" }, "geometry"],
    ["geography", { type: "geometry", form: "geography" }, "geometry"],
  ],
);

const DUCKDB_DOCS = "https://duckdb.org/docs/stable/sql/data_types";
const unsigned = (bits: number): LogicalType => ({ type: "integer", bits, signed: false });

/** Types of DuckDB. Lengths of texts have no effect. */
export const DUCKDB = defineTable(
  "DuckDB",
  {
    types: `${DUCKDB_DOCS}/overview`,
    numeric: `${DUCKDB_DOCS}/numeric`,
    text: `${DUCKDB_DOCS}/text`,
    timestamp: `${DUCKDB_DOCS}/timestamp`,
  },
  [
    ["tinyint|int1", INT8, "numeric"],
    ["smallint|int2|int16|short", INT16, "numeric"],
    ["integer|int|int4|int32|signed", INT32, "numeric"],
    ["bigint|int8|int64|long", INT64, "numeric"],
    ["hugeint|int128", { type: "integer", bits: 128 }, "numeric"],
    ["utinyint|uint8", unsigned(8), "numeric"],
    ["usmallint|uint16", unsigned(16), "numeric"],
    ["uinteger|uint32", unsigned(32), "numeric"],
    ["ubigint|uint64", unsigned(64), "numeric"],
    ["uhugeint|uint128", unsigned(128), "numeric"],
    ["bignum|varint", { type: "integer" }, "numeric"],
    ["decimal|numeric|dec", { type: "decimal", precision: 18, scale: 3 }, "numeric", "precision", "scale"],
    ["float|float4|real", FLOAT32, "numeric"],
    ["double|float8", FLOAT64, "numeric"],
    ["boolean|bool|logical", { type: "boolean" }, "types"],
    ["varchar|char|bpchar|string|text", STRING, "text", "width"],
    ["blob|bytea|binary|varbinary", { type: "binary" }, "types"],
    ["bit|bitstring", { type: "bits", varying: true }, "types"],
    ["date", { type: "date" }, "types"],
    ["time", TIME, "types"],
    ["timestamp|datetime|timestamp without time zone", NTZ, "timestamp"],
    ["timestamp_s", { ...NTZ, precision: 0 }, "timestamp"],
    ["timestamp_ms", { ...NTZ, precision: 3 }, "timestamp"],
    ["timestamp_ns", { ...NTZ, precision: 9 }, "timestamp"],
    ["timestamp with time zone|timestamptz", INSTANT, "timestamp"],
    ["interval", { type: "interval" }, "types"],
    ["uuid", { type: "uuid" }, "types"],
    ["json", { type: "json", verbatim: true }, "types"],
    ["enum", { type: "enum", values: [] }, "types", "values"],
    ["list|array", { type: "array" }, "types"],
    ["map", { type: "map" }, "types"],
    ["struct|row", { type: "record" }, "types"],
    ["union", { type: "any" }, "types"],
  ],
);
