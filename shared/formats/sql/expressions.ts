import { WORDS } from "./clause-words.ts";
import type { Cursor } from "./cursor.ts";
import type { Token } from "./scanner.ts";

/** Default of a column: a value, or the source of an expression. Undefined for NULL. */
export type DefaultValue = { readonly value: unknown } | { readonly expression: string } | undefined;

/** Parses a default: a literal, optionally in brackets or with a cast, or an expression. */
export function parseDefault(tokens: readonly Token[], cursor: Cursor): DefaultValue {
  const body = removeBrackets(tokens);
  const [first, second] = body;
  const cast = body.findIndex((token, i) => token.key === ":" && body[i + 1]?.key === ":");
  const isCast = cast > 0 && body.slice(cast + 2).every(({ kind, key }) => kind !== "mark" || /^[.()[\],]$/.test(key));
  const operand = isCast ? removeBrackets(body.slice(0, cast)) : body;
  if (operand.length === 1 && first) {
    const literal = parseLiteral(operand[0] as Token, cursor.text);
    if (literal !== undefined) return literal.value === null ? undefined : literal;
  }
  const last = operand.at(-1);
  // A typed literal such as `date '2020-01-02'`.
  const isTyped = last?.kind === "text" && operand.slice(0, -1).every(({ kind }) => kind === "word");
  if (operand.length > 1 && last && isTyped && WORDS.typedLiterals.has(first?.key ?? "")) {
    const typedValue = parseLiteral(last, cursor.text);
    if (typedValue !== undefined) return typedValue;
  }
  if (operand.length === 2 && (first?.key === "-" || first?.key === "+") && second?.kind === "number") {
    const value = parseNumber(second.value);
    if (value !== undefined) return { value: first.key === "-" ? -value : value };
  }
  return { expression: cursor.getSource(tokens) };
}

/** Parses a literal token: a text, number, boolean or NULL. */
export function parseLiteral(token: Token, text: string): { readonly value: unknown } | undefined {
  if (token.kind === "text") return /^[nNeE'"$]/.test(text[token.start] ?? "") ? { value: token.value } : undefined;
  if (token.kind === "number") {
    const value = parseNumber(token.value);
    return value === undefined ? undefined : { value };
  }
  if (token.key === "TRUE") return { value: true };
  if (token.key === "FALSE") return { value: false };
  return token.key === "NULL" ? { value: null } : undefined;
}

/** Parses a number that JSON can represent exactly. */
export function parseNumber(text: string): number | undefined {
  const value = Number(text);
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)) ? value : undefined;
}

/** Removes brackets around all tokens, in linear time. */
export function removeBrackets(tokens: readonly Token[]): readonly Token[] {
  let open = 0;
  while (tokens[open]?.key === "(" && tokens[tokens.length - 1 - open]?.key === ")") open++;
  // Number of leading brackets that close before the end.
  let depth = 0;
  let minDepth = open;
  for (let i = 0; i < tokens.length - open; i++) {
    const key = tokens[i]?.key;
    if (key === "(") depth++;
    else if (key === ")") depth--;
    if (i >= open - 1 && i < tokens.length - open) minDepth = Math.min(minDepth, depth);
  }
  return minDepth > 0 ? tokens.slice(minDepth, tokens.length - minDepth) : tokens;
}
