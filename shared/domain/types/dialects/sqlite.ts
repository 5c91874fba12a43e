import { defineTable } from "./table.ts";

const DOCS = "https://www.sqlite.org";

/*
 * SQLite takes any name as a type and keeps what its affinity says. The rows are the names that its documentation
 * mentions, with what people mean by them; dates have no storage class of their own.
 */

/** Types of SQLite. All integers have 64 bits, and lengths are not enforced. */
export const SQLITE = defineTable(
  "SQLite",
  {
    affinity: `${DOCS}/datatype3.html#determination_of_column_affinity`,
    examples: `${DOCS}/datatype3.html#affinity_name_examples`,
    dates: `${DOCS}/datatype3.html#date_and_time_datatype`,
    strict: `${DOCS}/stricttables.html`,
    json: `${DOCS}/json1.html`,
  },
  [
    [
      "integer|int|bigint|smallint|mediumint|tinyint|int2|int4|int8|unsigned big int",
      { type: "integer", bits: 64 },
      "examples",
      "width",
    ],
    ["real|double|double precision|float", { type: "float", bits: 64 }, "examples", "width", "width"],
    ["text|clob", { type: "string" }, "examples", "width"],
    [
      "varchar|nvarchar|character varying|varying character|native character|varchar2",
      { type: "string" },
      "examples",
      "maxLength",
    ],
    ["char|character|nchar", { type: "string" }, "examples", "maxLength"],
    ["blob", { type: "binary" }, "examples", "width"],
    ["numeric|decimal", { type: "decimal" }, "examples", "precision", "scale"],
    ["boolean|bool", { type: "boolean" }, "examples"],
    ["date", { type: "date" }, "dates"],
    ["datetime|timestamp", { type: "timestamp" }, "dates", "width"],
    ["time", { type: "time" }, "dates", "width"],
    ["json", { type: "json", verbatim: true }, "json"],
    ["uuid|guid", { type: "uuid" }, "affinity"],
    ["any", { type: "any" }, "strict"],
  ],
  [
    ["int", { type: "integer", bits: 64 }],
    ["char", { type: "string" }],
    ["clob", { type: "string" }],
    ["text", { type: "string" }],
    ["blob", { type: "binary" }],
    ["real", { type: "float", bits: 64 }],
    ["floa", { type: "float", bits: 64 }],
    ["doub", { type: "float", bits: 64 }],
  ],
);
