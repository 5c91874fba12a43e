import { createTypeChooser } from "../choose-type.ts";
import type { DdlDialect } from "../dialect.ts";
import { listFunctions } from "../functions.ts";

/** Snowflake. It stores keys and foreign keys without enforcing them, and has neither checks nor indexes. */
export const SNOWFLAKE: DdlDialect = {
  dialect: "snowflake",
  name: "Snowflake",
  names: { open: '"', close: '"', maxLength: 255, unit: "character", isCaseless: false, hasSchemas: true },
  literals: {
    prefix: "",
    escapes: "backslashes",
    false: "FALSE",
    true: "TRUE",
    castsTimes: true,
    hasZones: true,
    allowsRequiredNull: false,
  },
  chooseType: createTypeChooser({
    dialect: "snowflake",
    templates: {
      string: [["VARCHAR(n)", { maxLength: 16_777_216 }], "VARCHAR"],
      integer: [["NUMBER(d)", { maxPrecision: 38 }], "NUMBER(38,0)"],
      decimal: [["NUMBER(p,s)", { maxPrecision: 38, maxScale: 37, usual: [38, 10] }]],
      float: ["FLOAT"],
      boolean: ["BOOLEAN"],
      date: ["DATE"],
      time: [["TIME(f)", { maxPrecision: 9 }]],
      timestamp: [
        ["TIMESTAMP_NTZ(f)", { maxPrecision: 9 }],
        ["TIMESTAMP_TZ(f)", { maxPrecision: 9 }],
      ],
      interval: ["VARCHAR(100)"],
      uuid: ["VARCHAR(36)"],
      binary: [["BINARY(n)", { maxLength: 8_388_608 }], "BINARY"],
      bits: ["VARCHAR"],
      json: ["VARIANT"],
      xml: ["VARCHAR"],
      enum: ["VARCHAR"],
      array: ["ARRAY", "VARIANT"],
      map: ["VARIANT"],
      record: ["OBJECT", "VARIANT"],
      geometry: ["GEOMETRY", "GEOGRAPHY"],
      network: ["VARCHAR(43)"],
      any: ["VARCHAR"],
    },
  }),
  enums: "checks",
  formatLength: undefined,
  keys: {
    maxColumns: 1_000,
    maxTableColumns: 2_000,
    unkeyed: /^(variant|array|object|map|geography|geometry)\b/i,
    hasUnique: true,
    suffix: "",
  },
  references: { place: "statement", suffix: "", actions: [], targets: "keys", joins: "family" },
  identity: {
    clause: "AUTOINCREMENT",
    needs: "nothing",
    types: /^(int|integer|bigint|smallint|number|decimal|numeric)\b(?!\(\d+,\s*[1-9])/i,
    isSingle: false,
  },
  views: { before: "", after: "", materialized: true },
  comments: { place: "clauses", table: 16_000, column: 16_000 },
  functions: listFunctions(
    "ARRAY_AGG ARRAY_CONSTRUCT CURRENT_USER CURRENT_ROLE DATEADD DATEDIFF DATE_TRUNC DECODE IFF IFNULL INITCAP LAG LEAD",
    "LISTAGG MD5 NVL NVL2 OBJECT_CONSTRUCT PARSE_JSON RANDOM SHA2 SPLIT SPLIT_PART SYSDATE TO_ARRAY TO_BINARY TO_CHAR",
    "TO_DATE TO_GEOGRAPHY TO_NUMBER TO_TIMESTAMP TO_TIMESTAMP_LTZ TO_TIMESTAMP_NTZ TO_TIMESTAMP_TZ TO_VARCHAR TO_VARIANT",
    "TRY_CAST TRY_PARSE_JSON UUID_STRING YEAR ZEROIFNULL",
  ),
  expressions: { now: "CURRENT_TIMESTAMP()", today: "CURRENT_DATE()", uuid: "UUID_STRING()" },
  needsColumns: true,
};
