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

const FOREIGN_TYPES: readonly (readonly [names: RegExp, type: unknown])[] = [
  [/^(big|unsigned big)?int(eger|8|64)?$|^(u?int64|year|serial|bigserial)$/i, "long"],
  [/^(small|tiny|medium)int$|^u?int(16|32)$/i, "int"],
  [/^(number|double precision|float64|float8)$/i, "double"],
  [/^(real|float4|float32)$/i, "float"],
  [/^(bool|bit|flag)$/i, "boolean"],
  [/^(datetime2?|date-time|timestamp.*|smalldatetime)$/i, { type: "long", logicalType: "timestamp-millis" }],
  [/^time( .*)?$/i, { type: "int", logicalType: "time-millis" }],
  [/^(guid|uniqueidentifier)$/i, { type: "string", logicalType: "uuid" }],
  [/^(bytea|binary|varbinary|blob)$/i, "bytes"],
];

const WRITTEN_FIELD_MEMBERS = new Set(["name", "doc", "default"]);

export const isAvroProperty = (name: string): boolean => name.startsWith("avro:");

/** Returns the properties in the Avro namespace as members. */
export function splitAvroMembers(properties: JsonObject = {}, names: ReadonlySet<string>, at: Diagnostics): JsonObject {
  const own = Object.fromEntries(Object.entries(properties).filter(([name]) => isAvroProperty(name)));
  return splitOwnMembers(own, "avro", names, at).members;
}

/** Returns the type of a plain column, and the other members of its field. */
export function toAvroType(column: ModelColumn): { readonly type: unknown; readonly members: JsonObject } {
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
  const name = FOREIGN_TYPES.find(([names]) => names.test(key))?.[1] ?? "string";
  at.warn("/type", "written_otherwise", "Avro does not have the type; the closest one is written");
  return { type: name, members };
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
