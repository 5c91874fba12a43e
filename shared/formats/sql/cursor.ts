import { type DialectFacts, toCase } from "./dialects.ts";
import type { Token } from "./scanner.ts";

/** A name with its schema, as reported by the database. */
export interface ObjectName {
  readonly schema?: string | undefined;
  readonly name: string;
}

/** A position in the tokens of one statement, which moves forward while reading. */
export interface Cursor {
  readonly facts: DialectFacts;
  /** The whole SQL text. */
  readonly text: string;
  /** Returns the key of a token: an upper-case word or a mark. Returns an empty text at the end. */
  peekKey(ahead?: number): string;
  peek(ahead?: number): Token | undefined;
  next(): Token | undefined;
  /** Skips these words if all are next. */
  accept(...words: readonly string[]): boolean;
  /** Skips the first of these words that is next, and returns it. */
  acceptOne(...words: readonly string[]): string | undefined;
  isAtEnd(): boolean;
  /** Reads the tokens of a group without its brackets. Returns undefined if no bracket is next. */
  readGroup(): readonly Token[] | undefined;
  /** Reads a group with its brackets. */
  readBracketed(): readonly Token[] | undefined;
  readRest(): readonly Token[];
  /** Reads a name without a schema. Returns undefined if no name is next. */
  readName(): string | undefined;
  /** Reads a qualified name. Placeholders before it are recorded and omitted. */
  readObjectName(): ObjectName | undefined;
  /** Returns the source text of tokens. */
  getSource(tokens: readonly Token[]): string;
  /** Creates a cursor for other tokens of the same statement. */
  createInner(tokens: readonly Token[]): Cursor;
  /** Placeholders that were omitted from names. */
  readonly placeholders: Set<string>;
}

const CLOSES: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

export function createCursor(
  tokens: readonly Token[],
  text: string,
  facts: DialectFacts,
  placeholders = new Set<string>(),
): Cursor {
  let at = 0;
  const cursor: Cursor = {
    ...{ facts, text, placeholders },
    peekKey: (ahead = 0) => tokens[at + ahead]?.key ?? "",
    peek: (ahead = 0) => tokens[at + ahead],
    next: () => tokens[at++],
    accept: (...words) => {
      if (!words.every((word, i) => tokens[at + i]?.key === word)) return false;
      at += words.length;
      return true;
    },
    acceptOne: (...words) => {
      const found = words.find((word) => tokens[at]?.key === word);
      if (found !== undefined) at++;
      return found;
    },
    isAtEnd: () => at >= tokens.length,
    readGroup: () => {
      if (CLOSES[cursor.peekKey()] === undefined) return undefined;
      const start = at + 1;
      at = findClosing(tokens, at) + 1;
      return tokens.slice(start, at - 1);
    },
    readBracketed: () => {
      if (CLOSES[cursor.peekKey()] === undefined) return undefined;
      const start = at;
      at = findClosing(tokens, at) + 1;
      return tokens.slice(start, at);
    },
    readRest: () => {
      const rest = tokens.slice(at);
      at = tokens.length;
      return rest;
    },
    readName: () => {
      const found = readTokenName(tokens[at], facts);
      if (found !== undefined) at++;
      return found;
    },
    readObjectName: () => {
      const parts: string[] = [];
      for (;;) {
        const token = tokens[at];
        if (token?.kind === "placeholder" && tokens[at + 1]?.key === ".") {
          placeholders.add(token.value);
          // SQL*Plus ends the name of a variable with an additional dot.
          at += tokens[at + 2]?.key === "." && facts.dialect === "oracle" ? 3 : 2;
          continue;
        }
        if (token?.key === ":" && tokens[at + 2]?.key === "." && at + 2 < tokens.length) {
          placeholders.add(tokens[at + 1]?.value ?? "");
          at += 3;
          continue;
        }
        const name = token && readTokenName(token, facts);
        if (token === undefined || name === undefined) break;
        at++;
        if (token.kind === "name" && facts.dialect === "bigquery") parts.push(...name.split("."));
        else parts.push(name);
        if (tokens[at]?.key !== ".") break;
        at++;
        // Two dots omit the schema.
        if (tokens[at]?.key === ".") at++;
      }
      const name = parts.at(-1);
      return name === undefined ? undefined : { schema: parts.at(-2), name };
    },
    getSource: (some) => text.slice(some[0]?.start ?? 0, some.at(-1)?.end ?? 0),
    createInner: (some) => createCursor(some, text, facts, placeholders),
  };
  return cursor;
}

function readTokenName(token: Token | undefined, { dialect, names }: DialectFacts): string | undefined {
  if (token?.kind === "word") return toCase(token.value, names);
  if (token?.kind === "name") return token.value;
  // SQLite accepts a text as a name.
  return token?.kind === "text" && (dialect === "sqlite" || dialect === "sql") ? token.value : undefined;
}

/** Returns the index of the closing bracket, or the number of tokens. */
function findClosing(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let i = at; i < tokens.length; i++) {
    const key = tokens[i]?.key ?? "";
    if (key === "(" || key === "[" || key === "{") depth++;
    else if ((key === ")" || key === "]" || key === "}") && --depth === 0) return i;
  }
  return tokens.length;
}

/** Splits a list at its commas outside of brackets. `<` and `>` are brackets in types. */
export function splitList(tokens: readonly Token[], hasAngles = false): readonly (readonly Token[])[] {
  const parts: Token[][] = [];
  let part: Token[] = [];
  let depth = 0;
  for (const token of tokens) {
    const { key } = token;
    if (key === "(" || key === "[" || key === "{" || (hasAngles && key === "<")) depth++;
    else if (key === ")" || key === "]" || key === "}" || (hasAngles && key === ">")) depth = Math.max(0, depth - 1);
    if (key === "," && depth === 0) {
      // A comment after the comma belongs to the part before it.
      const last = part.at(-1);
      if (last && token.note !== undefined) last.note ??= token.note;
      parts.push(part);
      part = [];
    } else part.push(token);
  }
  parts.push(part);
  return parts.filter((one) => one.length > 0);
}
