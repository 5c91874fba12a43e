import type { Constraints } from "../../domain/constraints/keywords.ts";
import { isSameValue } from "../../domain/text/json-values.ts";
import { quoteString } from "./names.ts";
import type { SqlFamily } from "./sql-types.ts";

/** A check constraint of one column for one keyword. */
export interface SqlCheck {
  readonly keyword: keyof Constraints;
  /** Formats the condition for a quoted column name. */
  readonly format: (name: string) => string;
  /** Returns true for a value that meets the condition. */
  readonly allows: (value: unknown) => boolean;
}

/** Facts about a column type that checks need. */
export interface CheckedType {
  readonly family: SqlFamily;
  readonly isEnum: boolean;
  /** True when the type does not limit the length. */
  readonly isUnbounded: boolean;
}

const BOUND_SIGNS = {
  minimum: [">=", (value: number, bound: number) => value >= bound],
  maximum: ["<=", (value: number, bound: number) => value <= bound],
  exclusiveMinimum: [">", (value: number, bound: number) => value > bound],
  exclusiveMaximum: ["<", (value: number, bound: number) => value < bound],
} as const;
const NUMBER_FAMILIES: ReadonlySet<SqlFamily> = new Set(["integer", "numeric", "float"]);

/** Creates the checks for constraints. Calls `none` for each keyword that the type cannot check. */
export function createChecks(
  constraints: Constraints,
  { family, isEnum, isUnbounded }: CheckedType,
  none: (keyword: keyof Constraints) => void,
): readonly SqlCheck[] {
  const isText = (family === "text" || family === "char") && !isEnum;
  const checks: SqlCheck[] = [];
  const add = (keyword: keyof Constraints, isSayable: boolean, check: Omit<SqlCheck, "keyword">): void => {
    if (isSayable) checks.push({ keyword, ...check });
    else none(keyword);
  };
  for (const [keyword, [sign, holds]] of Object.entries(BOUND_SIGNS)) {
    const bound = constraints[keyword as keyof typeof BOUND_SIGNS];
    if (bound === undefined) continue;
    add(keyword as keyof typeof BOUND_SIGNS, NUMBER_FAMILIES.has(family), {
      format: (name) => `${name} ${sign} ${formatNumber(bound)}`,
      allows: (value) => holds(Number(value), bound),
    });
  }
  const { enum: values, const: only, multipleOf, minLength, maxLength } = constraints;
  if (values !== undefined && !isEnum) {
    const listed = values.filter((one) => one !== null).map((one) => toLiteral(one, family));
    add("enum", listed.length > 0 && listed.every((one) => one !== undefined), {
      format: (name) => `${name} IN (${listed.join(", ")})`,
      allows: (value) => values.some((one) => isSameValue(one, value)),
    });
  }
  if (only !== undefined) {
    const always = only === null ? undefined : toLiteral(only, family);
    add("const", always !== undefined && !isEnum, {
      format: (name) => `${name} = ${always}`,
      allows: (value) => isSameValue(value, only),
    });
  }
  if (multipleOf !== undefined) {
    add("multipleOf", family === "integer" || family === "numeric", {
      format: (name) => `${name} % ${formatNumber(multipleOf)} = 0`,
      allows: (value) => Number.isInteger(Number(value) / multipleOf),
    });
  }
  const length = (value: unknown): number => [...String(value)].length;
  if (minLength !== undefined) {
    add("minLength", isText, {
      format: (name) => `char_length(${name}) >= ${minLength}`,
      allows: (value) => length(value) >= minLength,
    });
  }
  if (maxLength !== undefined && isUnbounded) {
    add("maxLength", isText, {
      format: (name) => `char_length(${name}) <= ${maxLength}`,
      allows: (value) => length(value) <= maxLength,
    });
  }
  return checks;
}

const LITERAL_PATTERNS: Readonly<Partial<Record<SqlFamily, RegExp>>> = {
  date: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])$/,
  timestamp: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?)?$/,
  timestamptz:
    /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[+-](0\d|1[0-2]):[0-5]\d)?)?$/,
  time: /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
};

const SMALLEST_INT = -(2 ** 31);
const LARGEST_INT = 2 ** 31 - 1;

/** Formats a value as a literal of a type family. Returns undefined for an invalid value. */
export function toLiteral(value: unknown, family: SqlFamily): string | undefined {
  if (value === null) return "NULL";
  switch (family) {
    case "text":
    case "char":
      return typeof value === "string" ? quoteString(value) : undefined;
    case "integer":
      return Number.isInteger(value) && Number(value) >= SMALLEST_INT && Number(value) <= LARGEST_INT
        ? String(value)
        : undefined;
    case "numeric":
    case "float":
      return typeof value === "number" && Math.abs(value) < 1e30 ? String(value) : undefined;
    case "boolean":
      return typeof value === "boolean" ? String(value) : undefined;
    case "jsonb":
      return JSON.stringify(value).includes("\\u0000") ? undefined : quoteString(JSON.stringify(value));
    default:
      return typeof value === "string" && LITERAL_PATTERNS[family]?.test(value) ? quoteString(value) : undefined;
  }
}

function formatNumber(value: number): string {
  return value < 0 ? `(${value})` : String(value);
}
