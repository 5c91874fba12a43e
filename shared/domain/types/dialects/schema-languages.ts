import type { LogicalType } from "../logical/logical-type.ts";
import { defineTable } from "./table.ts";

/*
 * In these languages a format may change the meaning of a type: a row such as `string:date` is for the type `string`
 * with the format `date`.
 */

const STRING: LogicalType = { type: "string" };
const INTEGER: LogicalType = { type: "integer" };
const BINARY: LogicalType = { type: "binary" };
const ADDRESS: LogicalType = { type: "network" };

const JSON_SCHEMA_DOCS = "https://json-schema.org/draft/2020-12/json-schema-validation#section";
const OPENAPI_FORMATS = "https://spec.openapis.org/registry/format";

/** Types and formats of JSON Schema and OpenAPI. Times have an offset, as RFC 3339 requires. */
export const JSON_SCHEMA = defineTable(
  "JSON Schema",
  { types: `${JSON_SCHEMA_DOCS}-6.1.1`, formats: `${JSON_SCHEMA_DOCS}-7.3`, openapi: OPENAPI_FORMATS },
  [
    ["string", STRING, "types"],
    ["string:date", { type: "date" }, "formats"],
    ["string:date-time", { type: "timestamp", zone: true }, "formats"],
    ["string:time", { type: "time", zone: true }, "formats"],
    ["string:duration", { type: "interval" }, "formats"],
    ["string:uuid", { type: "uuid" }, "formats"],
    ["string:ipv4", { ...ADDRESS, form: "ipv4" }, "formats"],
    ["string:ipv6", { ...ADDRESS, form: "ipv6" }, "formats"],
    ["string:byte|string:binary|string:base64url", BINARY, "openapi"],
    ["integer", INTEGER, "types"],
    ["integer:int8", { type: "integer", bits: 8 }, "openapi"],
    ["integer:int16", { type: "integer", bits: 16 }, "openapi"],
    ["integer:int32", { type: "integer", bits: 32 }, "openapi"],
    ["integer:int64", { type: "integer", bits: 64 }, "openapi"],
    ["integer:uint8", { type: "integer", bits: 8, signed: false }, "openapi"],
    ["integer:uint16", { type: "integer", bits: 16, signed: false }, "openapi"],
    ["integer:uint32", { type: "integer", bits: 32, signed: false }, "openapi"],
    ["integer:uint64", { type: "integer", bits: 64, signed: false }, "openapi"],
    ["number", { type: "decimal" }, "types"],
    ["number:float", { type: "float", bits: 32 }, "openapi"],
    ["number:double", { type: "float", bits: 64 }, "openapi"],
    ["number:decimal|string:decimal", { type: "decimal" }, "openapi"],
    ["boolean", { type: "boolean" }, "types"],
    ["array", { type: "array" }, "types"],
    ["object", { type: "record" }, "types"],
    ["any", { type: "any" }, "types"],
  ],
);

const AVRO_DOCS = "https://avro.apache.org/docs/1.12.0/specification";

/** Types and logical types of Avro. */
export const AVRO = defineTable(
  "Avro",
  {
    primitive: `${AVRO_DOCS}/#primitive-types`,
    complex: `${AVRO_DOCS}/#complex-types-1`,
    logical: `${AVRO_DOCS}/#logical-types`,
  },
  [
    ["boolean", { type: "boolean" }, "primitive"],
    ["int", { type: "integer", bits: 32 }, "primitive"],
    ["long", { type: "integer", bits: 64 }, "primitive"],
    ["float", { type: "float", bits: 32 }, "primitive"],
    ["double", { type: "float", bits: 64 }, "primitive"],
    ["bytes", BINARY, "primitive"],
    ["string", STRING, "primitive"],
    ["fixed", { ...BINARY, fixed: true }, "complex"],
    ["array", { type: "array" }, "complex"],
    ["map", { type: "map", keys: STRING }, "complex"],
    ["record", { type: "record" }, "complex"],
    ["union", { type: "any" }, "complex"],
    ["decimal|big-decimal", { type: "decimal" }, "logical", "precision", "scale"],
    ["uuid", { type: "uuid" }, "logical"],
    ["date", { type: "date" }, "logical"],
    ["time-millis", { type: "time", precision: 3, zone: false }, "logical"],
    ["time-micros", { type: "time", precision: 6, zone: false }, "logical"],
    ["timestamp-millis", { type: "timestamp", precision: 3, zone: true }, "logical"],
    ["timestamp-micros", { type: "timestamp", precision: 6, zone: true }, "logical"],
    ["timestamp-nanos", { type: "timestamp", precision: 9, zone: true }, "logical"],
    ["local-timestamp-millis", { type: "timestamp", precision: 3, zone: false }, "logical"],
    ["local-timestamp-micros", { type: "timestamp", precision: 6, zone: false }, "logical"],
    ["local-timestamp-nanos", { type: "timestamp", precision: 9, zone: false }, "logical"],
    ["duration", { type: "interval" }, "logical"],
  ],
);

const TABLE_SCHEMA_DOCS = "https://datapackage.org/standard/table-schema/#field-types";

/** Types and formats of Frictionless Table Schemas. */
export const TABLE_SCHEMA = defineTable("Table Schema", { types: TABLE_SCHEMA_DOCS }, [
  ["string", STRING, "types"],
  ["string:uuid", { type: "uuid" }, "types"],
  ["string:binary", BINARY, "types"],
  ["integer", INTEGER, "types"],
  ["number", { type: "decimal" }, "types"],
  ["boolean", { type: "boolean" }, "types"],
  ["date", { type: "date" }, "types"],
  ["datetime", { type: "timestamp" }, "types"],
  ["time", { type: "time" }, "types"],
  ["year", INTEGER, "types"],
  ["yearmonth", { type: "string", maxLength: 7 }, "types"],
  ["duration", { type: "interval" }, "types"],
  ["object", { type: "record" }, "types"],
  ["array|list", { type: "array" }, "types"],
  ["geopoint", { type: "geometry", form: "point" }, "types"],
  ["geojson", { type: "geometry" }, "types"],
  ["any", { type: "any" }, "types"],
]);

const ODCS_DOCS = "https://bitol-io.github.io/open-data-contract-standard/latest/schema/#logical-type-options";

/** Logical types of Open Data Contracts, with the formats of their options. */
export const ODCS = defineTable("Open Data Contract Standard", { types: ODCS_DOCS }, [
  ["string", STRING, "types"],
  ["string:uuid", { type: "uuid" }, "types"],
  ["string:ipv4", { ...ADDRESS, form: "ipv4" }, "types"],
  ["string:ipv6", { ...ADDRESS, form: "ipv6" }, "types"],
  ["string:binary|string:byte", BINARY, "types"],
  ["integer", INTEGER, "types"],
  ...[8, 16, 32, 64, 128].flatMap((bits) => [
    [`integer:i${bits}`, { type: "integer", bits }, "types"] as const,
    [`integer:u${bits}`, { type: "integer", bits, signed: false }, "types"] as const,
  ]),
  ["number", { type: "decimal" }, "types"],
  ["number:f32", { type: "float", bits: 32 }, "types"],
  ["number:f64", { type: "float", bits: 64 }, "types"],
  ["boolean", { type: "boolean" }, "types"],
  ["date", { type: "date" }, "types"],
  ["timestamp", { type: "timestamp" }, "types"],
  ["time", { type: "time" }, "types"],
  ["object", { type: "record" }, "types"],
  ["array", { type: "array" }, "types"],
  ["map", { type: "map" }, "types"],
]);
