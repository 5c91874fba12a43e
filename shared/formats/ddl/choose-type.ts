import { isSameValue } from "../../domain/text/json-values.ts";
import { DIALECT_TABLES, type TypeDialect } from "../../domain/types/dialects/dialects.ts";
import { resolveType } from "../../domain/types/dialects/table.ts";
import { parseTypeText } from "../../domain/types/dialects/type-text.ts";
import { holdsEveryValueOf } from "../../domain/types/logical/holding.ts";
import type { IntegerType, LogicalType, LogicalTypeName } from "../../domain/types/logical/logical-type.ts";
import { formatColumnType } from "../common/writing/column-types.ts";
import type { ChosenType, SqlFamily, TypeNeed } from "./dialect.ts";
import { quoteString } from "./literals.ts";
import type { SqlEnum } from "./names.ts";

/** Type of a column. */
export interface SqlType extends ChosenType {
  readonly enum: SqlEnum | undefined;
}

/** Limits of the arguments of a type, and the precision and scale of a number without them. */
export interface ArgumentLimits {
  readonly maxLength?: number;
  readonly maxPrecision?: number;
  readonly maxScale?: number;
  readonly usual?: readonly [precision: number, scale: number];
}

/**
 * Type of a dialect with its arguments: `n` is a length, `p` and `s` are precision and scale, `f` is the number of digits
 * of a fraction of a second, `d` the number of digits of an integer, `values` are those of an enum, `of` is the type of items.
 */
export type TypeTemplate = string | readonly [template: string, limits: ArgumentLimits];

/** Types of a dialect for each logical type. The first one with the same values is used, else the first that holds them. */
export type TypeTemplates = Readonly<Record<LogicalTypeName, readonly TypeTemplate[]>>;

interface TypeTerms {
  readonly dialect: TypeDialect;
  readonly templates: TypeTemplates;
  /** Length of a text without a limit in a key. */
  readonly keyedLength?: number;
}

/** Creates the function that chooses the type of a column: its own type in its own dialect, else one with the same values. */
export function createTypeChooser(terms: TypeTerms): (need: TypeNeed) => ChosenType {
  return (need) => {
    const text = findOwnType(need, terms) ?? chooseText(toLogicalType(need, terms), terms);
    // The list of values may be too long for a parser of types.
    const isEnum = need.values !== undefined && /^enum\(/i.test(text);
    if (isEnum) return { text, name: "enum", arguments: [], family: "text", values: need.values };
    return toChosenType(text, terms.dialect);
  };
}

/** Returns a type with what its table knows about it. */
export function toChosenType(text: string, dialect: TypeDialect): ChosenType {
  const { name, arguments: list } = parseTypeText(text);
  const type = resolveText(text, dialect);
  const sizes = list.map(Number).filter(Number.isFinite);
  return { text, name, family: type ? findFamily(type) : "other", arguments: sizes };
}

/** Returns the logical type of a physical type of a dialect. */
export function resolveText(text: string, dialect: TypeDialect): LogicalType | undefined {
  return resolveType(parseTypeText(text), DIALECT_TABLES[dialect])?.type;
}

/** Returns the family of a logical type. */
export function findFamily(type: LogicalType): SqlFamily {
  switch (type.type) {
    case "string":
      return type.fixed ? "char" : "text";
    case "integer":
    case "float":
    case "boolean":
    case "date":
    case "uuid":
      return type.type;
    case "decimal":
      return "numeric";
    case "time":
      return type.zone ? "other" : "time";
    case "timestamp":
      return type.zone ? "timestamptz" : "timestamp";
    case "json":
      return "jsonb";
    case "binary":
      return "bytea";
    case "enum":
      return "text";
    default:
      return "other";
  }
}

/** Tests whether two types have the same values, without regard to the units of lengths. */
export function isSameType(one: LogicalType, other: LogicalType): boolean {
  return isSameValue(removeUnit(one), removeUnit(other));
}

/** Removes the unit of a length: formats count characters, bytes or parts of them, and the databases that read them, too. */
export function removeUnit(type: LogicalType): LogicalType {
  if (type.type !== "string" || type.unit === undefined) return type;
  const { unit: _, ...others } = type;
  return others;
}

/** Returns the type of the model if it is one of the dialect, as it was read. */
function findOwnType({ column, type, values }: TypeNeed, { dialect }: TypeTerms): string | undefined {
  if (type.dialect !== dialect || !type.logicalType) return undefined;
  const { properties = {} } = column.attribute;
  if (properties["sql:written"] === "boolean") return "boolean";
  if (!/^[A-Za-z][\w ]*$/.test(column.type) || !resolveText(column.type, dialect)) return undefined;
  if (type.logicalType.type === "enum") return values && `${column.type}${formatValues(values)}`;
  const { "sql:values": members, "sql:items": items } = properties;
  if (/^set$/i.test(column.type)) return isTextList(members) ? `${column.type}${formatValues(members)}` : undefined;
  if (/^array$/i.test(column.type) && dialect === "bigquery") {
    return typeof items === "string" && /^[\w<>(), ]+$/.test(items) ? `${column.type}<${items}>` : undefined;
  }
  const { text } = formatColumnType(column, "sql");
  const resolved = resolveType(parseTypeText(text), DIALECT_TABLES[dialect]);
  return resolved && !resolved.hasUnreadArguments ? text : column.type;
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
}

function formatValues(values: readonly string[]) {
  return `(${values.map((one) => quoteString(one, { prefix: "", escapes: "backslashes" })).join(", ")})`;
}

/** Bits of an integer whose size is not known. */
const USUAL_BITS = 32;

function toLogicalType({ column, type, values, isKeyed }: TypeNeed, { keyedLength }: TypeTerms): LogicalType {
  const { logicalType } = type;
  const { maxLength } = column.attribute.constraints ?? {};
  if (values) return { type: "enum", values };
  if (logicalType === undefined || logicalType.type === "enum" || logicalType.type === "string") {
    const text =
      logicalType?.type === "string"
        ? removeUnit(logicalType)
        : ({ type: "string", ...(maxLength !== undefined && { maxLength }) } as const);
    const isSized = text.type === "string" && text.maxLength !== undefined && text.maxLength > 0;
    // The values of an enum are short, and an index may contain them.
    const isShort = isKeyed || logicalType?.type === "enum";
    return isShort && !isSized && keyedLength !== undefined ? { type: "string", maxLength: keyedLength } : text;
  }
  if (logicalType.type === "integer" && logicalType.bits === undefined) return { ...logicalType, bits: USUAL_BITS };
  return logicalType;
}

function chooseText(type: LogicalType, { dialect, templates }: TypeTerms): string {
  const options = templates[type.type].flatMap((template) => {
    const text = fillTemplate(template, type, { dialect, templates });
    const own = text === undefined ? undefined : resolveText(text, dialect);
    return text !== undefined && own ? [{ text, own: removeUnit(own) }] : [];
  });
  const match =
    options.find(({ own }) => isSameType(own, type)) ??
    options.find(({ own }) => holdsEveryValueOf(own, type).answer === "yes") ??
    options.find(({ own }) => holdsEveryValueOf(own, type).answer === "unknown") ??
    options.at(-1);
  return match?.text ?? chooseText({ type: "any" }, { dialect, templates });
}

function fillTemplate(template: TypeTemplate, type: LogicalType, terms: TypeTerms): string | undefined {
  const [pattern, limits] = typeof template === "string" ? [template, {}] : template;
  const parameters = /\((n|p,s|f|d|values)\)|<of>/.exec(pattern)?.[0];
  const put = (text: string | undefined) =>
    text === undefined ? undefined : pattern.replace(parameters ?? "", () => text);
  switch (parameters) {
    case undefined:
      return pattern;
    case "(n)":
      return put(formatLength(type, limits));
    case "(p,s)":
      return put(formatPrecision(type, limits));
    case "(f)": {
      const { precision } = type as { readonly precision?: number };
      return put(precision === undefined ? "" : `(${Math.min(precision, limits.maxPrecision ?? precision)})`);
    }
    case "(d)": {
      const digits = Math.ceil(((type as IntegerType).bits ?? USUAL_BITS) * Math.log10(2));
      return put(digits <= (limits.maxPrecision ?? digits) ? `(${digits})` : undefined);
    }
    case "(values)":
      return put(type.type === "enum" && type.values.length > 0 ? formatValues(type.values) : undefined);
    default: {
      const items = type.type === "array" && type.of ? chooseText(type.of, terms) : undefined;
      return items === undefined || items.includes("<") ? undefined : put(`<${items}>`);
    }
  }
}

function formatLength(type: LogicalType, { maxLength = Number.POSITIVE_INFINITY }: ArgumentLimits) {
  const { maxLength: most, length = most } = type as { readonly maxLength?: number; readonly length?: number };
  return length !== undefined && length >= 1 && length <= maxLength ? `(${length})` : undefined;
}

function formatPrecision(type: LogicalType, { maxPrecision = 1_000, maxScale = maxPrecision, usual }: ArgumentLimits) {
  if (type.type !== "decimal") return undefined;
  const { precision = usual?.[0], scale = type.precision === undefined ? usual?.[1] : 0 } = type;
  if (precision === undefined || precision < 1) return "";
  const legalScale = Math.max(0, Math.min(scale ?? 0, maxScale));
  return `(${Math.max(Math.min(precision, maxPrecision), legalScale)},${legalScale})`;
}
