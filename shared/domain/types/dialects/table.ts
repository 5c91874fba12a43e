import type { BinaryType, LogicalType, StringType } from "../logical/logical-type.ts";
import type { TypeText } from "./type-text.ts";

/** Meaning of an argument of a type; a width has no effect on the values. */
export type ArgumentMeaning = "maxLength" | "precision" | "scale" | "length" | "digits" | "values" | "form" | "width";

/**
 * Types of a dialect with the same values: names separated by bars, the first as the database reports it, then the
 * logical type without arguments, the page that describes it, and the meaning of each argument.
 */
export type TypeRow<P extends string = string> = readonly [
  names: string,
  type: LogicalType,
  page: P,
  ...meanings: readonly ArgumentMeaning[],
];

/** Types of a dialect as data. */
export interface DialectTable {
  readonly name: string;
  /** Addresses of the pages that the rows name. */
  readonly pages: Readonly<Record<string, string>>;
  readonly rows: readonly TypeRow[];
  /** Logical types of all other names by a part of the name; the first that matches wins. */
  readonly affinities?: readonly (readonly [part: string, type: LogicalType])[];
}

/** Defines the types of a dialect. Each row names one of the pages. */
export function defineTable<P extends string>(
  name: string,
  pages: Readonly<Record<P, string>>,
  rows: readonly TypeRow<NoInfer<P>>[],
  affinities?: DialectTable["affinities"],
): DialectTable {
  return { name, pages, rows, ...(affinities && { affinities }) };
}

/** Physical type that a table contains. */
export interface ResolvedType {
  /** Name that the database reports. */
  readonly name: string;
  readonly type: LogicalType;
  /** Address of the page that describes the type. */
  readonly source: string | undefined;
  /** True if the type has arguments, and none of them has an effect on the values. */
  readonly hasWidthOnly: boolean;
  /** True if the logical type does not contain the meaning of an argument. */
  readonly hasUnreadArguments: boolean;
}

/** Returns the logical type of a physical type; undefined if the table does not contain it. */
export function resolveType(text: TypeText, table: DialectTable): ResolvedType | undefined {
  const inner = text.lists > 0 ? resolveType({ ...text, lists: 0 }, table) : findType(text, table);
  if (!inner || text.lists === 0) return inner;
  let type = inner.type;
  for (let i = 0; i < text.lists; i++) type = { type: "array", of: type };
  return { ...inner, name: `${inner.name}${"[]".repeat(text.lists)}`, type };
}

function findType(text: TypeText, table: DialectTable): ResolvedType | undefined {
  const row = findRow(text, table);
  if (row) return applyRow(row, text, table);
  const modifier = / (unsigned|signed|zerofill)$/.exec(text.name);
  if (modifier) {
    const rest = resolveType({ ...text, name: text.name.slice(0, modifier.index) }, table);
    if (!rest || modifier[1] === "signed") return rest;
    const isPlain = rest.name.endsWith(" unsigned");
    return { ...rest, name: isPlain ? rest.name : `${rest.name} unsigned`, type: removeSign(rest.type) };
  }
  if (text.name.startsWith("interval ")) {
    const rest = resolveType({ ...text, name: "interval" }, table);
    const unit = /^interval (year|month)/.test(text.name) ? "months" : "seconds";
    return rest && { ...rest, name: text.name, type: { type: "interval", unit } };
  }
  const dot = text.name.lastIndexOf(".");
  if (dot > 0) return findType({ ...text, name: text.name.slice(dot + 1) }, table);
  const match = table.affinities?.find(([part]) => text.name.includes(part));
  if (!match) return undefined;
  const type = applyArgument(match[1], "maxLength", text.arguments[0], text);
  const hasUnreadArguments = text.arguments.length > 1;
  return { name: text.name, type, source: undefined, hasWidthOnly: false, hasUnreadArguments };
}

function removeSign(type: LogicalType): LogicalType {
  const isNumber = type.type === "integer" || type.type === "decimal" || type.type === "float";
  return isNumber ? { ...type, signed: false } : type;
}

const INDEXES = new WeakMap<DialectTable, ReadonlyMap<string, TypeRow>>();

function findRow({ name, arguments: list }: TypeText, table: DialectTable): TypeRow | undefined {
  let index = INDEXES.get(table);
  if (!index) {
    index = new Map(table.rows.flatMap((row) => row[0].split("|").map((one) => [one, row] as const)));
    INDEXES.set(table, index);
  }
  return (list.length > 0 ? index.get(`${name}(${list.join(",")})`) : undefined) ?? index.get(name);
}

function applyRow([names, type, page, ...meanings]: TypeRow, text: TypeText, table: DialectTable): ResolvedType {
  const [name = text.name] = names.split("|");
  const filledType = addParts(type, text, table);
  const hasUnreadArguments = text.arguments.length > meanings.length && !meanings.includes("values");
  return {
    name,
    type: meanings.reduce((one, meaning, i) => applyArgument(one, meaning, text.arguments[i], text), filledType),
    source: table.pages[page],
    hasWidthOnly: !hasUnreadArguments && meanings.length > 0 && meanings.every((one) => one === "width"),
    hasUnreadArguments,
  };
}

/** Adds the types of items, keys and values, or fields. */
function addParts(type: LogicalType, { parts }: TypeText, table: DialectTable): LogicalType {
  if (parts.length === 0) return type;
  const types = parts.map((part) => resolveType(part.type, table)?.type);
  const [first, second] = types;
  if (type.type === "array") return first ? { ...type, of: first } : type;
  if (type.type === "map") return { ...type, ...(first && { keys: first }), ...(second && { values: second }) };
  if (type.type !== "record") return type;
  const fields = parts.map(({ name = "" }, i) => ({ name, ...(types[i] && { type: types[i] }) }));
  return { ...type, fields };
}

/** Largest precision of a number, which `*` stands for in Oracle. */
const LARGEST_PRECISION = 38;
/** Most binary digits of a number of 32 bits. */
const SINGLE_DIGITS = 24;

function applyArgument(
  type: LogicalType,
  meaning: ArgumentMeaning,
  argument: string | undefined,
  { arguments: list }: TypeText,
): LogicalType {
  if (argument === undefined) return type;
  const count = argument === "*" ? LARGEST_PRECISION : Number.parseInt(argument, 10);
  const isCount = Number.isSafeInteger(count);
  switch (meaning) {
    case "width":
      return type;
    case "values":
      return type.type === "enum" ? { ...type, values: list.map(unquote) } : type;
    case "maxLength":
      return type.type === "string" || type.type === "binary" ? applyLength(type, argument) : type;
    case "form":
      return type.type === "geometry" ? { ...type, form: argument.toLowerCase() } : type;
    case "length":
      return type.type === "bits" && isCount ? { ...type, length: count } : type;
    case "digits":
      return type.type === "float" && isCount && list.length === 1
        ? { ...type, bits: count <= SINGLE_DIGITS ? 32 : 64 }
        : type;
    case "precision":
      if (!isCount) return type;
      // Without a scale, a decimal number with a precision is whole.
      if (type.type === "decimal") return { ...type, precision: count, scale: 0 };
      return type.type === "time" || type.type === "timestamp" ? { ...type, precision: count } : type;
    case "scale":
      return type.type === "decimal" && isCount ? { ...type, scale: count } : type;
  }
}

/** Applies a length with an optional unit: `20`, `20 char`, `max`. */
function applyLength<T extends StringType | BinaryType>(type: T, argument: string): T {
  const [, digits, unit] = /^(\d{1,15})(?:\s+(byte|char)\w*)?$/i.exec(argument) ?? [];
  const { maxLength: _, ...unlimited } = type;
  if (digits === undefined) return /^max$/i.test(argument) ? (unlimited as T) : type;
  const sized = { ...type, maxLength: Number(digits) };
  return unit === undefined || sized.type !== "string" ? sized : setUnit(sized, unit.toLowerCase() === "byte");
}

function setUnit<T extends StringType | BinaryType>(type: T, isByte: boolean): T {
  const { unit: _, ...others } = type as StringType;
  return (isByte ? { ...others, unit: "byte" } : others) as T;
}

function unquote(text: string): string {
  return /^'.*'$/s.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text;
}
