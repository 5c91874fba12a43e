import { BINDING, type Expression, formatText, getBinding, type Notation } from "./expression.ts";
import { formatName } from "./scan-expression.ts";

/** Returns the text of an expression, with single spaces and without needless brackets. */
export function formatExpression(expression: Expression, notation: Notation, binding = 0): string {
  const format = (one: Expression | undefined, inner = 0) => (one ? formatExpression(one, notation, inner) : "");
  const list = (all: readonly Expression[]) => all.map((one) => format(one)).join(", ");
  const { operands } = { operands: [], ...expression };
  const [first, second] = operands as readonly Expression[];
  const rest = (operands as readonly Expression[]).slice(1);
  switch (expression.is) {
    case "text":
      return formatText(expression.value, notation);
    case "number":
      return expression.value.startsWith("-") ? addBrackets(expression.value, BINDING.sign, binding) : expression.value;
    case "bits":
    case "constant":
      return expression.value;
    case "name":
      return expression.path.map((one) => (one === "*" ? one : formatName(one, notation))).join(".");
    case "call":
      return `${formatFunction(expression.name, notation)}(${list(expression.operands)})`;
    case "array":
      return `ARRAY[${list(expression.operands)}]`;
    case "row":
      return expression.operands.length === 1 ? `ROW(${list(expression.operands)})` : `(${list(expression.operands)})`;
    case "cast":
      return addBrackets(`${format(first, BINDING.cast - 1)}::${expression.type}`, BINDING.cast, binding);
    case "membership": {
      const operator = expression.isNegated ? "NOT IN" : "IN";
      return addBrackets(`${format(first, BINDING.LIKE)} ${operator} (${list(rest)})`, BINDING.LIKE, binding);
    }
    case "case":
      return formatCase(expression, format);
    case "operation": {
      const { operator } = expression;
      if (operator === "[]") return `${format(first, BINDING.cast)}[${list(rest)}]`;
      if (/ (ANY|ALL)$/.test(operator)) {
        return addBrackets(
          `${format(first, BINDING.comparison)} ${operator} (${list(rest)})`,
          BINDING.comparison,
          binding,
        );
      }
      if (rest.length === 0) return formatUnary(operator, first, format, binding);
      const own = getBinding(operator);
      const isList = operator === "AND" || operator === "OR";
      const texts = (operands as readonly Expression[]).map((one, i) =>
        format(one, i === 0 && !isList ? own - 1 : own),
      );
      return second ? addBrackets(texts.join(` ${operator} `), own, binding) : "";
    }
  }
}

function addBrackets(text: string, own: number, binding: number): string {
  return own <= binding ? `(${text})` : text;
}

/** Returns the name of a function; parts that are not plain words keep their quotes. */
function formatFunction(name: string, notation: Notation): string {
  return name
    .split(".")
    .map((part) => (/^[a-z_][\w$]*$/.test(part) ? part : formatName(part, notation)))
    .join(".");
}

function formatUnary(
  operator: string,
  operand: Expression | undefined,
  format: (one: Expression | undefined, binding?: number) => string,
  binding: number,
): string {
  if (operator.startsWith("IS ")) return addBrackets(`${format(operand, BINDING.IS)} ${operator}`, BINDING.IS, binding);
  if (operator === "NOT") return addBrackets(`NOT ${format(operand, BINDING.NOT - 1)}`, BINDING.NOT, binding);
  return addBrackets(`${operator}${format(operand, BINDING.sign)}`, BINDING.sign, binding);
}

function formatCase(
  { hasSubject, hasOther, operands }: Expression & { readonly is: "case" },
  format: (one: Expression | undefined) => string,
): string {
  const rest = operands.slice(hasSubject ? 1 : 0, hasOther ? -1 : undefined);
  const parts = ["CASE", ...(hasSubject ? [format(operands[0])] : [])];
  for (let i = 0; i < rest.length; i += 2) parts.push(`WHEN ${format(rest[i])} THEN ${format(rest[i + 1])}`);
  if (hasOther) parts.push(`ELSE ${format(operands.at(-1))}`);
  return [...parts, "END"].join(" ");
}
