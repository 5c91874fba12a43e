import { isSameValue } from "../../text/json-values.ts";
import type { LogicalType } from "../../types/logical/logical-type.ts";
import { readColumnValue, readTruthValue } from "../values/column-values.ts";
import { toDecimalText } from "../values/decimal-text.ts";
import type { Expression } from "./expression.ts";

/** What an expression is simplified by: the rules of its dialect, and the table that it belongs to. */
export interface SimplifyTerms {
  /** Names of schemas that may be omitted, such as `public` and `pg_catalog`. */
  readonly schemas: ReadonlySet<string>;
  /** Table whose name may be omitted before its columns. */
  readonly table: string | undefined;
  /** Functions and constants with the same meaning, by their names in lower case. */
  readonly synonyms: Readonly<Record<string, string>>;
  /** Operators with the same meaning, such as `~~` for `LIKE`. */
  readonly operators: Readonly<Record<string, string>>;
  /** True if the database adds casts to what was written. */
  readonly addsCasts: boolean;
  /** Returns the name of a type as the database reports it, and its logical type if it is known. */
  readonly findType: (name: string) => { readonly name: string; readonly type: LogicalType | undefined };
  /** Returns the logical type of a column if it is known. */
  readonly findColumnType: (name: string) => LogicalType | undefined;
  /** Returns the name of a column with the case that its table defines. */
  readonly toColumnName: (name: string) => string;
}

/** Returns the simplest expression with the same meaning: without added casts, qualifiers and synonyms. */
export function simplifyExpression(expression: Expression, terms: SimplifyTerms): Expression {
  const simple = simplifyOperands(expression, terms);
  switch (simple.is) {
    case "number":
      return { is: "number", value: toDecimalText(simple.value) ?? simple.value.toLowerCase() };
    case "constant":
      return { is: "constant", value: terms.synonyms[simple.value.toLowerCase()] ?? simple.value };
    case "name":
      return simplifyName(simple.path, terms);
    case "call":
      return simplifyCall(simple.name, simple.operands, terms);
    case "cast":
      return simplifyCast(simple, terms);
    case "membership":
      return toMembership(readLiterals(simple.operands, terms), simple.isNegated);
    case "operation":
      return simplifyOperation(simple.operator, simple.operands, terms);
    default:
      return simple;
  }
}

function simplifyOperands(expression: Expression, terms: SimplifyTerms): Expression {
  if (!("operands" in expression)) return expression;
  const operands = expression.operands.map((one) => simplifyExpression(one, terms));
  // Each kind of expression keeps the number of its operands.
  return { ...expression, operands } as Expression;
}

function simplifyName(path: readonly string[], { schemas, table, toColumnName }: SimplifyTerms): Expression {
  let rest = path.length > 1 && schemas.has(path[0] ?? "") ? path.slice(1) : path;
  if (rest.length > 1 && table !== undefined && rest.at(-2)?.toLowerCase() === table.toLowerCase())
    rest = rest.slice(-1);
  const [name = ""] = rest;
  return { is: "name", path: rest.length === 1 ? [toColumnName(name)] : rest };
}

function simplifyCall(
  written: string,
  operands: readonly Expression[],
  { schemas, synonyms }: SimplifyTerms,
): Expression {
  const dot = written.indexOf(".");
  const name = dot > 0 && schemas.has(written.slice(0, dot)) ? written.slice(dot + 1) : written;
  const own = Object.hasOwn(synonyms, name) ? synonyms[name] : undefined;
  const [first] = operands;
  // A precision of 0 is the default.
  const isPlain = operands.length === 0 || (first?.is === "number" && first.value === "0");
  if (own !== undefined && /^[A-Z]/.test(own) && isPlain) return { is: "constant", value: own };
  if (own !== undefined) return { is: "call", name: own.toLowerCase(), operands };
  // The name of a sequence is a text with an optional schema.
  if (/^(nextval|currval|setval)$/.test(name) && first?.is === "text") {
    return {
      is: "call",
      name,
      operands: [{ is: "text", value: toSequenceName(first.value, schemas) }, ...operands.slice(1)],
    };
  }
  return { is: "call", name, operands };
}

/** Returns the name of an object without a schema that may be omitted. */
export function removeSchema(name: string, schemas: ReadonlySet<string>): string {
  const [, schema, rest = name] = /^"?([^".]+)"?\.(.+)$/s.exec(name) ?? [];
  return schema !== undefined && schemas.has(schema) ? rest : name;
}

/** Returns the name of a sequence without a schema that may be omitted, and without needless quotes. */
function toSequenceName(name: string, schemas: ReadonlySet<string>): string {
  const own = removeSchema(name, schemas);
  return own.includes('"') ? own.replace(/^"([a-z_][a-z\d_$]*)"$/, "$1") : own.toLowerCase();
}

/** Types that the database casts a column to, to compare it with another type. */
const COMPARED_TYPES: ReadonlySet<LogicalType["type"]> = new Set(["string", "decimal", "float", "timestamp"]);

function simplifyCast(
  { type: written, operands: [operand] }: Expression & { readonly is: "cast" },
  { addsCasts, findType, findColumnType, schemas }: SimplifyTerms,
): Expression {
  const { name, type } = findType(written);
  const own = { is: "cast", type: name, operands: [operand] } as const;
  if (!addsCasts) return own;
  if (operand.is === "text") return readCastText(operand.value, name, type, schemas);
  if (operand.is === "number" || operand.is === "constant" || operand.is === "bits" || operand.is === "array") {
    return operand;
  }
  if (!type || name.includes("(")) return own;
  if (COMPARED_TYPES.has(type.type)) return operand;
  // The database casts a column of a domain to the type that it is based on.
  const columnType =
    operand.is === "name" && operand.path.length === 1 ? findColumnType(operand.path[0] ?? "") : undefined;
  return columnType && isSameValue(columnType, type) ? operand : own;
}

function readCastText(
  value: string,
  name: string,
  type: LogicalType | undefined,
  schemas: ReadonlySet<string>,
): Expression {
  if (name === "regclass") return { is: "text", value: toSequenceName(value, schemas) };
  const isNow = value.toLowerCase() === "now";
  switch (type?.type) {
    case "integer":
    case "decimal":
    case "float": {
      const number = toDecimalText(value.trim());
      return number === undefined ? { is: "text", value } : { is: "number", value: number };
    }
    case "boolean": {
      const truth = readTruthValue(value);
      return truth === undefined ? { is: "text", value } : { is: "constant", value: truth ? "TRUE" : "FALSE" };
    }
    case "date":
    case "timestamp":
    case "time": {
      const constant = type.type === "date" ? "CURRENT_DATE" : "CURRENT_TIMESTAMP";
      return isNow ? { is: "constant", value: constant } : readLiteral(value, type);
    }
    case "array":
      return readArrayText(value) ?? { is: "text", value };
    default:
      return { is: "text", value };
  }
}

/** Reads an array of plain items, such as `{a,b}`. */
function readArrayText(value: string): Expression | undefined {
  const [, list] = /^\{([^{}"\\]+)\}$/.exec(value) ?? [];
  if (list === undefined) return undefined;
  return { is: "array", operands: list.split(",").map((one) => ({ is: "text", value: one.trim() })) };
}

function toMembership(operands: readonly Expression[], isNegated: boolean): Expression {
  if (operands.length !== 2) return { is: "membership", isNegated, operands };
  return { is: "operation", operator: isNegated ? "<>" : "=", operands };
}

const NEGATIONS: ReadonlyMap<string, string> = new Map(
  ["LIKE", "ILIKE", "REGEXP", "SIMILAR TO"].map((one) => [one, `NOT ${one}`] as const),
);

/** Reads the texts that are compared with a column into its type: `'5'` of a number is 5. */
function readLiterals(
  operands: readonly Expression[],
  { findColumnType, addsCasts }: SimplifyTerms,
): readonly Expression[] {
  const [first] = operands;
  const type = first?.is === "name" && first.path.length === 1 ? findColumnType(first.path[0] ?? "") : undefined;
  if (!type) return operands;
  return operands.map((one) => (one.is === "text" ? readLiteral(one.value, type, addsCasts) : one));
}

/** Reads a text into a type. The database that adds casts reports literals as PostgreSQL does. */
function readLiteral(text: string, type: LogicalType, hasPostgresLiterals = true): Expression {
  const { value } = readColumnValue(text, type, { hasPostgresLiterals });
  if (typeof value === "number") return { is: "number", value: toDecimalText(String(value)) ?? String(value) };
  if (typeof value === "boolean") return { is: "constant", value: value ? "TRUE" : "FALSE" };
  return { is: "text", value: String(value) };
}

const COMPARISONS: ReadonlySet<string> = new Set(["=", "<>", "<", ">", "<=", ">="]);

function simplifyOperation(written: string, simplified: readonly Expression[], terms: SimplifyTerms): Expression {
  const { operators } = terms;
  const operator = Object.hasOwn(operators, written) ? (operators[written] ?? written) : written;
  const operands = COMPARISONS.has(operator) ? readLiterals(simplified, terms) : simplified;
  const [first, second] = operands;
  if ((operator === "-" || operator === "+") && operands.length === 1 && first?.is === "number") {
    const value = operator === "-" ? `-${first.value}` : first.value;
    return { is: "number", value: toDecimalText(value) ?? value };
  }
  if ((operator === "= ANY" || operator === "<> ALL") && first && second?.is === "array") {
    return toMembership(readLiterals([first, ...second.operands], terms), operator === "<> ALL");
  }
  if (operator === "NOT" && first) return negate(first);
  if (operator === "AND" || operator === "OR") {
    const flat = operands.flatMap((one) =>
      one.is === "operation" && one.operator === operator ? one.operands : [one],
    );
    return { is: "operation", operator, operands: flat };
  }
  return { is: "operation", operator, operands };
}

function negate(operand: Expression): Expression {
  if (operand.is === "membership") return { ...operand, isNegated: !operand.isNegated };
  if (operand.is === "operation") {
    const { operator } = operand;
    if (operator === "IS NULL") return { ...operand, operator: "IS NOT NULL" };
    const negation = NEGATIONS.get(operator);
    if (negation !== undefined) return { ...operand, operator: negation };
  }
  return { is: "operation", operator: "NOT", operands: [operand] };
}
