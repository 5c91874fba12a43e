import type { LogicalType } from "../logical/logical-type.ts";
import { defineTable } from "./table.ts";

const DOCS = "https://docs.oracle.com/en/database/oracle/oracle-database/23/sqlrf/Data-Types.html";

const BYTES: LogicalType = { type: "string", unit: "byte" };
const UTF16: LogicalType = { type: "string", unit: "utf16" };
/** ANSI integers are numbers of 38 digits. */
const WHOLE: LogicalType = { type: "decimal", precision: 38, scale: 0 };

/** Types of Oracle. Lengths are in bytes unless the type says `CHAR`. */
export const ORACLE = defineTable(
  "Oracle",
  {
    types: DOCS,
    ansi: "https://docs.oracle.com/en/database/oracle/oracle-database/23/sqlrf/ANSI-DB2-and-SQL-DS-Data-Types.html",
  },
  [
    ["number", { type: "decimal" }, "types", "precision", "scale"],
    ["numeric|decimal|dec", WHOLE, "ansi", "precision", "scale"],
    ["integer|int|smallint", WHOLE, "ansi"],
    ["float|double precision|real", { type: "float" }, "ansi"],
    ["binary_float", { type: "float", bits: 32 }, "types"],
    ["binary_double", { type: "float", bits: 64 }, "types"],
    ["varchar2|varchar|character varying|char varying", BYTES, "types", "maxLength"],
    ["char|character", { ...BYTES, maxLength: 1, fixed: true }, "types", "maxLength"],
    ["nvarchar2|nchar varying|national char varying|national character varying", UTF16, "types", "maxLength"],
    ["nchar|national char|national character", { ...UTF16, maxLength: 1, fixed: true }, "types", "maxLength"],
    ["clob|character large object", { type: "string" }, "types"],
    ["nclob", { type: "string" }, "types"],
    ["long", { type: "string" }, "types"],
    ["blob|binary large object", { type: "binary" }, "types"],
    ["raw", { type: "binary" }, "types", "maxLength"],
    ["long raw", { type: "binary" }, "types"],
    ["bfile", { type: "binary" }, "types"],
    // A date of Oracle has a time.
    ["date", { type: "timestamp", precision: 0, zone: false }, "types"],
    ["timestamp", { type: "timestamp", precision: 6, zone: false }, "types", "precision"],
    ["timestamp with time zone", { type: "timestamp", precision: 6, zone: true }, "types", "precision"],
    ["timestamp with local time zone", { type: "timestamp", precision: 6, zone: true }, "types", "precision"],
    ["interval", { type: "interval" }, "types"],
    ["rowid", { type: "string", maxLength: 18, unit: "byte" }, "types"],
    ["urowid", { type: "string", maxLength: 4000, unit: "byte" }, "types", "maxLength"],
    ["boolean|bool", { type: "boolean" }, "types"],
    ["json", { type: "json" }, "types"],
    ["xmltype|sys.xmltype", { type: "xml" }, "types"],
    ["sdo_geometry|mdsys.sdo_geometry", { type: "geometry" }, "types"],
  ],
);
