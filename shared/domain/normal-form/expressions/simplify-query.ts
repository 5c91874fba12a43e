import type { ExpressionToken } from "./scan-expression.ts";

/** Words that begin a clause after the tables of a query. */
const CLAUSES: ReadonlySet<string> = new Set(
  "WHERE GROUP ORDER HAVING LIMIT OFFSET FETCH WINDOW UNION EXCEPT INTERSECT".split(" "),
);
/** Words that are neither a name nor an alias in the list of columns. */
const WORDS: ReadonlySet<string> = new Set(
  "AS SELECT DISTINCT ALL END NULL TRUE FALSE AND OR NOT IS IN LIKE ILIKE COLLATE ZONE ESCAPE CASE WHEN THEN ELSE".split(
    " ",
  ),
);
const AS: ExpressionToken = { is: "word", value: "AS", key: "AS" };

/**
 * Returns the tokens of a query of one SELECT as databases report it: with `AS` before each alias, without an alias that
 * repeats the column, without the name of the only table before its columns, and without brackets around the condition.
 * Other queries are returned unchanged.
 */
export function simplifyQuery(tokens: readonly ExpressionToken[]): readonly ExpressionToken[] {
  const from = tokens.findIndex(({ key }) => key === "FROM");
  const isSingle = tokens.filter(({ key }) => key === "SELECT" || key === "FROM").length === 2;
  if (!isSingle || tokens[0]?.key !== "SELECT" || from < 0) return tokens;
  const clause = tokens.findIndex(({ key }, i) => i > from && CLAUSES.has(key));
  const end = clause < 0 ? tokens.length : clause;
  const qualifier = findQualifier(tokens.slice(from + 1, end));
  const unqualify = (list: readonly ExpressionToken[]) => removeQualifier(list, qualifier);
  const columns = splitColumns(tokens.slice(1, from)).map((column) => simplifyColumn(unqualify(column)));
  const comma: ExpressionToken = { is: "mark", value: ",", key: "," };
  return [
    ...tokens.slice(0, 1),
    ...columns.flatMap((column, i) => (i === 0 ? column : [comma, ...column])),
    ...tokens.slice(from, end),
    ...removeConditionBrackets(unqualify(tokens.slice(end))),
  ];
}

function isName(token: ExpressionToken | undefined): boolean {
  return token?.is === "name" || (token?.is === "word" && !WORDS.has(token.key) && !CLAUSES.has(token.key));
}

/** Returns the name that the columns of the only table may have before them; undefined for several tables. */
function findQualifier(tables: readonly ExpressionToken[]): string | undefined {
  const isOne = tables.every((token, i) => isName(token) || token.key === "." || (token.key === "AS" && i > 0));
  const isJoin = tables.some(({ key }) => key === "JOIN");
  return isOne && !isJoin ? tables.at(-1)?.value : undefined;
}

function removeQualifier(
  tokens: readonly ExpressionToken[],
  qualifier: string | undefined,
): readonly ExpressionToken[] {
  const isQualifier = (i: number) =>
    isName(tokens[i]) && tokens[i]?.value === qualifier && tokens[i + 1]?.key === "." && tokens[i - 1]?.key !== ".";
  return tokens.filter((_, i) => !isQualifier(i) && !(tokens[i]?.key === "." && isQualifier(i - 1)));
}

function splitColumns(tokens: readonly ExpressionToken[]): readonly (readonly ExpressionToken[])[] {
  const columns: ExpressionToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.key === "(" || token.key === "[") depth++;
    else if (token.key === ")" || token.key === "]") depth--;
    if (token.key === "," && depth === 0) columns.push([]);
    else columns.at(-1)?.push(token);
  }
  return columns;
}

function simplifyColumn(column: readonly ExpressionToken[]): readonly ExpressionToken[] {
  const [beforeLast, last] = [column.at(-2), column.at(-1)];
  if (!last || !beforeLast || !isName(last)) return column;
  if (beforeLast.key === "AS") {
    const [name, before] = [column.at(-3), column.at(-4)];
    const isRepeated =
      isName(name) && name?.value === last.value && (before === undefined || /^(\.|DISTINCT|ALL)$/.test(before.key));
    return isRepeated ? column.slice(0, -2) : column;
  }
  // The name of a type may have several words.
  if (column.at(-3)?.key === "::") return column;
  const endsValue = isName(beforeLast) || beforeLast.key === ")" || beforeLast.key === "]" || beforeLast.key === "END";
  const isAlias = endsValue || beforeLast.is === "text" || beforeLast.is === "number";
  return isAlias ? [...column.slice(0, -1), AS, last] : column;
}

function removeConditionBrackets(clauses: readonly ExpressionToken[]): readonly ExpressionToken[] {
  const [where, open] = clauses;
  if (where?.key !== "WHERE" || open?.key !== "(") return clauses;
  let depth = 0;
  const close = clauses.findIndex(({ key }) => {
    depth += key === "(" ? 1 : key === ")" ? -1 : 0;
    return depth === 0 && key === ")";
  });
  const next = clauses[close + 1];
  if (close < 0 || (next && !CLAUSES.has(next.key))) return clauses;
  return removeConditionBrackets([where, ...clauses.slice(2, close), ...clauses.slice(close + 1)]);
}
