import type { LogicalType } from "../logical/logical-type.ts";
import { defineTable } from "./table.ts";

const DOCS = "https://dev.mysql.com/doc/refman/8.4/en";
const MARIADB = "https://mariadb.com/kb/en";

const text = (maxLength: number): LogicalType => ({ type: "string", maxLength, unit: "byte" });
const blob = (maxLength: number): LogicalType => ({ type: "binary", maxLength });
const shape = (form: string): LogicalType => ({ type: "geometry", form });
/** Lengths of the four sizes of texts and blobs. */
const [TINY, NORMAL, MEDIUM, LONG] = [2 ** 8 - 1, 2 ** 16 - 1, 2 ** 24 - 1, 2 ** 32 - 1] as const;

/** Types of MySQL and MariaDB. The first name of a row is that of the catalog. */
export const MYSQL = defineTable(
  "MySQL or MariaDB",
  {
    integer: `${DOCS}/integer-types.html`,
    boolean: `${DOCS}/numeric-type-syntax.html`,
    fixed: `${DOCS}/fixed-point-types.html`,
    float: `${DOCS}/floating-point-types.html`,
    bit: `${DOCS}/bit-type.html`,
    date: `${DOCS}/datetime.html`,
    time: `${DOCS}/time.html`,
    year: `${DOCS}/year.html`,
    char: `${DOCS}/char.html`,
    binary: `${DOCS}/binary-varbinary.html`,
    blob: `${DOCS}/blob.html`,
    enum: `${DOCS}/enum.html`,
    set: `${DOCS}/set.html`,
    json: `${DOCS}/json.html`,
    spatial: `${DOCS}/spatial-types.html`,
    other: `${DOCS}/other-vendor-data-types.html`,
    uuid: `${MARIADB}/uuid-data-type/`,
    inet: `${MARIADB}/inet6/`,
  },
  [
    // The client libraries read a width of 1 as a truth value, and MySQL only prints this width.
    ["tinyint(1)|bool|boolean", { type: "boolean" }, "boolean", "width"],
    ["tinyint|int1", { type: "integer", bits: 8 }, "integer", "width"],
    ["smallint|int2", { type: "integer", bits: 16 }, "integer", "width"],
    ["mediumint|int3|middleint", { type: "integer", bits: 24 }, "integer", "width"],
    ["int|integer|int4", { type: "integer", bits: 32 }, "integer", "width"],
    ["bigint|int8", { type: "integer", bits: 64 }, "integer", "width"],
    ["bigint unsigned|serial", { type: "integer", bits: 64, signed: false }, "integer", "width"],
    ["decimal|numeric|dec|fixed", { type: "decimal", precision: 10, scale: 0 }, "fixed", "precision", "scale"],
    ["float|float4", { type: "float", bits: 32 }, "float", "digits"],
    ["double|double precision|real|float8", { type: "float", bits: 64 }, "float"],
    ["bit", { type: "bits", length: 1 }, "bit", "length"],
    ["date", { type: "date" }, "date"],
    ["datetime", { type: "timestamp", precision: 0, zone: false }, "date", "precision"],
    ["timestamp", { type: "timestamp", precision: 0, zone: true }, "date", "precision"],
    ["time", { type: "time", precision: 0, zone: false }, "time", "precision"],
    ["year", { type: "integer", bits: 16 }, "year", "width"],
    [
      "char|character|nchar|national char|national character",
      { type: "string", maxLength: 1, fixed: true },
      "char",
      "maxLength",
    ],
    [
      "varchar|character varying|nvarchar|national varchar|varcharacter|char varying|national char varying",
      { type: "string" },
      "char",
      "maxLength",
    ],
    ["tinytext", text(TINY), "blob"],
    ["text", text(NORMAL), "blob", "maxLength"],
    ["mediumtext|long|long varchar", text(MEDIUM), "other"],
    ["longtext", text(LONG), "blob"],
    ["binary", { type: "binary", maxLength: 1, fixed: true }, "binary", "maxLength"],
    ["varbinary", { type: "binary" }, "binary", "maxLength"],
    ["tinyblob", blob(TINY), "blob"],
    ["blob", blob(NORMAL), "blob", "maxLength"],
    ["mediumblob|long varbinary", blob(MEDIUM), "other"],
    ["longblob", blob(LONG), "blob"],
    ["enum", { type: "enum", values: [] }, "enum", "values"],
    ["set", { type: "array", of: { type: "string" } }, "set"],
    ["json", { type: "json" }, "json"],
    ["geometry", { type: "geometry" }, "spatial"],
    ["point", shape("point"), "spatial"],
    ["linestring", shape("path"), "spatial"],
    ["polygon", shape("polygon"), "spatial"],
    ["multipoint", shape("points"), "spatial"],
    ["multilinestring", shape("paths"), "spatial"],
    ["multipolygon", shape("polygons"), "spatial"],
    ["geometrycollection|geomcollection", shape("collection"), "spatial"],
    ["uuid", { type: "uuid" }, "uuid"],
    ["inet6", { type: "network" }, "inet"],
    ["inet4", { type: "network", form: "ipv4" }, "inet"],
  ],
);
