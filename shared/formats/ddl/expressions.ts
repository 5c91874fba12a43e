import type { EntityDocument, ModelDocument } from "../../domain/document/document.ts";
import { type CheckedColumn, normalizeChecks } from "../../domain/normal-form/checks.ts";
import { findModelTerms, TableExpressions } from "../../domain/normal-form/table-expressions.ts";
import type { SqlDialect } from "../common/source-text.ts";
import { Cursor } from "../sql/cursor.ts";
import { DIALECTS, type DialectFacts } from "../sql/dialects.ts";
import { removeBrackets } from "../sql/expressions.ts";
import { Scanner, type Token } from "../sql/scanner.ts";
import { resolveText } from "./choose-type.ts";
import type { CommonExpression, DdlDialect } from "./dialect.ts";

/** An expression of a source with its tokens. */
interface ParsedExpression {
  readonly tokens: readonly Token[];
  readonly cursor: Cursor;
}

function parseExpression(text: string, dialect: string): ParsedExpression | undefined {
  const facts: DialectFacts = DIALECTS[dialect as SqlDialect] ?? DIALECTS.sql;
  const scanner = new Scanner(text, facts);
  const tokens: Token[] = [];
  while (scanner.next()) tokens.push(scanner.getToken());
  if (scanner.isOpen || tokens.length === 0 || !areBracketsClosed(tokens)) return undefined;
  return { tokens, cursor: new Cursor(tokens, text, facts) };
}

function areBracketsClosed(tokens: readonly Token[]) {
  let depth = 0;
  for (const { key } of tokens) {
    if (key === "(") depth += 1;
    else if (key === ")") depth -= 1;
    if (depth < 0 || key === ";") return false;
  }
  return depth === 0;
}

/** Words that may be before an opening bracket, and are not functions. */
const WORDS = new Set(
  (
    "AND OR NOT IN ANY ALL SOME EXISTS CASE WHEN THEN ELSE END IS AS ON USING FROM JOIN SELECT WHERE BETWEEN LIKE ILIKE " +
    "VALUES INTERVAL OVER UNION EXCEPT INTERSECT BY HAVING DISTINCT FILTER WITH LATERAL ONLY ROW LIMIT DEFAULT"
  ).split(" "),
);

/** Returns the reason why a dialect may refuse an expression written in it; undefined if it calls known functions and types only. */
export function findUnknownPart(text: string, { dialect, functions, name }: DdlDialect): string | undefined {
  const parsed = parseExpression(text, dialect);
  if (!parsed) return "the expression is not complete";
  const { tokens } = parsed;
  for (const [i, token] of tokens.entries()) {
    const next = tokens[i + 1]?.key;
    if (token.key === ":" && next === ":") {
      const type = tokens[i + 2];
      const isKnown = type !== undefined && resolveText(type.value, dialect) !== undefined;
      if (!isKnown) return `${name} has no type ${type?.value ?? ""}`;
    }
    if (token.kind === "placeholder") return "the expression has a placeholder";
    if (next !== "(" || (token.kind !== "word" && token.kind !== "name")) continue;
    const isQualified = tokens[i - 1]?.key === "." && !/^(pg_catalog|sys)$/i.test(tokens[i - 2]?.value ?? "");
    const isKnown =
      token.kind === "word" &&
      (WORDS.has(token.key) || functions.has(token.key) || resolveText(token.value, dialect) !== undefined);
    if (!isKnown || isQualified) return `${name} has no function ${token.value}`;
  }
  return undefined;
}

/** Returns an expression without brackets around all of it. */
export function removeOuterBrackets(text: string, dialect: string): string {
  const parsed = parseExpression(text, dialect);
  return parsed ? parsed.cursor.getSource(removeBrackets(parsed.tokens)) : text;
}

/** Creates a function that returns the column and the keywords of a check such as `a >= 0`; undefined for other checks. */
export function createCheckParser(
  entity: EntityDocument,
  document: ModelDocument,
): (check: string) => CheckedColumn | undefined {
  const terms = findModelTerms(document, document.properties);
  if (!terms) return () => undefined;
  const expressions = new TableExpressions(terms, entity);
  return (check) => normalizeChecks([{ check }], entity.key, expressions, terms.rules).keywords[0];
}

/** Returns the names of tables after FROM and JOIN of a query, without those of common table expressions. */
export function listQueriedTables(query: string, dialect: string): readonly string[] | undefined {
  const tokens = parseExpression(query, dialect)?.tokens;
  if (!tokens) return undefined;
  const tables: string[] = [];
  const common = new Set<string>();
  for (const [i, { key, value }] of tokens.entries()) {
    if (key === "AS" && tokens[i + 1]?.key === "(") common.add(tokens[i - 1]?.value ?? "");
    if (key !== "FROM" && key !== "JOIN") continue;
    let at = i + 1;
    while (/^(ONLY|LATERAL|\()$/.test(tokens[at]?.key ?? "")) at++;
    if (/^(SELECT|WITH|VALUES)$/.test(tokens[at]?.key ?? "")) continue;
    while (tokens[at + 1]?.key === ".") at += 2;
    tables.push(tokens[at]?.value ?? value);
  }
  return tables.filter((table) => !common.has(table));
}

const COMMON_PATTERNS: readonly (readonly [CommonExpression, RegExp])[] = [
  [
    "now",
    /^\(*(current_timestamp(\s*\(\s*\d?\s*\))?|now\(\d?\)|getdate\(\)|getutcdate\(\)|sysdatetime\(\)|sysdatetimeoffset\(\)|sysutcdatetime\(\)|localtimestamp(\(\d?\))?|systimestamp|sysdate|current_datetime(\(\))?|statement_timestamp\(\)|transaction_timestamp\(\)|clock_timestamp\(\))\)*$/i,
  ],
  ["today", /^\(*(current_date(\(\))?|curdate\(\)|getdate\(\)::date|now\(\)::date)\)*$/i],
  [
    "uuid",
    /^\(*(gen_random_uuid\(\)|(public\.)?uuid_generate_v4\(\)|newid\(\)|newsequentialid\(\)|uuid\(\)|generate_uuid\(\)|uuid_string\(\)|sys_guid\(\))\)*$/i,
  ],
];

/** Returns the expression that several dialects have and a text is. */
export function findCommonExpression(text: string): CommonExpression | undefined {
  return COMMON_PATTERNS.find(([, pattern]) => pattern.test(text.trim()))?.[0];
}
