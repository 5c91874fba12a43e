import { defineTable } from "./table.ts";

/*
 * Names that mean the same in most languages. Where languages differ, a parameter is left out: a `timestamp` has a
 * time zone in some databases and none in others. These types are for models without a known dialect, for dialects
 * without a table, and for types that the table of a dialect does not contain.
 */

const DOCS = "https://www.postgresql.org/docs/current";

/** Types with the same meaning in most dialects. */
export const COMMON = defineTable(
  "any dialect",
  {
    sql: `${DOCS}/features.html`,
    numeric: `${DOCS}/datatype-numeric.html`,
    character: `${DOCS}/datatype-character.html`,
    datetime: `${DOCS}/datatype-datetime.html`,
    arrow: "https://arrow.apache.org/docs/format/Columnar.html#data-types",
    iceberg: "https://iceberg.apache.org/spec/#schemas-and-data-types",
    substrait: "https://substrait.io/types/type_classes/",
    json: "https://json-schema.org/draft/2020-12/json-schema-validation",
    dbml: "https://dbml.dbdiagram.io/docs/",
  },
  [
    ["string|text|str|utf8|clob|nclob|ntext|tinytext|mediumtext|longtext|markdown|html", { type: "string" }, "arrow"],
    ["email|url|uri|link|hostname|phone", { type: "string" }, "json"],
    [
      "varchar|character varying|varchar2|nvarchar|nvarchar2|char varying|string_view",
      { type: "string" },
      "character",
      "maxLength",
    ],
    ["char|character|nchar|fixedchar|bpchar", { type: "string", fixed: true }, "character", "maxLength"],
    ["smallint|int2|int16|i16|short", { type: "integer", bits: 16 }, "numeric", "width"],
    ["int|int4|int32|i32", { type: "integer", bits: 32 }, "numeric", "width"],
    ["bigint|int64|i64|long", { type: "integer", bits: 64 }, "numeric", "width"],
    ["tinyint|i8|byte", { type: "integer", bits: 8 }, "arrow", "width"],
    ["mediumint", { type: "integer", bits: 24 }, "numeric", "width"],
    ["integer", { type: "integer" }, "json", "width"],
    ["uint8|u8", { type: "integer", bits: 8, signed: false }, "arrow"],
    ["uint16|u16", { type: "integer", bits: 16, signed: false }, "arrow"],
    ["uint32|u32|uint", { type: "integer", bits: 32, signed: false }, "arrow"],
    ["uint64|u64", { type: "integer", bits: 64, signed: false }, "arrow"],
    ["serial", { type: "integer", bits: 32 }, "numeric"],
    ["bigserial", { type: "integer", bits: 64 }, "numeric"],
    ["year", { type: "integer" }, "json"],
    ["decimal|numeric|dec|number|money|decimal128|decimal256", { type: "decimal" }, "sql", "precision", "scale"],
    ["float", { type: "float" }, "numeric", "digits"],
    ["real|float4|float32|fp32", { type: "float", bits: 32 }, "numeric"],
    ["double precision|double|float8|float64|fp64", { type: "float", bits: 64 }, "numeric"],
    ["boolean|bool|flag|logical|bit(1)", { type: "boolean" }, "sql"],
    ["date|date32", { type: "date" }, "datetime"],
    ["time|time32|time64", { type: "time" }, "datetime", "precision"],
    ["timetz|time with time zone", { type: "time", zone: true }, "datetime", "precision"],
    ["time without time zone", { type: "time", zone: false }, "datetime", "precision"],
    ["timestamp|datetime|date-time|datetime2", { type: "timestamp" }, "datetime", "precision"],
    [
      "timestamptz|timestamp with time zone|timestamp_tz|timestamp_ltz|datetimeoffset|instant",
      { type: "timestamp", zone: true },
      "iceberg",
      "precision",
    ],
    [
      "timestamp without time zone|timestamp_ntz|smalldatetime",
      { type: "timestamp", zone: false },
      "datetime",
      "precision",
    ],
    ["interval|duration", { type: "interval" }, "substrait"],
    ["uuid|guid|uniqueidentifier", { type: "uuid" }, "substrait"],
    ["binary|fixedbinary|fixed", { type: "binary", fixed: true }, "substrait", "maxLength"],
    ["varbinary|bytes|bytea|blob|tinyblob|mediumblob|longblob|raw|image", { type: "binary" }, "iceberg", "maxLength"],
    ["bit|varbit|bit varying", { type: "bits" }, "sql", "length"],
    ["json|jsonb|variant", { type: "json" }, "json"],
    ["xml", { type: "xml" }, "sql"],
    ["enum", { type: "enum", values: [] }, "dbml", "values"],
    ["array|list|set", { type: "array" }, "iceberg"],
    ["map", { type: "map" }, "iceberg"],
    ["struct|record|row|object", { type: "record" }, "iceberg"],
    ["geometry|geojson", { type: "geometry" }, "iceberg"],
    ["geography", { type: "geometry", form: "geography" }, "iceberg"],
    ["geopoint|point", { type: "geometry", form: "point" }, "iceberg"],
    ["inet|ip", { type: "network" }, "sql"],
    ["ipv4", { type: "network", form: "ipv4" }, "json"],
    ["ipv6", { type: "network", form: "ipv6" }, "json"],
    ["any|unknown", { type: "any" }, "arrow"],
  ],
);
