import { findConstraintFaults } from "../constraints/check.ts";
import type { Constraints } from "../constraints/keywords.ts";
import type { EntityDocument, ModelDocument } from "../document/document.ts";
import { isSameValue } from "../text/json-values.ts";
import type { DialectRules } from "./dialect-rules.ts";
import type { Expression } from "./expressions/expression.ts";
import { isMadeName } from "./made-names.ts";
import { sortByText } from "./property-changes.ts";
import { findModelTerms, TableExpressions } from "./table-expressions.ts";
import { readExactNumber } from "./values/decimal-text.ts";

/** Check of a table or a domain, as the property `sql:checks` lists it. */
interface Check {
  readonly name?: string;
  readonly check?: string;
  readonly exclude?: string;
}

/** Constraint keywords that a check states about one column. */
export interface CheckedColumn {
  readonly column: string;
  readonly keywords: Constraints;
}

/** Checks in their normal form, with the keywords that they state. */
export interface NormalChecks {
  readonly checks: readonly Check[];
  readonly keywords: readonly CheckedColumn[];
}

/** Returns the checks of a table or domain without made names, in the order of their texts. */
export function normalizeChecks(
  written: unknown,
  owner: string,
  expressions: TableExpressions,
  rules: DialectRules,
): NormalChecks {
  const keywords: CheckedColumn[] = [];
  const checks = listObjects(written).map((one): Check => {
    if (typeof one.check !== "string") return normalizeExclusion(one, owner, expressions, rules);
    const expression = expressions.parse(one.check);
    const check = expression ? expressions.format(expression) : expressions.joinTokens(one.check);
    const stated = expression && findKeywords(expression);
    if (stated) keywords.push(stated);
    const columns = expression ? [...listNames(expression)].filter((name) => expressions.findColumn(name)) : [];
    const { name, ...others } = one;
    const object = { part: "check", table: owner, columns: columns.length === 1 ? columns : [] } as const;
    const isMade = name !== undefined && isMadeName(name, object, rules);
    return { ...(name !== undefined && !isMade && { name }), ...others, check };
  });
  return { checks: sortByText(checks), keywords };
}

/**
 * Returns a test whether constraints of the attributes of an entity state everything that a check states. It is false for
 * every check of a model without a SQL dialect.
 */
export function createStatedChecks(entity: EntityDocument, document: ModelDocument): (check: string) => boolean {
  const terms = findModelTerms(document, document.properties);
  if (!terms) return () => false;
  let expressions: TableExpressions | undefined;
  return (check) => {
    expressions ??= new TableExpressions(terms, entity);
    const expression = expressions.parse(check);
    const stated = expression && findKeywords(expression);
    const constraints = stated && expressions.findColumn(stated.column)?.constraints;
    if (!constraints) return false;
    const keywords = Object.keys(stated.keywords) as (keyof Constraints)[];
    return keywords.every((keyword) => isSameValue(constraints[keyword], stated.keywords[keyword]));
  };
}

/** Returns the objects of a list that a property holds. */
export function listObjects<T extends object = Check>(value: unknown): readonly T[] {
  const isObject = (one: unknown): one is T => typeof one === "object" && one !== null && !Array.isArray(one);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function normalizeExclusion(one: Check, owner: string, expressions: TableExpressions, rules: DialectRules): Check {
  const { name, ...others } = one;
  if (typeof one.exclude !== "string") return one;
  const columns = [...one.exclude.matchAll(/[(,]\s*"?(\w+)"?\s+with\b/gi)].map(([, column = ""]) =>
    column.toLowerCase(),
  );
  const isMade = name !== undefined && isMadeName(name, { part: "exclusion", table: owner, columns }, rules);
  return { ...(name !== undefined && !isMade && { name }), ...others, exclude: expressions.joinTokens(one.exclude) };
}

function* listNames(expression: Expression, seen = new Set<string>()): Generator<string> {
  if (expression.is === "name") {
    const name = expression.path.at(-1) ?? "";
    if (!seen.has(name)) {
      seen.add(name);
      yield name;
    }
  }
  if ("operands" in expression) for (const one of expression.operands) yield* listNames(one, seen);
}

const BOUNDS: Readonly<Record<string, "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum">> = {
  ">=": "minimum",
  "<=": "maximum",
  ">": "exclusiveMinimum",
  "<": "exclusiveMaximum",
};

/** Finds the keywords of a check of one column: `a IN (…)`, `a >= 1`, `a BETWEEN 1 AND 9`. */
function findKeywords(expression: Expression): CheckedColumn | undefined {
  if (expression.is === "membership" && !expression.isNegated) return toChoices(expression.operands);
  if (expression.is !== "operation") return undefined;
  const { operator, operands } = expression;
  if (operator === "=") return toChoices(operands);
  if (operator === "AND") return joinKeywords(operands.map(findKeywords));
  const [first, second] = operands;
  const keyword = BOUNDS[operator];
  if (keyword === undefined || first?.is !== "name" || first.path.length !== 1 || second?.is !== "number")
    return undefined;
  const value = readExactNumber(second.value);
  return value === undefined ? undefined : { column: first.path[0] ?? "", keywords: { [keyword]: value } };
}

function toChoices([first, ...others]: readonly Expression[]): CheckedColumn | undefined {
  if (first?.is !== "name" || first.path.length !== 1) return undefined;
  const values = others.map(readLiteral);
  if (values.length === 0 || values.includes(undefined)) return undefined;
  return { column: first.path[0] ?? "", keywords: { enum: [...new Set(values)] } };
}

/** Returns the value of a literal; undefined for another expression and for NULL. */
export function readLiteral(expression: Expression): string | number | boolean | undefined {
  switch (expression.is) {
    case "text":
      return expression.value;
    case "number":
      return readExactNumber(expression.value);
    case "constant":
      return expression.value === "TRUE" ? true : expression.value === "FALSE" ? false : undefined;
    default:
      return undefined;
  }
}

/** Joins the keywords of conditions of the same column; undefined if one condition states something else. */
function joinKeywords(all: readonly (CheckedColumn | undefined)[]): CheckedColumn | undefined {
  const [first] = all;
  if (!first) return undefined;
  let keywords: Constraints = {};
  for (const one of all) {
    if (one?.column !== first.column) return undefined;
    const joined = { ...keywords, ...one.keywords };
    const isRepeated = Object.keys(joined).length < Object.keys(keywords).length + Object.keys(one.keywords).length;
    if (isRepeated) return undefined;
    keywords = joined;
  }
  return findConstraintFaults(keywords).length > 0 ? undefined : { column: first.column, keywords };
}
