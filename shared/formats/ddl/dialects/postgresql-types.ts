import type { AttributeType } from "../../../domain/types/find-logical-type.ts";
import { holdsEveryValueOf } from "../../../domain/types/logical/holding.ts";
import type { IntegerType, LogicalType } from "../../../domain/types/logical/logical-type.ts";
import { findFamily, resolveText } from "../choose-type.ts";
import type { ChosenType, SqlFamily, TypeNeed } from "../dialect.ts";

/** A type of PostgreSQL with its family. */
interface SqlTypeName {
  readonly name: string;
  readonly family: SqlFamily;
  /** Arguments that the type needs to hold all values. */
  readonly arguments?: readonly number[];
  /** True if the model names this type. */
  readonly isOwn: boolean;
}

const OWN_TYPES: readonly (readonly [family: SqlFamily, names: readonly string[]])[] = [
  ["text", ["varchar", "character varying", "text", "citext"]],
  ["char", ["char", "character", "bpchar"]],
  ["integer", ["bigint", "int8", "bigserial", "smallint", "int2", "smallserial", "integer", "int", "int4", "serial"]],
  ["numeric", ["numeric", "decimal"]],
  ["float", ["double precision", "float8", "real", "float4"]],
  ["boolean", ["boolean", "bool"]],
  ["date", ["date"]],
  ["timestamptz", ["timestamptz", "timestamp with time zone"]],
  ["timestamp", ["timestamp", "timestamp without time zone"]],
  ["time", ["time", "time without time zone"]],
  ["uuid", ["uuid"]],
  ["jsonb", ["jsonb"]],
  ["bytea", ["bytea"]],
  ["other", ["interval", "inet", "cidr", "macaddr", "macaddr8", "bit", "varbit", "timetz"]],
  ["other", ["json", "xml", "point", "line", "lseg", "box", "path", "polygon", "circle"]],
];

const FAMILIES: ReadonlyMap<string, SqlFamily> = new Map(
  OWN_TYPES.flatMap(([family, names]) => names.map((name) => [name, family] as const)),
);

/** Returns the type of PostgreSQL that the model names, or the one that holds the values of its type. */
export function choosePostgresqlType(need: TypeNeed): ChosenType {
  const chosen = chooseType(need);
  return { ...chosen, isOwn: chosen.isOwn === true && !isNarrower(chosen.text, need.type) };
}

function chooseType({ column, type }: TypeNeed): ChosenType {
  const typeName = findSqlType(column.type, type);
  const { name, family, isOwn, arguments: sizes = [] } = typeName;
  const { maxLength } = column.attribute.constraints ?? {};
  const createSizedType = (...list: readonly number[]): ChosenType => ({
    ...{ text: formatSizedType(name, list), name, arguments: list, family, isOwn },
  });
  const isSized = (name === "varchar" || name === "char" || name === "character varying") && maxLength !== undefined;
  if (isSized && maxLength >= 1 && maxLength <= MAX_VARCHAR_LENGTH) return createSizedType(maxLength);
  if (isLegalSize(name, sizes)) return createSizedType(...sizes);
  // `char` without length has one character.
  const text = family === "char" ? "text" : name;
  return { text, name: text, arguments: [], family, isOwn };
}

/** Formats a type with its arguments, which are after the first word. */
function formatSizedType(name: string, list: readonly number[]) {
  return name.replace(/^(character varying|bit varying|\w+)/, (first) => `${first}(${list.join(",")})`);
}

const MAX_VARCHAR_LENGTH = 10_485_760;
const MAX_BITS = 83_886_080;
const MAX_DIGITS = 6;

function isLegalSize(name: string, [size, scale = 0]: readonly number[]) {
  if (size === undefined) return false;
  if (/^(time|timestamp|interval)/.test(name)) return size <= MAX_DIGITS;
  if (size < 1) return false;
  if (name === "numeric" || name === "decimal") return size <= 1_000 && scale >= 0 && scale <= size;
  return name === "bit" || name === "varbit" ? size <= MAX_BITS : name === "char" && size <= MAX_VARCHAR_LENGTH;
}

function findSqlType(typeName: string, type: AttributeType): SqlTypeName {
  const name = typeName.trim().toLowerCase();
  const family = FAMILIES.get(name);
  const [closest, ...closestSizes] = type.logicalType
    ? toClosestType(type.logicalType, name)
    : [family ? name : "text"];
  const sizes = [...closestSizes, ...listDigits(type)];
  const isKept = family !== undefined && keepsName(name, type);
  // Integers that are kept have no digits, also where those of the dialect do.
  const hasSizes = sizes.length > 0 && !(isKept && family === "integer");
  return {
    ...(isKept ? { name, family } : { name: closest, family: FAMILIES.get(closest) ?? "other" }),
    ...(hasSizes && { arguments: sizes }),
    isOwn: isKept || closest === name,
  };
}

/** Tests for a type of another database with the same name and more values, such as an integer of 38 digits. */
function isNarrower(text: string, { dialect = "common", logicalType }: AttributeType) {
  const own = resolveText(text, "postgresql");
  if (!own || !logicalType || !FOREIGN_DATABASES.has(dialect)) return false;
  return own.type !== "string" && holdsEveryValueOf(own, logicalType).answer === "no";
}

/** Digits of the fraction of a second of a type without arguments. */
const USUAL_DIGITS = 6;

/** Returns the digits of the fraction of a second of a type of PostgreSQL that has others than usual. */
function listDigits({ dialect, logicalType }: AttributeType): readonly number[] {
  const isTime = logicalType?.type === "time" || logicalType?.type === "timestamp";
  if (dialect !== "postgresql" || !isTime) return [];
  const { precision = USUAL_DIGITS } = logicalType;
  return precision === USUAL_DIGITS ? [] : [precision];
}

/** Tests whether a name of PostgreSQL has its meaning in the dialect of the model. */
function keepsName(name: string, { dialect = "common", logicalType }: AttributeType) {
  // A data contract may say that a `date` is stored as a timestamp.
  const own = resolveText(name, "postgresql");
  if (own && logicalType && !FOREIGN_DATABASES.has(dialect) && findFamily(own) !== findFamily(logicalType))
    return false;
  if (!FOREIGN_DATABASES.has(dialect)) return true;
  // Integers of warehouses are numbers of 38 digits, of which nobody needs so many.
  return logicalType?.type === "decimal" && logicalType.scale === 0 && FAMILIES.get(name) === "integer";
}

const FOREIGN_DATABASES: ReadonlySet<string> = new Set([
  ...["mysql", "sqlite", "tsql", "oracle", "snowflake", "bigquery", "spark", "duckdb"],
]);

type Closest = readonly [name: string, ...typeArguments: readonly number[]];

function toClosestType(type: LogicalType, name: string): Closest {
  switch (type.type) {
    case "string":
      if (!/char/.test(name)) return ["text"];
      return type.fixed ? ["char", ...(type.maxLength === undefined ? [] : [type.maxLength])] : ["varchar"];
    case "integer":
      return toIntegerType(type);
    case "decimal":
      if (type.precision === undefined) return ["numeric"];
      return ["numeric", type.precision, ...(type.scale ? [type.scale] : [])];
    case "float":
      return [type.bits !== undefined && type.bits <= 32 ? "real" : "double precision"];
    case "time":
      return [type.zone ? "timetz" : "time"];
    case "timestamp":
      return [type.zone ? "timestamptz" : "timestamp"];
    case "binary":
      return ["bytea"];
    case "bits":
      return [type.varying ? "varbit" : "bit", ...(type.length === undefined ? [] : [type.length])];
    case "network":
      return [NETWORK_TYPES[type.form ?? ""] ?? "inet"];
    case "boolean":
    case "date":
    case "interval":
    case "uuid":
    case "xml":
      return [type.type];
    case "enum":
    case "geometry":
      return ["text"];
    default:
      return ["jsonb"];
  }
}

const NETWORK_TYPES: Readonly<Record<string, string>> = { cidr: "cidr", mac: "macaddr", mac8: "macaddr8" };

/** Returns the smallest integer type that holds all values; a number with digits if there is none. */
function toIntegerType({ bits = 32, signed }: IntegerType): Closest {
  const needed = signed === false ? bits + 1 : bits;
  if (needed <= 16) return ["smallint"];
  if (needed <= 32) return ["integer"];
  if (needed <= 64) return ["bigint"];
  return ["numeric", Math.ceil(bits * Math.log10(2))];
}
