import type { Constraints } from "../../domain/constraints/keywords.ts";
import { sameValue } from "../../domain/same-value.ts";
import { literalOf, numberText } from "./literals.ts";
import type { SqlFamily } from "./sql-types.ts";

/** A check of one column, which says one keyword of its constraints. */
export interface SqlCheck {
  readonly keyword: keyof Constraints;
  /** The condition for a column of this name, as statements have the name. */
  readonly of: (name: string) => string;
  /** True for a value that meets the condition. */
  readonly allows: (value: unknown) => boolean;
}

/** The type of a column as far as checks need it. */
export interface CheckedType {
  readonly family: SqlFamily;
  readonly isEnum: boolean;
  /** True where the type itself bounds no length. */
  readonly isLong: boolean;
}

const BOUNDS = {
  minimum: [">=", (value: number, bound: number) => value >= bound],
  maximum: ["<=", (value: number, bound: number) => value <= bound],
  exclusiveMinimum: [">", (value: number, bound: number) => value > bound],
  exclusiveMaximum: ["<", (value: number, bound: number) => value < bound],
} as const;
const NUMBERS: ReadonlySet<SqlFamily> = new Set(["integer", "numeric", "float"]);

/** The checks that constraints ask for; a keyword for which a column of the type has none is told by its name. */
export function checksOf(
  constraints: Constraints,
  { family, isEnum, isLong }: CheckedType,
  none: (keyword: keyof Constraints) => void,
): readonly SqlCheck[] {
  const isText = (family === "text" || family === "char") && !isEnum;
  const checks: SqlCheck[] = [];
  const add = (keyword: keyof Constraints, isSayable: boolean, check: Omit<SqlCheck, "keyword">): void => {
    if (isSayable) checks.push({ keyword, ...check });
    else none(keyword);
  };
  for (const [keyword, [sign, holds]] of Object.entries(BOUNDS)) {
    const bound = constraints[keyword as keyof typeof BOUNDS];
    if (bound === undefined) continue;
    add(keyword as keyof typeof BOUNDS, NUMBERS.has(family), {
      of: (name) => `${name} ${sign} ${numberText(bound)}`,
      allows: (value) => holds(Number(value), bound),
    });
  }
  const { enum: values, const: only, multipleOf, minLength, maxLength } = constraints;
  if (values !== undefined && !isEnum) {
    const listed = values.filter((one) => one !== null).map((one) => literalOf(one, family));
    add("enum", listed.length > 0 && listed.every((one) => one !== undefined), {
      of: (name) => `${name} IN (${listed.join(", ")})`,
      allows: (value) => values.some((one) => sameValue(one, value)),
    });
  }
  if (only !== undefined) {
    const always = only === null ? undefined : literalOf(only, family);
    add("const", always !== undefined && !isEnum, {
      of: (name) => `${name} = ${always}`,
      allows: (value) => sameValue(value, only),
    });
  }
  if (multipleOf !== undefined) {
    add("multipleOf", family === "integer" || family === "numeric", {
      of: (name) => `${name} % ${numberText(multipleOf)} = 0`,
      allows: (value) => Number.isInteger(Number(value) / multipleOf),
    });
  }
  const length = (value: unknown): number => [...String(value)].length;
  if (minLength !== undefined) {
    add("minLength", isText, {
      of: (name) => `char_length(${name}) >= ${minLength}`,
      allows: (value) => length(value) >= minLength,
    });
  }
  if (maxLength !== undefined && isLong) {
    add("maxLength", isText, {
      of: (name) => `char_length(${name}) <= ${maxLength}`,
      allows: (value) => length(value) <= maxLength,
    });
  }
  return checks;
}
