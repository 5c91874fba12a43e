import { createTypeChooser } from "../choose-type.ts";
import type { DdlDialect } from "../dialect.ts";
import { listFunctions } from "../functions.ts";
import { quoteString } from "../literals.ts";
import { quoteName } from "../names.ts";

const BRACKETS = { open: "[", close: "]" } as const;

/** SQL Server and Azure SQL. Comments are extended properties, and changes follow one path of foreign keys only. */
export const TSQL: DdlDialect = {
  dialect: "tsql",
  name: "SQL Server",
  names: {
    ...{ ...BRACKETS, maxLength: 128, unit: "character", isCaseless: true, hasSchemas: true },
    // A table whose name begins with this sign is a temporary one.
    forbidden: /^#+|\s+$/g,
  },
  literals: { prefix: "N", escapes: "quotes", false: "0", true: "1", hasZones: true, allowsRequiredNull: true },
  chooseType: createTypeChooser({
    dialect: "tsql",
    keyedLength: 255,
    templates: {
      string: [["nchar(n)", { maxLength: 4_000 }], ["nvarchar(n)", { maxLength: 4_000 }], "nvarchar(max)"],
      integer: ["tinyint", "smallint", "int", "bigint", ["decimal(d)", { maxPrecision: 38 }], "float"],
      decimal: [["decimal(p,s)", { maxPrecision: 38, maxScale: 38, usual: [38, 10] }]],
      float: ["real", "float"],
      boolean: ["bit"],
      date: ["date"],
      time: [["time(f)", { maxPrecision: 7 }]],
      timestamp: [
        ["datetime2(f)", { maxPrecision: 7 }],
        ["datetimeoffset(f)", { maxPrecision: 7 }],
      ],
      interval: ["nvarchar(100)"],
      uuid: ["uniqueidentifier"],
      binary: [["binary(n)", { maxLength: 8_000 }], ["varbinary(n)", { maxLength: 8_000 }], "varbinary(max)"],
      bits: ["nvarchar(max)"],
      json: ["nvarchar(max)"],
      xml: ["xml"],
      enum: ["nvarchar(255)"],
      array: ["nvarchar(max)"],
      map: ["nvarchar(max)"],
      record: ["nvarchar(max)"],
      geometry: ["geometry", "geography"],
      network: ["nvarchar(43)"],
      any: ["nvarchar(max)"],
    },
  }),
  enums: "checks",
  // LEN does not count spaces at the end.
  formatLength: (name) => `LEN(${name} + N'.') - 1`,
  keys: {
    maxColumns: 32,
    maxTableColumns: 1_024,
    unkeyed: /\(max\)$|^(xml|text|ntext|image|json|geometry|geography)\b/i,
    hasUnique: true,
    suffix: "",
    nullsAreEqual: true,
  },
  references: {
    place: "statement",
    suffix: "",
    actions: ["cascade", "set null", "set default"],
    targets: "keys",
    joins: "type",
    isTree: true,
  },
  indexes: { hasConditions: true, hasExpressions: false, methods: [], scope: "table" },
  identity: {
    clause: "IDENTITY(1,1)",
    needs: "nothing",
    types: /^((tiny|small|big)?int|(decimal|numeric)\(\d+,0\))$/i,
    isSingle: true,
  },
  formatGenerated: (expression, isStored) => `AS (${expression})${isStored ? " PERSISTED" : ""}`,
  views: { before: "GO\n", after: "\nGO", materialized: false },
  comments: { place: "properties", table: 3_750, column: 3_750 },
  functions: listFunctions(
    "CHARINDEX CONVERT DATALENGTH DATEADD DATEDIFF DATENAME DATEPART DAY GETDATE GETUTCDATE HASHBYTES IIF ISDATE ISJSON",
    "ISNULL ISNUMERIC JSON_VALUE LEN MONTH NEWID NEWSEQUENTIALID PATINDEX STUFF STRING_AGG SUSER_SNAME SUSER_NAME",
    "SYSDATETIME SYSDATETIMEOFFSET SYSUTCDATETIME TRY_CAST TRY_CONVERT USER_NAME YEAR",
  ),
  expressions: {
    now: "SYSDATETIME()",
    instant: "SYSDATETIMEOFFSET()",
    today: "CAST(GETDATE() AS date)",
    uuid: "NEWID()",
  },
  createSchema: (name) => {
    const statement = `CREATE SCHEMA ${quoteName(name, BRACKETS)}`;
    const quote = (text: string) => quoteString(text, { prefix: "N", escapes: "quotes" });
    return `IF SCHEMA_ID(${quote(name)}) IS NULL EXEC(${quote(statement)});`;
  },
  computesTypes: true,
  needsColumns: true,
};
