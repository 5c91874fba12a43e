import type { DialectFacts } from "./dialects.ts";

/** Kind of a token. A placeholder is a variable such as `@schema` or `${schema}`. */
export type TokenKind = "word" | "name" | "text" | "number" | "mark" | "placeholder";

/** A token of a SQL text. */
export interface Token {
  readonly kind: TokenKind;
  /** Upper-case word or mark; empty for other kinds. */
  readonly key: string;
  /** Word as written, or name or text without quotes. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly isFirst: boolean;
  note?: string;
}

const WORD = /[\w\u0080-\ud7ff\ue000-\ufffd\ud800-\udfff][\w$#\u0080-\uffff]*/y;
const NUMBER = /0x[\da-f]+|(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?(?![\w])/iy;
const PLACEHOLDER =
  /@@?\w+|\$\{[^{}\n]{1,100}\}|\$\([^()\n]{1,100}\)|\{\{[^{}\n]{1,100}\}\}|\{[A-Za-z_]\w{0,60}\}|&&?\w+/y;
const DOLLAR = /\$([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;
const CODE = /\/\*M?!\d*/y;
const SPACE = /[^\S\n]+/y;

/** Reads tokens in one pass. The public fields describe the token that `next` read. */
export class Scanner {
  readonly text: string;
  kind: TokenKind = "mark";
  start = 0;
  end = 0;
  isFirst = true;
  /** True after an unclosed quote or comment. */
  isOpen = false;
  readonly #facts: DialectFacts;
  readonly #hasCode: boolean;
  readonly #backslash: (start: number) => number;
  readonly #opening: (start: number) => number;
  #isNewLine = true;
  #last: Token | undefined;

  constructor(text: string, facts: DialectFacts) {
    this.text = text;
    this.#facts = facts;
    this.#hasCode = facts.dialect === "mysql" || facts.dialect === "sql";
    this.#backslash = createSeeker(text, "\\");
    this.#opening = createSeeker(text, "/*");
  }

  next(): boolean {
    if (!this.#skipBlank()) return false;
    this.isFirst = this.#isNewLine;
    this.#isNewLine = false;
    this.#last = undefined;
    this.start = this.end;
    this.end = this.#readToken(this.start);
    return true;
  }

  getToken(): Token {
    const { kind, start, end, isFirst } = this;
    const tokenText = this.text.slice(start, end);
    const value = kind === "word" || kind === "mark" || kind === "number" ? tokenText : this.#unquote(tokenText, kind);
    const key = kind === "word" ? tokenText.toUpperCase() : kind === "mark" ? tokenText : "";
    this.#last = { kind, key, value, start, end, isFirst };
    return this.#last;
  }

  /** Returns the token that was read if it is a word of at most `length` letters, in upper case. */
  getWord(length: number): string {
    if (this.kind !== "word" || this.end - this.start > length) return "";
    return this.text.slice(this.start, this.end).toUpperCase();
  }

  skipLine(start: number): void {
    const end = this.text.indexOf("\n", start);
    this.end = end < 0 ? this.text.length : end;
  }

  moveTo(end: number): void {
    this.end = end;
    this.#isNewLine = true;
  }

  #match(pattern: RegExp, i: number): number {
    pattern.lastIndex = i;
    return pattern.test(this.text) ? pattern.lastIndex : -1;
  }

  #skipBlank(): boolean {
    for (let i = this.end; i < this.text.length; ) {
      const c = this.text[i] as string;
      if (c === "\n") {
        this.#isNewLine = true;
        i++;
      } else if (c <= " " || c === "\u00a0" || c === "\ufeff") {
        const end = this.#match(SPACE, i);
        i = end < 0 ? i + 1 : end;
      } else if (c === "*" && this.#hasCode && this.text[i + 1] === "/") i += 2;
      else {
        const end = this.#findCommentEnd(i, c);
        if (end < 0) {
          this.end = i;
          return true;
        }
        i = end;
      }
    }
    this.end = this.text.length;
    return false;
  }

  #findCommentEnd(i: number, c: string): number {
    const two = c + (this.text[i + 1] ?? "");
    if (two === "--" || this.#facts.comments.some((one) => (one.length === 1 ? one === c : one === two))) {
      const end = this.text.indexOf("\n", i);
      const stop = end < 0 ? this.text.length : end;
      this.#addNote(i + (two === "--" || two === "//" ? 2 : 1), stop);
      return stop;
    }
    if (two !== "/*") return -1;
    // MySQL executes the contents of such a comment.
    const code = this.#hasCode ? this.#match(CODE, i) : -1;
    if (code >= 0) return code;
    let depth = 1;
    let end = i + 2;
    while (depth > 0) {
      const close = this.text.indexOf("*/", end);
      if (close < 0) return this.#markOpen();
      const open = this.#facts.nested ? this.#opening(end) : -1;
      if (open >= 0 && open < close) depth++;
      else depth--;
      end = (open >= 0 && open < close ? open : close) + 2;
    }
    this.#addNote(i + 2, end - 2);
    return end;
  }

  #addNote(start: number, end: number): void {
    if (this.#isNewLine || !this.#last || end - start > 10_000) return;
    const note = this.text.slice(start, end).trim();
    if (note !== "") this.#last.note = this.#last.note === undefined ? note : `${this.#last.note} ${note}`;
  }

  #readToken(i: number): number {
    const c = this.text[i] as string;
    const nextSign = this.text[i + 1] ?? "";
    if (c === "'") return this.#findQuotedEnd(i + 1, "'", this.#facts.backslash, "text");
    if (c === '"') {
      if (!this.#facts.doubleIsText) return this.#findQuotedEnd(i + 1, '"', false, "name");
      if (this.#facts.dialect === "bigquery" && this.text.startsWith('"""', i)) return this.#findLongEnd(i, '"""');
      return this.#findQuotedEnd(i + 1, '"', this.#facts.backslash, "text");
    }
    if (c === "`" && this.#facts.quotes.includes(c)) return this.#findQuotedEnd(i + 1, "`", false, "name");
    // In an unknown dialect a bracket may also belong to an array.
    if (c === "[" && this.#facts.quotes.includes(c) && (this.#facts.dialect !== "sql" || /[^\W\d]/.test(nextSign))) {
      return this.#findQuotedEnd(i + 1, "]", false, "name");
    }
    if (c === "$" && this.#facts.dollars) {
      const tag = this.#match(DOLLAR, i);
      if (tag >= 0) return this.#findLongEnd(i, this.text.slice(i, tag));
    }
    if ("@${&".includes(c)) {
      const end = this.#match(PLACEHOLDER, i);
      if (end >= 0) return this.#endToken("placeholder", end);
    }
    if ((c >= "0" && c <= "9") || (c === "." && nextSign >= "0" && nextSign <= "9")) {
      const end = this.#match(NUMBER, i);
      if (end >= 0) return this.#endToken("number", end);
    }
    if (nextSign === "'" && "nNbBxXeEqQrR_".includes(c)) return this.#findPrefixedEnd(i, c);
    if (c === "#" && this.#facts.dialect === "tsql") {
      const end = this.#match(WORD, this.text[i + 1] === "#" ? i + 2 : i + 1);
      if (end >= 0) return this.#endToken("word", end);
    }
    const end = this.#match(WORD, i);
    return end >= 0 ? this.#endToken("word", end) : this.#endToken("mark", i + 1);
  }

  #markOpen(): number {
    this.isOpen = true;
    return this.text.length;
  }

  #endToken(kind: TokenKind, end: number): number {
    this.kind = kind;
    return end;
  }

  #findPrefixedEnd(i: number, letter: string): number {
    const prefix = letter.toLowerCase();
    const escapes = this.#facts.backslash || (prefix === "e" && this.#facts.dollars);
    if (prefix === "r" && this.#facts.dialect === "bigquery") return this.#findQuotedEnd(i + 2, "'", false, "text");
    if (prefix !== "q" || this.#facts.dialect !== "oracle") return this.#findQuotedEnd(i + 2, "'", escapes, "text");
    const open = this.text[i + 2] ?? "";
    const close = { "[": "]", "(": ")", "{": "}", "<": ">" }[open] ?? open;
    const end = this.text.indexOf(`${close}'`, i + 3);
    return this.#endToken("text", end < 0 ? this.#markOpen() : end + 2);
  }

  #findLongEnd(i: number, quote: string): number {
    const end = this.text.indexOf(quote, i + quote.length);
    return this.#endToken("text", end < 0 ? this.#markOpen() : end + quote.length);
  }

  #findQuotedEnd(start: number, quote: string, escapes: boolean, kind: TokenKind): number {
    let i = start;
    for (;;) {
      const close = this.text.indexOf(quote, i);
      if (close < 0) return this.#endToken(kind, this.#markOpen());
      if (escapes) {
        const slash = this.#backslash(i);
        if (slash >= 0 && slash < close) {
          i = slash + 2;
          continue;
        }
      }
      if (this.text[close + 1] !== quote) return this.#endToken(kind, close + 1);
      i = close + 2;
    }
  }

  #unquote(tokenText: string, kind: TokenKind): string {
    if (kind === "placeholder") return tokenText.replace(/^(@@?|\$[{(]|\{+|&+)\s*|\s*[)}]+$/g, "");
    const open = tokenText.search(/['"`[$]/);
    const quote = tokenText[open] ?? "";
    if (quote === "$")
      return tokenText.slice(tokenText.indexOf("$", open + 1) + 1, tokenText.lastIndexOf("$", tokenText.length - 2));
    if (kind === "text" && tokenText.startsWith('"""')) return tokenText.slice(3, -3);
    if (/^q$/i.test(tokenText.slice(0, open))) return tokenText.slice(3, -2);
    const close = quote === "[" ? "]" : quote;
    const body = tokenText.slice(open + 1, tokenText.endsWith(close) && tokenText.length > open + 1 ? -1 : undefined);
    const value = body.replaceAll(close + close, close);
    const escapes =
      kind === "text" && body.includes("\\") && (this.#facts.backslash || /^e$/i.test(tokenText.slice(0, open)));
    return escapes ? value.replace(/\\(.)/gs, (_, one: string) => ESCAPES[one] ?? one) : value;
  }
}

/** Creates a search for a sign from increasing positions, so that all searches together read the text once. */
function createSeeker(text: string, sign: string): (start: number) => number {
  let index = -2;
  return (start) => {
    if (index !== -1 && index < start) index = text.indexOf(sign, start);
    return index;
  };
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "", b: "" };
