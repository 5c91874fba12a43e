/** Family of types with common literals, checks and joins. */
export type SqlFamily =
  | "text"
  | "char"
  | "integer"
  | "numeric"
  | "float"
  | "boolean"
  | "date"
  | "timestamp"
  | "timestamptz"
  | "time"
  | "uuid"
  | "jsonb"
  | "bytea"
  | "other";

/** A PostgreSQL type for a type name. */
export interface SqlTypeName {
  readonly name: string;
  readonly family: SqlFamily;
  /** True when the name is a name of this PostgreSQL type. */
  readonly isOwn: boolean;
}

type SqlTypeRow = readonly [own: readonly string[], family: SqlFamily, others?: RegExp];

/** Types of PostgreSQL, with the written name first, and patterns of other names for them. */
const SQL_TYPES: readonly SqlTypeRow[] = [
  [["varchar", "character varying"], "text", /^(n|long)?varchar2?$/],
  [["char", "character", "bpchar"], "char", /^nchar$/],
  [["text", "citext"], "text", /^(string|[a-z]*text|n?clob|markdown|email|ur[il]|link|enum|[a-z]*string|sysname)$/],
  [["bigint", "int8", "bigserial"], "integer", /^(long|u?int64|unsigned big int)$/],
  [["smallint", "int2", "smallserial"], "integer", /^(tinyint|u?int8|u?int16|byte|short)$/],
  [["integer", "int", "int4", "serial"], "integer", /^(mediumint|u?int32|uint|year)$/],
  [["numeric", "decimal"], "numeric", /^(number|dec|bignumeric|money|smallmoney)$/],
  [["double precision", "float8"], "float", /^(double|float|float64)$/],
  [["real", "float4"], "float", /^float32$/],
  [["boolean", "bool"], "boolean", /^(bit|flag|logical)$/],
  [["date"], "date"],
  [["timestamptz", "timestamp with time zone"], "timestamptz", /^(datetimeoffset|timestamp_tz|timestamp_ltz)$/],
  [
    ["timestamp", "timestamp without time zone"],
    "timestamp",
    /^(date-?time2?|smalldatetime|timestamp_ntz|timestamp-(milli|micro)s)$/,
  ],
  [["time", "time without time zone"], "time", /^time-(milli|micro)s$/],
  [["interval"], "other", /^(duration|yearmonthduration)$/],
  [["uuid"], "uuid", /^(guid|uniqueidentifier)$/],
  [["jsonb"], "jsonb", /^(any|object|array|map|list|geojson|variant|struct|record|null|union)$/],
  [["json"], "other"],
  [["bytea"], "bytea", /^(bytes|binary|varbinary|image|fixed|[a-z]*blob|raw)$/],
  [["inet"], "other", /^(ip|ipv4|ipv6)$/],
];

const BY_NAME = new Map(
  SQL_TYPES.flatMap(([own, family]) => own.map((name) => [name, { name, family, isOwn: true }] as const)),
);

/** Finds the PostgreSQL type for a name in any case. Returns `text` for unknown names. */
export function findSqlType(type: string): SqlTypeName {
  const name = type.trim().toLowerCase();
  const own = BY_NAME.get(name);
  if (own) return own;
  const row = SQL_TYPES.find(([, , others]) => others?.test(name));
  return row
    ? { name: row[0][0] ?? "text", family: row[1], isOwn: false }
    : { name: "text", family: "text", isOwn: false };
}

/** Integer types of serial types. */
const SERIALS: Readonly<Record<string, string>> = { smallserial: "smallint", serial: "integer", bigserial: "bigint" };

/** Returns true for a serial type. Existing columns cannot become serial. */
export function isSerial(name: string): boolean {
  return Object.hasOwn(SERIALS, name);
}

/** Returns the type of the stored values: the integer type of a serial one. */
export function toStoredType(name: string): string {
  return SERIALS[name] ?? name;
}
