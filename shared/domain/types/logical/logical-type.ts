/*
 * Logical types: the values of an attribute, independent of the dialect that names its type. The names and parameters
 * follow Arrow, Iceberg, Substrait and ODCS. A parameter that is absent sets no limit, or is not known.
 */

/** Unit of the length of a string; characters if absent. */
export type LengthUnit =
  | "byte"
  /** UTF-16 code unit. */
  | "utf16"
  /** Byte of a character set that does not contain all of Unicode. */
  | "codepage";

export interface StringType {
  readonly type: "string";
  readonly maxLength?: number;
  /** True if shorter values are padded with spaces. */
  readonly fixed?: true;
  readonly unit?: LengthUnit;
  /** True if comparisons ignore the case of letters. */
  readonly caseless?: true;
}

export interface IntegerType {
  readonly type: "integer";
  readonly bits?: number;
  /** False without negative numbers. */
  readonly signed?: false;
}

export interface DecimalType {
  readonly type: "decimal";
  /** Digits in all. */
  readonly precision?: number;
  /** Digits after the point. */
  readonly scale?: number;
  readonly signed?: false;
}

export interface FloatType {
  readonly type: "float";
  readonly bits?: number;
  readonly signed?: false;
}

/** `precision` is the number of digits of the fraction of a second. */
export interface TimeType {
  readonly type: "time" | "timestamp";
  readonly precision?: number;
  /** True for an instant, false for a local time. */
  readonly zone?: boolean;
}

export interface IntervalType {
  readonly type: "interval";
  /** Absent for intervals of both. */
  readonly unit?: "months" | "seconds";
}

export interface BinaryType {
  readonly type: "binary";
  /** In bytes. */
  readonly maxLength?: number;
  readonly fixed?: true;
}

export interface BitsType {
  readonly type: "bits";
  readonly length?: number;
  /** True if a value may be shorter. */
  readonly varying?: true;
}

export interface JsonType {
  readonly type: "json";
  /** True if the text is kept as it was written, with the order and repetitions of its members. */
  readonly verbatim?: true;
}

export interface EnumType {
  readonly type: "enum";
  readonly values: readonly string[];
}

export interface ArrayType {
  readonly type: "array";
  readonly of?: LogicalType;
}

export interface MapType {
  readonly type: "map";
  readonly keys?: LogicalType;
  readonly values?: LogicalType;
}

export interface RecordType {
  readonly type: "record";
  readonly fields?: readonly RecordField[];
}

export interface RecordField {
  readonly name: string;
  /** Absent if the dialect does not have the type. */
  readonly type?: LogicalType;
}

export interface FormedType {
  readonly type: "geometry" | "network";
  /** Shape such as `point`, or kind of address such as `mac`; any if absent. */
  readonly form?: string;
}

export interface PlainType {
  readonly type: "boolean" | "date" | "uuid" | "xml" | "any";
}

/** Set of values of an attribute. */
export type LogicalType =
  | StringType
  | IntegerType
  | DecimalType
  | FloatType
  | TimeType
  | IntervalType
  | BinaryType
  | BitsType
  | JsonType
  | EnumType
  | ArrayType
  | MapType
  | RecordType
  | FormedType
  | PlainType;

/** Name of a logical type. */
export type LogicalTypeName = LogicalType["type"];

/** All logical types by name, with a description. */
export const LOGICAL_TYPES: Readonly<Record<LogicalTypeName, string>> = {
  string: "text",
  integer: "whole numbers",
  decimal: "decimal numbers that are stored exactly",
  float: "binary floating-point numbers",
  boolean: "true and false",
  date: "days",
  time: "times of a day",
  timestamp: "days with a time",
  interval: "durations",
  uuid: "UUIDs",
  binary: "bytes",
  bits: "sequences of bits",
  json: "JSON values",
  xml: "XML documents",
  enum: "some named values",
  array: "lists",
  map: "maps of keys to values",
  record: "structures of named fields",
  geometry: "shapes on a plane or on the earth",
  network: "addresses in networks",
  any: "values of all types",
};

/** Names of all logical types. */
export const LOGICAL_TYPE_NAMES = Object.keys(LOGICAL_TYPES) as readonly LogicalTypeName[] as readonly [
  LogicalTypeName,
  ...LogicalTypeName[],
];

export function isLogicalTypeName(name: string): name is LogicalTypeName {
  return Object.hasOwn(LOGICAL_TYPES, name);
}
