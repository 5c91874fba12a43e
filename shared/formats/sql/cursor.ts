import { type DialectFacts, toCase } from "./dialects.ts";
import type { Token } from "./scanner.ts";

/** A name with the schema before it, as the database would report both. */
export interface ObjectName {
  readonly schema?: string | undefined;
  readonly name: string;
}

/** A place among the tokens of one statement, which goes forward as they are read. */
export interface Cursor {
  readonly facts: DialectFacts;
  /** The whole text, of which tokens are parts. */
  readonly text: string;
  /** The key of the token some places ahead: a word in upper case, a mark; empty at the end. */
  peekKey(ahead?: number): string;
  peek(ahead?: number): Token | undefined;
  next(): Token | undefined;
  /** Goes on behind these words where they are next. */
  accept(...words: readonly string[]): boolean;
  /** Goes on behind the first of these words that is next. */
  acceptOne(...words: readonly string[]): string | undefined;
  isAtEnd(): boolean;
  /** The tokens between a bracket that is next and the one that closes it; undefined where none is next. */
  readGroup(): readonly Token[] | undefined;
  /** The same with both brackets. */
  readBracketed(): readonly Token[] | undefined;
  /** The rest of the tokens. */
  readRest(): readonly Token[];
  /** A name without a schema; undefined where none is next. */
  readName(): string | undefined;
  /** A name, with what stands before it; `placeholders` of a statement are taken down. */
  readObjectName(): ObjectName | undefined;
  /** The source of tokens, as it is written. */
  getSource(tokens: readonly Token[]): string;
  /** A cursor over other tokens of the same statement. */
  createInner(tokens: readonly Token[]): Cursor;
  /** Takes down a placeholder that was left out of a name. */
  readonly placeholders: Set<string>;
}

const CLOSES: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** A cursor at the first of some tokens. */
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
          // SQL*Plus ends the name of a value with a dot of its own.
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
        // Two dots leave the schema out.
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
  // SQLite takes a text where a name has to stand.
  return token?.kind === "text" && (dialect === "sqlite" || dialect === "sql") ? token.value : undefined;
}

/** The place of the bracket that closes the one at a place, or the last token where none does. */
function findClosing(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let i = at; i < tokens.length; i++) {
    const key = tokens[i]?.key ?? "";
    if (key === "(" || key === "[" || key === "{") depth++;
    else if ((key === ")" || key === "]" || key === "}") && --depth === 0) return i;
  }
  return tokens.length;
}

/** The parts of a list between its commas, those in brackets left whole; `<` and `>` are brackets where types have parts. */
export function splitList(tokens: readonly Token[], hasAngles = false): readonly (readonly Token[])[] {
  const parts: Token[][] = [];
  let part: Token[] = [];
  let depth = 0;
  for (const token of tokens) {
    const { key } = token;
    if (key === "(" || key === "[" || key === "{" || (hasAngles && key === "<")) depth++;
    else if (key === ")" || key === "]" || key === "}" || (hasAngles && key === ">")) depth = Math.max(0, depth - 1);
    if (key === "," && depth === 0) {
      // A comment behind the comma is one on what stands before it.
      const last = part.at(-1);
      if (last && token.note !== undefined) last.note ??= token.note;
      parts.push(part);
      part = [];
    } else part.push(token);
  }
  parts.push(part);
  return parts.filter((one) => one.length > 0);
}
