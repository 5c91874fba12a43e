import type { AttributeDocument } from "../../domain/document/document.ts";
import type { JsonObject } from "../common/json-object.ts";
import type { ModelColumn } from "../common/writing/model-tables.ts";
import { createChecks, type SqlCheck, type SqlFamily, toLiteral } from "./checks.ts";
import type { SqlEnum } from "./names.ts";

/** A column of a table in PostgreSQL. */
export interface SqlColumn {
  readonly key: string;
  readonly attribute: AttributeDocument;
  readonly name: string;
  readonly type: SqlType;
  readonly isRequired: boolean;
  readonly default: string | undefined;
  readonly checks: readonly SqlCheck[];
}

export interface SqlType {
  readonly text: string;
  readonly name: string;
  readonly arguments: readonly number[];
  readonly family: SqlFamily;
  readonly enum: SqlEnum | undefined;
}

const MAX_VARCHAR_LENGTH = 10_485_760;
const TYPE_ARGUMENTS = ["precision", "scale", "arguments"] as const;

/** Returns true for types that an index can order. */
export function isIndexable({ family }: SqlType): boolean {
  return family !== "other";
}

/** Returns true when a foreign key can join columns of two types. */
export function canJoin(one: SqlType, other: SqlType): boolean {
  return one.enum || other.enum ? one.enum === other.enum : one.family === other.family;
}

/** Converts a column to its enum or to the type of its name. */
export function toSqlColumn(column: ModelColumn, name: string, enumOf: SqlEnum | undefined): SqlColumn {
  const { attribute, key, inKey, at } = column;
  const type = enumOf ? { ...createNamedType(enumOf.text), family: "text" as const, enum: enumOf } : toSqlType(column);
  const { constraints = {} } = attribute;
  const isEnum = enumOf !== undefined;
  const isUnbounded = type.arguments.length === 0 || (!isEnum && type.family !== "text" && type.family !== "char");
  const checks = createChecks(constraints, { family: type.family, isEnum, isUnbounded }, (keyword) =>
    at.warn(`/constraints/${keyword}`, "not_written", `the type has no check for ${keyword}`),
  );
  const isDefault = "default" in constraints;
  const value = isDefault ? toDefault(constraints.default, type, checks) : undefined;
  if (isDefault && value === undefined) {
    at.warn("/constraints/default", "not_written", "the type cannot have this default");
  }
  const isRequired = !attribute.optional || inKey || isSerial(type.name);
  return { ...{ key, attribute, name, type, isRequired, checks }, default: value };
}

function createNamedType(text: string): Omit<SqlType, "family"> {
  return { text, name: text, arguments: [], enum: undefined };
}

function toDefault(value: unknown, type: SqlType, checks: readonly SqlCheck[]): string | undefined {
  if (isSerial(type.name)) return undefined;
  if (value === null) return "NULL";
  const literal = toLiteral(value, type.family);
  if (literal === undefined) return undefined;
  const isListed = !type.enum || type.enum.values.includes(String(value));
  return isListed && isInRange(value, type) && checks.every(({ allows }) => allows(value)) ? literal : undefined;
}

function isInRange(value: unknown, { name, family, arguments: [size = Number.POSITIVE_INFINITY, scale = 0] }: SqlType) {
  if (family === "text" || family === "char") return [...String(value)].length <= size;
  if (name === "smallint" || name === "int2") return Math.abs(Number(value)) < 2 ** 15;
  // Rounding may need one digit more.
  return family === "numeric" ? Math.abs(Number(value)) < 10 ** (size - scale) - 1 : true;
}

function toSqlType({ type, attribute, at }: ModelColumn): SqlType {
  const { name, family, isOwn } = findSqlType(type);
  const { maxLength } = attribute.constraints ?? {};
  if (!isOwn) at.warn("/type", "written_otherwise", `the type ${JSON.stringify(type)} is written as ${name}`);
  const createSizedType = (...sizes: readonly number[]): SqlType => ({
    ...{ text: `${name}(${sizes.join(",")})`, name, arguments: sizes, family, enum: undefined },
  });
  const typeArguments = readTypeArguments(attribute.properties);
  const isSized = (name === "varchar" || name === "char" || name === "character varying") && maxLength !== undefined;
  if (isSized && maxLength >= 1 && maxLength <= MAX_VARCHAR_LENGTH) return createSizedType(maxLength);
  if ((name === "numeric" || name === "decimal") && typeArguments.precision !== undefined) {
    const { precision, scale } = typeArguments;
    const isLegal = precision >= 1 && precision <= 1_000 && (scale ?? 0) >= 0 && (scale ?? 0) <= precision;
    if (isLegal) return createSizedType(precision, ...(scale === undefined ? [] : [scale]));
  }
  // `char` without length has one character.
  return { ...createNamedType(family === "char" ? "text" : name), family };
}

function readTypeArguments(properties: JsonObject = {}): { readonly precision?: number; readonly scale?: number } {
  const args: Record<string, number> = {};
  for (const [name, value] of Object.entries(properties)) {
    const member = name.slice(name.indexOf(":") + 1);
    if (isTypeArgument(name) && member !== "arguments" && Number.isSafeInteger(value)) args[member] = Number(value);
  }
  return args;
}

/** Returns true for a property that is an argument of a type. */
export function isTypeArgument(name: string): boolean {
  const [namespace, member, ...rest] = name.split(":");
  return namespace !== "" && rest.length === 0 && TYPE_ARGUMENTS.some((one) => one === member);
}

interface SqlTypeName {
  readonly name: string;
  readonly family: SqlFamily;
  readonly isOwn: boolean;
}

type SqlTypeRow = readonly [own: readonly string[], family: SqlFamily, others?: RegExp];

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

function findSqlType(type: string): SqlTypeName {
  const name = type.trim().toLowerCase();
  const own = BY_NAME.get(name);
  if (own) return own;
  const row = SQL_TYPES.find(([, , others]) => others?.test(name));
  return row
    ? { name: row[0][0] ?? "text", family: row[1], isOwn: false }
    : { name: "text", family: "text", isOwn: false };
}

const SERIALS: Readonly<Record<string, string>> = { smallserial: "smallint", serial: "integer", bigserial: "bigint" };

/** Returns true for a serial type. Existing columns cannot become serial. */
export function isSerial(name: string): boolean {
  return Object.hasOwn(SERIALS, name);
}

/** Returns the type of the stored values: the integer type of a serial one. */
export function toStoredType(name: string): string {
  return SERIALS[name] ?? name;
}
