import { createTypeChooser } from "../choose-type.ts";
import type { DdlDialect } from "../dialect.ts";
import { listFunctions } from "../functions.ts";

/** BigQuery. Keys and foreign keys are not enforced; it has neither unique keys nor checks. */
export const BIGQUERY: DdlDialect = {
  dialect: "bigquery",
  name: "BigQuery",
  names: {
    ...{ open: "`", close: "`", maxLength: 300, unit: "character", isCaseless: true, hasSchemas: true },
    forbidden: /[^\p{L}\p{M}\p{N}\p{Pc}\p{Pd}\p{Zs}]+|\s+$/gu,
  },
  literals: {
    json: (quoted) => `JSON ${quoted}`,
    prefix: "",
    escapes: "codes",
    false: "FALSE",
    true: "TRUE",
    hasZones: true,
    allowsRequiredNull: false,
  },
  chooseType: createTypeChooser({
    dialect: "bigquery",
    templates: {
      string: ["STRING(n)", "STRING"],
      integer: ["INT64", ["NUMERIC(d)", { maxPrecision: 29 }], ["BIGNUMERIC(d)", { maxPrecision: 38 }], "BIGNUMERIC"],
      decimal: [
        ["NUMERIC(p,s)", { maxPrecision: 38, maxScale: 9, usual: [38, 9] }],
        ["BIGNUMERIC(p,s)", { maxPrecision: 76, maxScale: 38, usual: [76, 38] }],
      ],
      float: ["FLOAT64"],
      boolean: ["BOOL"],
      date: ["DATE"],
      time: ["TIME"],
      timestamp: ["DATETIME", "TIMESTAMP"],
      interval: ["INTERVAL"],
      uuid: ["STRING(36)"],
      binary: ["BYTES(n)", "BYTES"],
      bits: ["STRING"],
      json: ["JSON"],
      xml: ["STRING"],
      enum: ["STRING"],
      array: ["ARRAY<of>", "JSON"],
      map: ["JSON"],
      record: ["JSON"],
      geometry: ["GEOGRAPHY"],
      network: ["STRING(43)"],
      any: ["STRING"],
    },
  }),
  enums: "checks",
  formatLength: undefined,
  keys: {
    maxColumns: 16,
    maxTableColumns: 10_000,
    unkeyed: /^(array|struct|json|geography|float64|interval|bytes|time\b)/i,
    hasUnique: false,
    suffix: " NOT ENFORCED",
  },
  references: { place: "statement", suffix: " NOT ENFORCED", actions: [], targets: "primary", joins: "family" },
  views: { before: "", after: "", materialized: false },
  comments: { place: "options", table: 16_384, column: 1_024 },
  functions: listFunctions(
    "ANY_VALUE ARRAY_AGG CONCAT COUNTIF CURRENT_DATETIME DATE DATE_ADD DATE_DIFF DATE_SUB DATE_TRUNC DATETIME FORMAT",
    "FORMAT_DATE GENERATE_UUID IF IFNULL INITCAP PARSE_DATE PARSE_JSON PARSE_TIMESTAMP RAND REGEXP_CONTAINS",
    "REGEXP_EXTRACT SAFE_CAST SESSION_USER SPLIT ST_GEOGPOINT STRING_AGG TIMESTAMP TIMESTAMP_DIFF TIMESTAMP_TRUNC TO_JSON",
    "UNIX_SECONDS",
  ),
  expressions: {
    today: "CURRENT_DATE()",
    uuid: "GENERATE_UUID()",
    now: "CURRENT_DATETIME()",
    instant: "CURRENT_TIMESTAMP()",
  },
  requiredAfterDefault: true,
  structures: "STRUCT",
  needsColumns: true,
};
