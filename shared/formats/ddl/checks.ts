import type { Constraints } from "../../domain/constraints/keywords.ts";
import { isSameValue } from "../../domain/text/json-values.ts";
import type { LiteralRules, SqlFamily } from "./dialect.ts";
import { toLiteral } from "./literals.ts";

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
  readonly literals: LiteralRules;
  /** Formats the number of characters of a column; undefined in a dialect without checks. */
  readonly formatLength: ((name: string) => string) | undefined;
}

type Bound = "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" | "minLength" | "maxLength";

type BoundCheck = readonly [
  families: readonly SqlFamily[],
  format: (name: string, bound: string, formatLength: (name: string) => string) => string,
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
    (name, size, formatLength) => `${formatLength(name)} >= ${size}`,
    (value, size) => countCharacters(value) >= size,
  ],
  maxLength: [
    TEXTS,
    (name, size, formatLength) => `${formatLength(name)} <= ${size}`,
    (value, size) => countCharacters(value) <= size,
  ],
};

/** Creates the checks for constraints. Calls `warnNone` for impossible ones. */
export function createChecks(
  constraints: Constraints,
  { family, isEnum, isUnbounded, literals: rules, formatLength }: CheckedType,
  warnNone: (keyword: keyof Constraints) => void,
): readonly SqlCheck[] {
  const checks: SqlCheck[] = [];
  const add = (isPossible: boolean, check: SqlCheck) => {
    if (isPossible && formatLength) checks.push(check);
    else warnNone(check.keyword);
  };
  const addBounds = (...keywords: readonly Bound[]) => {
    for (const keyword of keywords) {
      const bound = constraints[keyword];
      if (bound === undefined) continue;
      const [families, format, allows] = BOUND_CHECKS[keyword];
      add(!isEnum && families.includes(family), {
        keyword,
        format: (name) => format(name, bound < 0 ? `(${bound})` : String(bound), formatLength ?? String),
        allows: (value) => allows(value, bound),
      });
    }
  };
  addBounds("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum");
  const { enum: values, const: constant } = constraints;
  if (values !== undefined && !isEnum) {
    const literals = values.filter((one) => one !== null).map((one) => toLiteral(one, family, rules));
    add(literals.length > 0 && literals.every((one) => one !== undefined), {
      keyword: "enum",
      format: (name) => `${name} IN (${literals.join(", ")})`,
      allows: (value) => values.some((one) => isSameValue(one, value)),
    });
  }
  if (constant !== undefined) {
    const literal = constant === null ? undefined : toLiteral(constant, family, rules);
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
