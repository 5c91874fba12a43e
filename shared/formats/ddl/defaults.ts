import type { ModelColumn } from "../common/writing/model-tables.ts";
import type { SqlCheck } from "./checks.ts";
import { resolveText, type SqlType } from "./choose-type.ts";
import type { CommonExpression, DdlDialect, SqlFamily } from "./dialect.ts";
import { findCommonExpression, findUnknownPart } from "./expressions.ts";
import { quoteString, toLiteral } from "./literals.ts";

/** Facts about a column that its default depends on. */
interface DefaultTerms {
  readonly type: SqlType;
  readonly checks: readonly SqlCheck[];
  /** True if the model is of the dialect. */
  readonly isOwn: boolean;
  readonly isNumbered: boolean;
  readonly isGenerated: boolean;
  /** True for a field of a structure, which has no default. */
  readonly isField: boolean;
  readonly isRequired: boolean;
}

/** Default of a column, and the expression at updates. */
interface ColumnExpressions {
  readonly default: string | undefined;
  readonly onUpdate: string | undefined;
}

/** Converts the default of a column. Warns about one that the dialect does not have. */
export function toDefault(column: ModelColumn, terms: DefaultTerms, dialect: DdlDialect): ColumnExpressions {
  const { attribute, at } = column;
  const { constraints = {}, properties = {} } = attribute;
  const { "sql:default": expression, "sql:onUpdate": onUpdate } = properties;
  let value: string | undefined;
  if ("default" in constraints) {
    value = terms.isGenerated || terms.isField ? undefined : toDefaultLiteral(constraints.default, terms, dialect);
    if (value === undefined) at.warn("/constraints/default", "not_written", "the type cannot have this default");
  } else if (expression !== undefined && !terms.isNumbered && !terms.isGenerated) {
    value = terms.isField ? undefined : toDefaultExpression(expression, terms, dialect);
    if (value === undefined) {
      at.warn("/properties/sql:default", "not_written", `${dialect.name} has no such default, or not for this type`);
    }
  }
  const isKept = dialect.hasUpdateDefaults === true && terms.isOwn && findCommonExpression(String(onUpdate)) === "now";
  if (onUpdate !== undefined && !isKept) {
    at.warn("/properties/sql:onUpdate", "not_written", `${dialect.name} has no value at updates of this column`);
  }
  return { default: value, onUpdate: isKept ? toDefaultExpression(onUpdate, terms, dialect) : undefined };
}

function toDefaultLiteral(value: unknown, terms: DefaultTerms, dialect: DdlDialect): string | undefined {
  const { type, checks, isNumbered, isOwn } = terms;
  if (isNumbered) return undefined;
  if (value === null) return terms.isRequired && !dialect.literals.allowsRequiredNull ? undefined : "NULL";
  const converted = convertValue(value, type.family);
  const literal =
    toLiteral(converted, type.family, dialect.literals) ?? (isOwn ? toOwnLiteral(value, type, dialect) : undefined);
  if (literal === undefined) return undefined;
  const values = type.enum?.values ?? type.values;
  const isListed = !values || values.includes(String(value));
  const isAllowed =
    isListed && isInRange(converted, type, dialect) && checks.every(({ allows }) => allows(value) || allows(converted));
  if (!isAllowed) return undefined;
  const isLarge = /^(tiny|medium|long)?(text|blob)$|^json$/i.test(type.name);
  return dialect.literals.bracketsLarge && isLarge ? `(${literal})` : literal;
}

/** Returns a value as the databases read it: `'0'` as the default of a number is 0. */
function convertValue(value: unknown, family: SqlFamily): unknown {
  switch (family) {
    case "integer":
    case "numeric":
    case "float":
      return typeof value === "string" && /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(value.trim()) ? Number(value) : value;
    case "boolean":
      if (/^(true|t|1)$/i.test(String(value))) return true;
      return /^(false|f|0)$/i.test(String(value)) ? false : value;
    case "text":
    case "char":
      return typeof value === "number" ? String(value) : value;
    case "jsonb":
      return typeof value === "string" && /^[[{]/.test(value) ? (parseJson(value) ?? value) : value;
    default:
      return value;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Quotes a text of the same dialect, which has read it as a value of the type. */
function toOwnLiteral(value: unknown, { family }: SqlType, { literals }: DdlDialect) {
  const isTime = family === "date" || family === "time" || family === "timestamp" || family === "timestamptz";
  return typeof value === "string" && literals.hasZones && (isTime || family === "other")
    ? quoteString(value, literals)
    : undefined;
}

function isInRange(value: unknown, type: SqlType, { dialect }: DdlDialect) {
  const {
    family,
    arguments: [size = Number.POSITIVE_INFINITY, scale = 0],
  } = type;
  if (family === "text" || family === "char") return [...String(value)].length <= size;
  const logicalType = resolveText(type.text, dialect);
  if (logicalType?.type === "integer") {
    const { bits = 64, signed } = logicalType;
    const most = 2 ** (signed === false ? bits : bits - 1);
    return Number(value) < most && Number(value) >= (signed === false ? 0 : -most);
  }
  // Rounding may need one digit more.
  return family === "numeric" ? Math.abs(Number(value)) < 10 ** (size - scale) - 1 : true;
}

const EXPRESSION_FAMILIES: Readonly<Record<CommonExpression, readonly SqlFamily[]>> = {
  now: ["timestamp"],
  instant: ["timestamptz"],
  today: ["date"],
  uuid: ["uuid", "text", "char"],
};

/** Expressions of the present for types that are not local timestamps. */
const PRESENT: Readonly<Partial<Record<SqlFamily, CommonExpression>>> = { date: "today", timestamptz: "instant" };

function toDefaultExpression(value: unknown, { type, isOwn }: DefaultTerms, dialect: DdlDialect): string | undefined {
  if (typeof value !== "string") return undefined;
  const common = findCommonExpression(value);
  const { plainDefaults } = dialect.literals;
  if (isOwn) {
    if (findUnknownPart(value, dialect) !== undefined) return undefined;
    return plainDefaults && !plainDefaults.test(value) ? `(${value})` : value;
  }
  const name = common === "now" ? (PRESENT[type.family] ?? common) : common;
  const pattern = name && dialect.expressions[name];
  if (!name || pattern === undefined || !EXPRESSION_FAMILIES[name].includes(type.family)) return undefined;
  const [precision] = type.arguments;
  return pattern.replace("(f)", precision !== undefined && precision > 0 ? `(${precision})` : "");
}
