import type { Constraints } from "../../domain/constraints/keywords.ts";
import { isSameValue } from "../../domain/text/json-values.ts";
import { quoteString } from "./names.ts";

/** Family of types with common literals, checks and joins. */
export type SqlFamily =
  | "text"
  | "char"
  | "integer"
  | "numeric"
  | "float"
  | "boolean"
  | "date"
  | "timestamp"
  | "timestamptz"
  | "time"
  | "uuid"
  | "jsonb"
  | "bytea"
  | "other";

/** A check constraint of one column for one keyword. */
export interface SqlCheck {
  readonly keyword: keyof Constraints;
  readonly format: (name: string) => string;
  readonly allows: (value: unknown) => boolean;
}

/** Facts about a column type that checks need. */
export interface CheckedType {
  readonly family: SqlFamily;
  readonly isEnum: boolean;
  readonly isUnbounded: boolean;
}

type Bound = "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" | "minLength" | "maxLength";

type BoundCheck = readonly [
  families: readonly SqlFamily[],
  format: (name: string, bound: string) => string,
  allows: (value: unknown, bound: number) => boolean,
];

const NUMBERS: readonly SqlFamily[] = ["integer", "numeric", "float"];
const TEXTS: readonly SqlFamily[] = ["text", "char"];
const countCharacters = (value: unknown) => [...String(value)].length;

const BOUND_CHECKS: Readonly<Record<Bound, BoundCheck>> = {
  minimum: [NUMBERS, (name, bound) => `${name} >= ${bound}`, (value, bound) => Number(value) >= bound],
  maximum: [NUMBERS, (name, bound) => `${name} <= ${bound}`, (value, bound) => Number(value) <= bound],
  exclusiveMinimum: [NUMBERS, (name, bound) => `${name} > ${bound}`, (value, bound) => Number(value) > bound],
  exclusiveMaximum: [NUMBERS, (name, bound) => `${name} < ${bound}`, (value, bound) => Number(value) < bound],
  multipleOf: [
    ["integer", "numeric"],
    (name, bound) => `${name} % ${bound} = 0`,
    (value, bound) => Number.isInteger(Number(value) / bound),
  ],
  minLength: [
    TEXTS,
    (name, size) => `char_length(${name}) >= ${size}`,
    (value, size) => countCharacters(value) >= size,
  ],
  maxLength: [
    TEXTS,
    (name, size) => `char_length(${name}) <= ${size}`,
    (value, size) => countCharacters(value) <= size,
  ],
};

/** Creates the checks for constraints. Calls `none` for impossible ones. */
export function createChecks(
  constraints: Constraints,
  { family, isEnum, isUnbounded }: CheckedType,
  warnNone: (keyword: keyof Constraints) => void,
): readonly SqlCheck[] {
  const checks: SqlCheck[] = [];
  const add = (isPossible: boolean, check: SqlCheck) => {
    if (isPossible) checks.push(check);
    else warnNone(check.keyword);
  };
  const addBounds = (...keywords: readonly Bound[]) => {
    for (const keyword of keywords) {
      const bound = constraints[keyword];
      if (bound === undefined) continue;
      const [families, format, allows] = BOUND_CHECKS[keyword];
      add(!isEnum && families.includes(family), {
        keyword,
        format: (name) => format(name, bound < 0 ? `(${bound})` : String(bound)),
        allows: (value) => allows(value, bound),
      });
    }
  };
  addBounds("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum");
  const { enum: values, const: constant } = constraints;
  if (values !== undefined && !isEnum) {
    const literals = values.filter((one) => one !== null).map((one) => toLiteral(one, family));
    add(literals.length > 0 && literals.every((one) => one !== undefined), {
      keyword: "enum",
      format: (name) => `${name} IN (${literals.join(", ")})`,
      allows: (value) => values.some((one) => isSameValue(one, value)),
    });
  }
  if (constant !== undefined) {
    const literal = constant === null ? undefined : toLiteral(constant, family);
    add(literal !== undefined && !isEnum, {
      keyword: "const",
      format: (name) => `${name} = ${literal}`,
      allows: (value) => isSameValue(value, constant),
    });
  }
  addBounds("multipleOf", "minLength");
  if (isUnbounded) addBounds("maxLength");
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
