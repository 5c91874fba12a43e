import { createTypeChooser } from "../choose-type.ts";
import type { DdlDialect } from "../dialect.ts";
import { listFunctions } from "../functions.ts";
import { quoteName } from "../names.ts";

/** Characters of a text in a row, of which each may have four bytes. */
const LONGEST_VARCHAR = 16_383;
const LARGE_TEXT = "longtext";

/** MySQL and MariaDB. Enums are types of columns, and a text without a length cannot be in a key. */
export const MYSQL: DdlDialect = {
  dialect: "mysql",
  name: "MySQL",
  names: {
    ...{ open: "`", close: "`", maxLength: 64, unit: "character", isCaseless: true, hasSchemas: true },
    forbidden: /[\u{10000}-\u{10ffff}]|\s+$/gu,
  },
  literals: {
    ...{ prefix: "", escapes: "backslashes", false: "false", true: "true", hasZones: false, allowsRequiredNull: false },
    bracketsLarge: true,
    plainDefaults: /^(current_timestamp|now|localtime|localtimestamp)(\(\d*\))?$/i,
  },
  chooseType: createTypeChooser({
    dialect: "mysql",
    keyedLength: 191,
    templates: {
      string: [
        ["char(n)", { maxLength: 255 }],
        ["varchar(n)", { maxLength: LONGEST_VARCHAR }],
        "tinytext",
        "text",
        "mediumtext",
        LARGE_TEXT,
      ],
      integer: [
        ...["tinyint", "tinyint unsigned", "smallint", "smallint unsigned", "mediumint", "int", "int unsigned"],
        ...["bigint", "bigint unsigned", "decimal(d)"],
      ],
      decimal: [["decimal(p,s)", { maxPrecision: 65, maxScale: 30, usual: [65, 30] }]],
      float: ["float", "double"],
      boolean: ["boolean"],
      date: ["date"],
      time: [["time(f)", { maxPrecision: 6 }]],
      timestamp: [
        ["datetime(f)", { maxPrecision: 6 }],
        ["timestamp(f)", { maxPrecision: 6 }],
      ],
      interval: ["varchar(100)"],
      uuid: ["char(36)"],
      binary: [["binary(n)", { maxLength: 255 }], ["varbinary(n)", { maxLength: LONGEST_VARCHAR }], "longblob"],
      bits: [["bit(n)", { maxLength: 64 }], LARGE_TEXT],
      json: ["json"],
      xml: [LARGE_TEXT],
      enum: ["enum(values)", LARGE_TEXT],
      array: ["json"],
      map: ["json"],
      record: ["json"],
      geometry: [
        ...["geometry", "point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon"],
        "geometrycollection",
      ],
      network: ["varchar(43)"],
      any: [LARGE_TEXT],
    },
  }),
  enums: "columns",
  formatLength: (name) => `char_length(${name})`,
  separatesChecks: true,
  keys: {
    maxColumns: 16,
    maxTableColumns: 1_017,
    unkeyed: /^((tiny|medium|long)?(text|blob)|json|geometry|point|linestring|polygon|multi\w+|geom\w+|long)\b/i,
    hasUnique: true,
    suffix: "",
    maxBytes: 3_072,
  },
  references: {
    place: "statement",
    suffix: "",
    actions: ["cascade", "set null", "restrict"],
    targets: "keys",
    joins: "storage",
    refusesChecked: true,
  },
  indexes: {
    ...{ hasConditions: false, hasExpressions: false, methods: ["fulltext"], methodPlace: "before", scope: "table" },
    prefixed: { types: /^(tiny|medium|long)?(text|blob)\b/i, length: 191 },
  },
  identity: { clause: "AUTO_INCREMENT", needs: "key", types: /^(tiny|small|medium|big)?int/i, isSingle: true },
  formatGenerated: (expression, isStored) => `GENERATED ALWAYS AS (${expression}) ${isStored ? "STORED" : "VIRTUAL"}`,
  views: { before: "", after: "", materialized: false },
  comments: { place: "clauses", table: 2_048, column: 1_024 },
  functions: listFunctions(
    "ASCII CHAR CHAR_LENGTH CONCAT_WS CURDATE DATE DATE_ADD DATE_FORMAT DATEDIFF DAY FIELD FROM_UNIXTIME GROUP_CONCAT HEX",
    "IF IFNULL INSTR JSON_EXTRACT JSON_UNQUOTE JSON_VALID LOCATE LPAD MD5 MONTH RPAD SHA1 SHA2 SUBSTRING_INDEX TIMESTAMP",
    "TIMESTAMPDIFF UNHEX UNIX_TIMESTAMP UTC_TIMESTAMP UUID YEAR",
  ),
  expressions: {
    now: "CURRENT_TIMESTAMP(f)",
    instant: "CURRENT_TIMESTAMP(f)",
    today: "(CURRENT_DATE)",
    uuid: "(UUID())",
  },
  hasUpdateDefaults: true,
  tableOptions: "DEFAULT CHARACTER SET utf8mb4",
  rows: { maxBytes: 65_535, largeText: LARGE_TEXT },
  createSchema: (name) => `CREATE SCHEMA IF NOT EXISTS ${quoteName(name, { open: "`", close: "`" })};`,
  statesNull: /^timestamp\b/i,
  needsColumns: true,
};
