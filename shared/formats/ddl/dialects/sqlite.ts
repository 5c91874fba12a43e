import { createTypeChooser } from "../choose-type.ts";
import type { DdlDialect } from "../dialect.ts";
import { listFunctions } from "../functions.ts";

/** SQLite. Foreign keys are in the table, comments after the line, and it does not enforce lengths. */
export const SQLITE: DdlDialect = {
  dialect: "sqlite",
  name: "SQLite",
  names: {
    ...{ open: '"', close: '"', maxLength: 1_000, unit: "character", isCaseless: true, hasSchemas: false },
    builtInTables: /^sqlite_/i,
  },
  literals: {
    plainDefaults: /^current_(timestamp|date|time)$/i,
    prefix: "",
    escapes: "quotes",
    false: "false",
    true: "true",
    hasZones: true,
    allowsRequiredNull: true,
  },
  chooseType: createTypeChooser({
    dialect: "sqlite",
    templates: {
      string: ["varchar(n)", "text"],
      integer: ["integer", "numeric(d)"],
      decimal: ["decimal(p,s)"],
      float: ["real"],
      boolean: ["boolean"],
      date: ["date"],
      time: ["time"],
      timestamp: ["timestamp"],
      interval: ["text"],
      uuid: ["uuid"],
      binary: ["blob"],
      bits: ["text"],
      json: ["json"],
      xml: ["text"],
      enum: ["text"],
      array: ["json"],
      map: ["json"],
      record: ["json"],
      geometry: ["blob"],
      network: ["text"],
      any: ["text"],
    },
  }),
  enums: "checks",
  formatLength: (name) => `length(${name})`,
  keys: { maxColumns: 1_000, maxTableColumns: 2_000, unkeyed: /^$/, hasUnique: true, suffix: "" },
  references: {
    place: "table",
    suffix: "",
    actions: ["cascade", "set null", "set default", "restrict"],
    targets: "keys",
    joins: "family",
  },
  indexes: { hasConditions: true, hasExpressions: true, methods: [], scope: "schema" },
  identity: { clause: "PRIMARY KEY AUTOINCREMENT", needs: "primary", types: /^integer$/i, isSingle: true },
  formatGenerated: (expression, isStored) => `GENERATED ALWAYS AS (${expression}) ${isStored ? "STORED" : "VIRTUAL"}`,
  views: { before: "", after: "", materialized: false },
  comments: { place: "lines", table: Number.POSITIVE_INFINITY, column: 9_000 },
  functions: listFunctions(
    "CHAR DATE DATETIME GLOB GROUP_CONCAT HEX IFNULL IIF INSTR JSON JSON_EXTRACT JULIANDAY LIKE PRINTF QUOTE RANDOM",
    "RANDOMBLOB STRFTIME TIME TYPEOF UNICODE",
  ),
  expressions: { now: "CURRENT_TIMESTAMP", instant: "CURRENT_TIMESTAMP", today: "CURRENT_DATE" },
  needsColumns: true,
};
