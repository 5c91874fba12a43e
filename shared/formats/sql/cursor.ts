import { type DialectFacts, toCase } from "./dialects.ts";
import type { Token } from "./scanner.ts";

/** A name with its schema, as reported by the database. */
export interface ObjectName {
  readonly schema?: string | undefined;
  readonly name: string;
}

const OPENING = /^[([{]$/;

/** A position in the tokens of one statement, which moves forward while reading. */
export class Cursor {
  readonly text: string;
  readonly facts: DialectFacts;
  readonly placeholders: Set<string>;
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[], text: string, facts: DialectFacts, placeholders = new Set<string>()) {
    this.#tokens = tokens;
    this.text = text;
    this.facts = facts;
    this.placeholders = placeholders;
  }

  createInner(tokens: readonly Token[]): Cursor {
    return new Cursor(tokens, this.text, this.facts, this.placeholders);
  }

  isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  peek(offset = 0): Token | undefined {
    return this.#tokens[this.#at + offset];
  }

  /** Returns the key of a token: an upper-case word or a mark. Returns an empty text at the end. */
  peekKey(offset = 0): string {
    return this.peek(offset)?.key ?? "";
  }

  next(): Token | undefined {
    return this.#tokens[this.#at++];
  }

  accept(...words: readonly string[]): boolean {
    if (!words.every((word, i) => this.peek(i)?.key === word)) return false;
    this.#at += words.length;
    return true;
  }

  /** Skips these words if all are next, and returns the cursor. */
  skip(...words: readonly string[]): this {
    this.accept(...words);
    return this;
  }

  /** Skips the tokens up to and including one of these words. Returns the keys before it, or undefined without it. */
  skipPast(...words: readonly string[]): readonly string[] | undefined {
    const keys = this.readRest().map(({ key }) => key);
    const index = keys.findIndex((key) => words.includes(key));
    if (index < 0) return undefined;
    this.#at -= keys.length - index - 1;
    return keys.slice(0, index);
  }

  acceptOne(words: Pick<ReadonlySet<string>, "has">): string | undefined {
    const key = this.peekKey();
    if (!words.has(key)) return undefined;
    this.#at++;
    return key;
  }

  readGroup(): readonly Token[] | undefined {
    return this.readBracketed()?.slice(1, this.#tokens[this.#at - 1] === undefined ? undefined : -1);
  }

  readBracketed(): readonly Token[] | undefined {
    if (!OPENING.test(this.peekKey())) return undefined;
    const start = this.#at;
    this.#at = findClosing(this.#tokens, start) + 1;
    return this.#tokens.slice(start, this.#at);
  }

  readItems(): readonly Cursor[] | undefined {
    const group = this.readGroup();
    return group && splitList(group).map((item) => this.createInner(item));
  }

  readRest(): readonly Token[] {
    const rest = this.#tokens.slice(this.#at);
    this.#at = this.#tokens.length;
    return rest;
  }

  peekName(): string | undefined {
    const token = this.peek();
    const { dialect, names } = this.facts;
    if (token?.kind === "word") return toCase(token.value, names);
    // SQLite accepts a text as a name.
    const isName = token?.kind === "name" || (token?.kind === "text" && /^(sqlite|sql)$/.test(dialect));
    return isName ? token?.value : undefined;
  }

  readName(): string | undefined {
    const name = this.peekName();
    if (name !== undefined) this.#at++;
    return name;
  }

  /** Reads a qualified name. Placeholders before it are recorded and omitted. */
  readObjectName(): ObjectName | undefined {
    const parts: string[] = [];
    for (;;) {
      if (this.#skipPlaceholder()) continue;
      const isPath = this.facts.dialect === "bigquery" && this.peek()?.kind === "name";
      const name = this.readName();
      if (name === undefined) break;
      parts.push(...(isPath ? name.split(".") : [name]));
      if (!this.accept(".")) break;
      // Two dots omit the schema.
      this.accept(".");
    }
    const name = parts.at(-1);
    return name === undefined ? undefined : { schema: parts.at(-2), name };
  }

  #skipPlaceholder(): boolean {
    const token = this.peek();
    if (token?.kind === "placeholder" && this.peekKey(1) === ".") {
      this.placeholders.add(token.value);
      // SQL*Plus ends the name of a variable with an additional dot. In other dialects, two dots omit the schema.
      this.#at += this.peekKey(2) === "." ? 3 : 2;
      return true;
    }
    if (token?.key !== ":" || this.peekKey(2) !== ".") return false;
    this.placeholders.add(this.peek(1)?.value ?? "");
    this.#at += 3;
    return true;
  }

  getSource(tokens: readonly Token[]): string {
    return this.text.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0);
  }
}

function findClosing(tokens: readonly Token[], start: number) {
  let depth = 0;
  for (let i = start; i < tokens.length; i++) {
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
