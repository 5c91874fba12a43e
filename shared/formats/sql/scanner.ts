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
  /** True for the first token of a line. */
  readonly isFirst: boolean;
  /** Comment after the token on the same line. */
  note?: string;
}

/** Reads tokens in one pass. Its fields describe the token that `next` read. */
export interface Scanner {
  kind: TokenKind;
  start: number;
  end: number;
  isFirst: boolean;
  /** Reads the next token. Returns false at the end. */
  next(): boolean;
  /** Returns the token that was read. */
  token(): Token;
  /** Skips the rest of the line. */
  skipLine(from: number): void;
  moveTo(place: number): void;
  readonly text: string;
  /** True after an unclosed quote or comment. */
  isOpen: boolean;
}

const WORD = /[\w\u0080-\ud7ff\ue000-\ufffd\ud800-\udfff][\w$#\u0080-\uffff]*/y;
const NUMBER = /0x[\da-f]+|(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?(?![\w])/iy;
const PLACEHOLDER =
  /@@?\w+|\$\{[^{}\n]{1,100}\}|\$\([^()\n]{1,100}\)|\{\{[^{}\n]{1,100}\}\}|\{[A-Za-z_]\w{0,60}\}|&&?\w+/y;
const DOLLAR = /\$([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;
const CODE = /\/\*M?!\d*/y;
const SPACE = /[^\S\n]+/y;

export function createScanner(text: string, facts: DialectFacts): Scanner {
  const hasCode = facts.dialect === "mysql" || facts.dialect === "sql";
  const backslash = createSeeker(text, "\\");
  const opening = createSeeker(text, "/*");
  let isNewLine = true;
  let last: Token | undefined;

  const scanner: Scanner = {
    ...{ kind: "mark", start: 0, end: 0, isFirst: true, text, isOpen: false },
    next: () => {
      if (!skipBlank()) return false;
      scanner.isFirst = isNewLine;
      isNewLine = false;
      last = undefined;
      scanner.start = scanner.end;
      scanner.end = read(scanner.start);
      return true;
    },
    token: () => {
      const { kind, start, end, isFirst } = scanner;
      const written = text.slice(start, end);
      const value = kind === "word" || kind === "mark" || kind === "number" ? written : bare(written, kind);
      const key = kind === "word" ? written.toUpperCase() : kind === "mark" ? written : "";
      last = { kind, key, value, start, end, isFirst };
      return last;
    },
    skipLine: (from) => {
      const at = text.indexOf("\n", from);
      scanner.end = at < 0 ? text.length : at;
    },
    moveTo: (place) => {
      scanner.end = place;
      isNewLine = true;
    },
  };
  return scanner;

  function matched(pattern: RegExp, at: number): number {
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex : -1;
  }

  /** Skips white space and comments. A comment becomes the note of the token before it. */
  function skipBlank(): boolean {
    for (let at = scanner.end; at < text.length; ) {
      const c = text[at] as string;
      if (c === "\n") {
        isNewLine = true;
        at++;
      } else if (c <= " " || c === "\u00a0" || c === "\ufeff") {
        const to = matched(SPACE, at);
        at = to < 0 ? at + 1 : to;
      } else if (c === "*" && hasCode && text[at + 1] === "/") at += 2;
      else {
        const end = commentEnd(at, c);
        if (end < 0) {
          scanner.end = at;
          return true;
        }
        at = end;
      }
    }
    scanner.end = text.length;
    return false;
  }

  /** Returns the end of a comment, or -1. */
  function commentEnd(at: number, c: string): number {
    const two = c + (text[at + 1] ?? "");
    if (two === "--" || facts.comments.some((one) => (one.length === 1 ? one === c : one === two))) {
      const end = text.indexOf("\n", at);
      const stop = end < 0 ? text.length : end;
      noteOf(at + (two === "--" || two === "//" ? 2 : 1), stop);
      return stop;
    }
    if (two !== "/*") return -1;
    // MySQL executes the contents of such a comment.
    const code = hasCode ? matched(CODE, at) : -1;
    if (code >= 0) return code;
    let depth = 1;
    let end = at + 2;
    while (depth > 0) {
      const close = text.indexOf("*/", end);
      if (close < 0) return unclosed();
      const open = facts.nested ? opening(end) : -1;
      if (open >= 0 && open < close) depth++;
      else depth--;
      end = (open >= 0 && open < close ? open : close) + 2;
    }
    noteOf(at + 2, end - 2);
    return end;
  }

  function noteOf(start: number, end: number): void {
    if (isNewLine || !last || end - start > 10_000) return;
    const note = text.slice(start, end).trim();
    if (note !== "") last.note = last.note === undefined ? note : `${last.note} ${note}`;
  }

  /** Returns the end of a token and sets its kind. */
  function read(at: number): number {
    const c = text[at] as string;
    const next = text[at + 1] ?? "";
    if (c === "'") return quotedEnd(at + 1, "'", facts.backslash, "text");
    if (c === '"') {
      if (!facts.doubleIsText) return quotedEnd(at + 1, '"', false, "name");
      if (facts.dialect === "bigquery" && text.startsWith('"""', at)) return longEnd(at, '"""');
      return quotedEnd(at + 1, '"', facts.backslash, "text");
    }
    if (c === "`" && facts.quotes.includes(c)) return quotedEnd(at + 1, "`", false, "name");
    // In an unknown dialect a bracket may also belong to an array.
    if (c === "[" && facts.quotes.includes(c) && (facts.dialect !== "sql" || /[^\W\d]/.test(next))) {
      return quotedEnd(at + 1, "]", false, "name");
    }
    if (c === "$" && facts.dollars) {
      const tag = matched(DOLLAR, at);
      if (tag >= 0) return longEnd(at, text.slice(at, tag));
    }
    if ("@${&".includes(c)) {
      const end = matched(PLACEHOLDER, at);
      if (end >= 0) return told("placeholder", end);
    }
    if ((c >= "0" && c <= "9") || (c === "." && next >= "0" && next <= "9")) {
      const end = matched(NUMBER, at);
      if (end >= 0) return told("number", end);
    }
    if (next === "'" && "nNbBxXeEqQrR_".includes(c)) return prefixedEnd(at, c);
    if (c === "#" && facts.dialect === "tsql") {
      const end = matched(WORD, text[at + 1] === "#" ? at + 2 : at + 1);
      if (end >= 0) return told("word", end);
    }
    const end = matched(WORD, at);
    return end >= 0 ? told("word", end) : told("mark", at + 1);
  }

  function unclosed(): number {
    scanner.isOpen = true;
    return text.length;
  }

  function told(kind: TokenKind, end: number): number {
    scanner.kind = kind;
    return end;
  }

  /** Returns the end of a text with a prefix letter. */
  function prefixedEnd(at: number, letter: string): number {
    const lower = letter.toLowerCase();
    const escapes = facts.backslash || (lower === "e" && facts.dollars);
    if (lower === "r" && facts.dialect === "bigquery") return quotedEnd(at + 2, "'", false, "text");
    if (lower !== "q" || facts.dialect !== "oracle") return quotedEnd(at + 2, "'", escapes, "text");
    const open = text[at + 2] ?? "";
    const close = { "[": "]", "(": ")", "{": "}", "<": ">" }[open] ?? open;
    const end = text.indexOf(`${close}'`, at + 3);
    return told("text", end < 0 ? unclosed() : end + 2);
  }

  function longEnd(at: number, quote: string): number {
    const end = text.indexOf(quote, at + quote.length);
    return told("text", end < 0 ? unclosed() : end + quote.length);
  }

  function quotedEnd(from: number, quote: string, escapes: boolean, kind: TokenKind): number {
    let at = from;
    for (;;) {
      const close = text.indexOf(quote, at);
      if (close < 0) return told(kind, unclosed());
      if (escapes) {
        const slash = backslash(at);
        if (slash >= 0 && slash < close) {
          at = slash + 2;
          continue;
        }
      }
      if (text[close + 1] !== quote) return told(kind, close + 1);
      at = close + 2;
    }
  }

  /** Removes quotes and resolves escapes. */
  function bare(written: string, kind: TokenKind): string {
    if (kind === "placeholder") return written.replace(/^(@@?|\$[{(]|\{+|&+)\s*|\s*[)}]+$/g, "");
    const open = written.search(/['"`[$]/);
    const quote = written[open] ?? "";
    if (quote === "$")
      return written.slice(written.indexOf("$", open + 1) + 1, written.lastIndexOf("$", written.length - 2));
    if (written.startsWith('"""')) return written.slice(3, -3);
    if (/^q$/i.test(written.slice(0, open))) return written.slice(3, -2);
    const close = quote === "[" ? "]" : quote;
    const inner = written.slice(open + 1, written.endsWith(close) && written.length > open + 1 ? -1 : undefined);
    const single = inner.replaceAll(close + close, close);
    const escapes = kind === "text" && inner.includes("\\") && (facts.backslash || /^e$/i.test(written.slice(0, open)));
    return escapes ? single.replace(/\\(.)/gs, (_, one: string) => ESCAPES[one] ?? one) : single;
  }
}

/** Creates a search for a sign from increasing positions, so that all searches together read the text once. */
function createSeeker(text: string, sign: string): (from: number) => number {
  let found = -2;
  return (from) => {
    if (found !== -1 && found < from) found = text.indexOf(sign, from);
    return found;
  };
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "", b: "" };
