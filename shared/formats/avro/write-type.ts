import type { ModelDocument } from "../../domain/document/document.ts";
import { findLogicalType } from "../../domain/types/find-logical-type.ts";
import type { LogicalType, TimeType } from "../../domain/types/logical/logical-type.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { isObject, type JsonObject } from "../common/json-object.ts";
import type { ModelColumn } from "../common/writing/model-tables.ts";
import { splitOwnMembers } from "../common/writing/own-members.ts";

export const PRIMITIVE_TYPES = new Set(["null", "boolean", "int", "long", "float", "double", "bytes", "string"]);

const LOGICAL_BASE_TYPES: Readonly<Record<string, readonly string[]>> = {
  decimal: ["bytes"],
  uuid: ["string"],
  date: ["int"],
  "time-millis": ["int"],
  "time-micros": ["long"],
  "timestamp-millis": ["long"],
  "timestamp-micros": ["long"],
  "timestamp-nanos": ["long"],
  "local-timestamp-millis": ["long"],
  "local-timestamp-micros": ["long"],
};

const WRITTEN_FIELD_MEMBERS = new Set(["name", "doc", "default"]);

export const isAvroProperty = (name: string): boolean => name.startsWith("avro:");

/** Returns the properties in the Avro namespace as members. */
export function splitAvroMembers(properties: JsonObject = {}, names: ReadonlySet<string>, at: Diagnostics): JsonObject {
  const own = Object.fromEntries(Object.entries(properties).filter(([name]) => isAvroProperty(name)));
  return splitOwnMembers(own, "avro", names, at).members;
}

/** Returns the type of a plain column, and the other members of its field. */
export function toAvroType(
  column: ModelColumn,
  document: ModelDocument,
): { readonly type: unknown; readonly members: JsonObject } {
  const { type: key, attribute, at } = column;
  const own = splitAvroMembers(attribute.properties, WRITTEN_FIELD_MEMBERS, at);
  const { type: ownType, precision, scale, items, values, ...members } = own;
  if (key === "union" && Array.isArray(ownType)) return { type: ownType, members };
  if (key === "array" || key === "map") {
    const [member, item] = key === "array" ? ["items", items] : ["values", values];
    if (item === undefined) at.warn("/type", "written_otherwise", "the items have no type and are written as strings");
    return { type: { type: key, [member]: item ?? "string" }, members };
  }
  if (PRIMITIVE_TYPES.has(key)) return { type: key, members };
  const baseTypes = Object.hasOwn(LOGICAL_BASE_TYPES, key) ? LOGICAL_BASE_TYPES[key] : undefined;
  if (baseTypes) {
    const base = typeof ownType === "string" && PRIMITIVE_TYPES.has(ownType) ? ownType : baseTypes[0];
    const isNumber = key === "decimal";
    const digits = Number.isSafeInteger(precision) ? precision : isNumber ? 38 : undefined;
    if (ownType === undefined) at.warn("/type", "written_otherwise", "a base type was added to the logical type");
    return { type: { type: base, logicalType: key, precision: digits, scale }, members };
  }
  if (typeof ownType === "string" && PRIMITIVE_TYPES.has(ownType)) {
    return { type: { type: ownType, logicalType: key, precision, scale }, members };
  }
  at.warn("/type", "written_otherwise", "Avro does not have the type; the closest one is written");
  const logicalType = findLogicalType(attribute, document);
  return { type: logicalType ? toClosestType(logicalType) : "string", members };
}

/** Digits of a fraction of a second that milliseconds have. */
const MILLISECOND_DIGITS = 3;
/** Bits of the values of `int`. */
const INT_BITS = 32;

/** Returns the Avro type that holds the values of a logical type best. */
function toClosestType(type: LogicalType): unknown {
  switch (type.type) {
    case "boolean":
      return "boolean";
    case "integer": {
      const { bits = 64, signed } = type;
      if (bits > 64 || (bits === 64 && signed === false)) return createDecimal(bits > 64 ? 39 : 20, 0);
      return bits < INT_BITS || (bits === INT_BITS && signed !== false) ? "int" : "long";
    }
    case "decimal":
      return type.precision === undefined ? "double" : createDecimal(type.precision, Math.max(0, type.scale ?? 0));
    case "float":
      return type.bits !== undefined && type.bits <= 32 ? "float" : "double";
    case "date":
      return { type: "int", logicalType: "date" };
    case "time":
      return isFine(type) ? { type: "long", logicalType: "time-micros" } : { type: "int", logicalType: "time-millis" };
    case "timestamp": {
      const name = type.zone === false ? "local-timestamp" : "timestamp";
      return { type: "long", logicalType: `${name}-${isFine(type) ? "micros" : "millis"}` };
    }
    case "uuid":
      return { type: "string", logicalType: "uuid" };
    case "binary":
      return "bytes";
    case "array":
      return { type: "array", items: type.of ? toClosestType(type.of) : "string" };
    case "map":
      return { type: "map", values: type.values ? toClosestType(type.values) : "string" };
    default:
      return "string";
  }
}

function isFine({ precision }: TimeType) {
  return precision !== undefined && precision > MILLISECOND_DIGITS;
}

function createDecimal(precision: number, scale: number): JsonObject {
  // A scale above the precision is not valid.
  return { type: "bytes", logicalType: "decimal", precision: Math.max(precision, scale), scale };
}

/** Tests for a valid default, by the first alternative of the type. */
export function isValidDefault(value: unknown, type: unknown): boolean {
  const first = Array.isArray(type) ? (type[0] as unknown) : type;
  const base = isObject(first) && typeof first.type === "string" ? first.type : first;
  switch (base) {
    case "null":
      return value === null;
    case "boolean":
      return typeof value === "boolean";
    case "int":
    case "long":
      return Number.isSafeInteger(value) && (base === "long" || Math.abs(Number(value)) < 2 ** 31);
    case "float":
    case "double":
      return typeof value === "number";
    case "string":
    case "bytes":
      return typeof value === "string" && (base === "string" || /^[\0-\xff]*$/.test(value));
    case "enum":
      return isObject(first) && Array.isArray(first.symbols) && first.symbols.includes(value);
    default:
      return false;
  }
}
