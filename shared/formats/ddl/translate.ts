import type { EntityDocument, ModelDocument } from "../../domain/document/document.ts";
import type { Expression, Notation } from "../../domain/normal-form/expressions/expression.ts";
import { formatExpression } from "../../domain/normal-form/expressions/format-expression.ts";
import { findModelTerms, TableExpressions } from "../../domain/normal-form/table-expressions.ts";
import type { DdlDialect, SqlFamily } from "./dialect.ts";
import { quoteString } from "./literals.ts";

/** Column that an expression may use: its quoted name and the family of its type. */
export interface UsedColumn {
  readonly text: string;
  readonly family: SqlFamily;
}

/** Translates an expression of the source; undefined if its meaning in the other dialect is not certain. */
export type Translate = (text: string, kind: "condition" | "value") => string | undefined;

/** Creates the function that translates the expressions of a table. Only what all dialects compute alike is translated. */
export function createTranslator(
  entity: EntityDocument,
  document: ModelDocument,
  dialect: DdlDialect,
  findColumn: (key: string) => UsedColumn | undefined,
): Translate {
  const terms = findModelTerms(document, document.properties);
  if (!terms) return () => undefined;
  const expressions = new TableExpressions(terms, entity);
  const translator = new Translator(dialect, (name) => {
    const attribute = expressions.findColumn(name);
    return attribute && findColumn(attribute.key);
  });
  return (text, kind) => {
    const expression = expressions.parse(text);
    const translated =
      expression && (kind === "condition" ? translator.toCondition(expression) : translator.toValue(expression));
    return translated && formatExpression(translated, NOTATION);
  };
}

/** Names and texts are formatted before, with the quotes of the dialect. */
const NOTATION: Notation = { quotes: '"', names: "kept", doubleIsText: false, backslash: false };

const COMPARISONS = new Set(["=", "<>", "<", ">", "<=", ">="]);
const LOGIC = new Set(["AND", "OR", "NOT"]);
const TESTS = new Set(["IS NULL", "IS NOT NULL"]);
const SUMS = new Set(["+", "-", "*"]);
const FUNCTIONS = new Set(["coalesce", "nullif", "abs", "lower", "upper"]);
const FAMILIES = new Set<SqlFamily>([
  "text",
  "char",
  "integer",
  "numeric",
  "float",
  "date",
  "timestamp",
  "timestamptz",
]);
const TESTED = new Set<SqlFamily>([...FAMILIES, "boolean"]);
const NUMBERS = new Set<SqlFamily>(["integer", "numeric", "float"]);

class Translator {
  readonly #dialect: DdlDialect;
  readonly #findColumn: (name: string) => UsedColumn | undefined;

  constructor(dialect: DdlDialect, findColumn: (name: string) => UsedColumn | undefined) {
    this.#dialect = dialect;
    this.#findColumn = findColumn;
  }

  toCondition(expression: Expression): Expression | undefined {
    if (expression.is === "membership") return this.#withOperands(expression, (one) => this.toValue(one));
    if (expression.is !== "operation") return undefined;
    const { operator } = expression;
    if (LOGIC.has(operator)) return this.#withOperands(expression, (one) => this.toCondition(one));
    if (COMPARISONS.has(operator)) return this.#withOperands(expression, (one) => this.#toCompared(one));
    return TESTS.has(operator) ? this.#withOperands(expression, (one) => this.#toTested(one)) : undefined;
  }

  toValue(expression: Expression): Expression | undefined {
    switch (expression.is) {
      case "number":
        return expression;
      case "text":
        return { is: "constant", value: quoteString(expression.value, this.#dialect.literals) };
      case "name":
        return this.#toColumn(expression.path, FAMILIES);
      case "call":
        return FUNCTIONS.has(expression.name) ? this.#withOperands(expression, (one) => this.toValue(one)) : undefined;
      case "operation":
        return SUMS.has(expression.operator) ? this.#withOperands(expression, (one) => this.#toNumber(one)) : undefined;
      default:
        return undefined;
    }
  }

  /** Translates an operand of a sum: dates, of which the dialects have other sums, are none. */
  #toNumber(expression: Expression): Expression | undefined {
    return expression.is === "name" ? this.#toColumn(expression.path, NUMBERS) : this.toValue(expression);
  }

  /** Translates an operand of a comparison, which may be a boolean. */
  #toCompared(expression: Expression): Expression | undefined {
    const { literals } = this.#dialect;
    if (expression.is === "constant" && expression.value === "TRUE") return { is: "constant", value: literals.true };
    if (expression.is === "constant" && expression.value === "FALSE") return { is: "constant", value: literals.false };
    return this.#toTested(expression);
  }

  #toTested(expression: Expression): Expression | undefined {
    return expression.is === "name" ? this.#toColumn(expression.path, TESTED) : this.toValue(expression);
  }

  #toColumn(path: readonly string[], families: ReadonlySet<SqlFamily>): Expression | undefined {
    const column = path.length === 1 ? this.#findColumn(path[0] ?? "") : undefined;
    return column && families.has(column.family) ? { is: "constant", value: column.text } : undefined;
  }

  /** Returns an expression with translated operands; undefined if one of them cannot be translated. */
  #withOperands<E extends Expression & { readonly operands: readonly Expression[] }>(
    expression: E,
    translate: (operand: Expression) => Expression | undefined,
  ): Expression | undefined {
    const operands = expression.operands.map(translate);
    return operands.includes(undefined) ? undefined : ({ ...expression, operands } as E);
  }
}
