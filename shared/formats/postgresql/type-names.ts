import type { AttributeType } from "../../domain/types/find-logical-type.ts";
import type { IntegerType, LogicalType } from "../../domain/types/logical/logical-type.ts";
import type { SqlFamily } from "./checks.ts";

/** A type of PostgreSQL with its family. */
export interface SqlTypeName {
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

/** Types of the family `other` that an index can order. */
const ORDERED_TYPES = /^(interval|inet|cidr|macaddr8?|bit|varbit|timetz)$/;

/** Returns true for types that an index can order. */
export function isOrdered({ name, family }: Pick<SqlTypeName, "name" | "family">): boolean {
  return family !== "other" || ORDERED_TYPES.test(name);
}

/** Returns the type of PostgreSQL that the model names, or the one that holds the values of its type. */
export function findSqlType(typeName: string, type: AttributeType): SqlTypeName {
  const name = typeName.trim().toLowerCase();
  const family = FAMILIES.get(name);
  const [closest, ...sizes] = type.logicalType ? toClosestType(type.logicalType, name) : [family ? name : "text"];
  const isKept = family !== undefined && keepsName(name, type);
  // Integers that are kept have no digits, also where those of the dialect do.
  const hasSizes = sizes.length > 0 && !(isKept && family === "integer");
  return {
    ...(isKept ? { name, family } : { name: closest, family: FAMILIES.get(closest) ?? "other" }),
    ...(hasSizes && { arguments: sizes }),
    isOwn: isKept || closest === name,
  };
}

/** Tests whether a name of PostgreSQL has its meaning in the dialect of the model. */
function keepsName(name: string, { dialect = "common", logicalType }: AttributeType) {
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
