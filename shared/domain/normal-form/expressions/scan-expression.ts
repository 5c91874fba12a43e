import { KEYWORDS, type Notation, RESERVED } from "./expression.ts";

/** Token of an expression: a word, a quoted name, a text, a number, bits or a mark. */
export interface ExpressionToken {
  readonly is: "word" | "name" | "text" | "number" | "bits" | "mark";
  /** Value without quotes; a word as it is written. */
  readonly value: string;
  /** Word in upper case, or mark; empty for other tokens. */
  readonly key: string;
}

const SPACE = /\s+|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\//y;
const NUMBER = /0x[\da-f]+|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy;
const WORD = /[A-Za-z_\u0080-\uffff][\w$#\u0080-\uffff]*/y;
const PREFIX = /(?:[neExXbB]|_\w+\s*)(?=')/iy;
const DOLLAR = /\$(\w*)\$/y;
const OPERATOR = /::|:=|[-+*/<>=~!@#%^&|`?]+|[()[\],.;:{}]/y;

/** Splits an expression into tokens. Returns undefined for a text that is not closed. */
export function scanExpression(text: string, notation: Notation): readonly ExpressionToken[] | undefined {
  const tokens: ExpressionToken[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  while (at < text.length) {
    if (match(SPACE) !== undefined) continue;
    const sign = text[at] ?? "";
    const prefix = sign === "'" ? "" : match(PREFIX);
    if (prefix !== undefined) {
      const token = readText(text, at, /^e$/i.test(prefix) || notation.backslash);
      if (!token) return undefined;
      at = token.end;
      tokens.push({ is: /^[xb]$/i.test(prefix) ? "bits" : "text", value: token.value, key: "" });
      if (/^[xb]$/i.test(prefix)) {
        tokens[tokens.length - 1] = {
          is: "bits",
          value: `${prefix.toLowerCase()}'${token.value.toLowerCase()}'`,
          key: "",
        };
      }
      continue;
    }
    if (sign === '"' && notation.doubleIsText) {
      const token = readText(text, at, notation.backslash);
      if (!token) return undefined;
      at = token.end;
      tokens.push({ is: "text", value: token.value, key: "" });
      continue;
    }
    const tag = sign === "$" ? match(DOLLAR) : undefined;
    if (tag !== undefined) {
      const end = text.indexOf(tag, at);
      if (end < 0) return undefined;
      tokens.push({ is: "text", value: text.slice(at, end), key: "" });
      at = end + tag.length;
      continue;
    }
    if (isNameQuote(text, at, notation)) {
      const token = readText(text, at, false, sign === "[" ? "]" : sign);
      if (!token) return undefined;
      at = token.end;
      tokens.push({ is: "name", value: token.value, key: "" });
      continue;
    }
    const number = /[\d.]/.test(sign) ? match(NUMBER) : undefined;
    if (number !== undefined) {
      tokens.push({ is: "number", value: number, key: "" });
      continue;
    }
    const word = match(WORD);
    if (word !== undefined) {
      tokens.push({ is: "word", value: word, key: word.toUpperCase() });
      continue;
    }
    const mark = match(OPERATOR) ?? text[at++] ?? "";
    tokens.push({ is: "mark", value: mark, key: mark });
  }
  return tokens;
}

/** Tests for a quote around a name. A bracket after an operand is a subscript. */
function isNameQuote(text: string, at: number, { quotes }: Notation): boolean {
  const sign = text[at] ?? "";
  if (!quotes.includes(sign)) return false;
  return sign !== "[" || /[A-Za-z_]/.test(text[at + 1] ?? "");
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0", b: "\b" };

function readText(
  text: string,
  start: number,
  hasEscapes: boolean,
  close = text[start] ?? "",
): { readonly value: string; readonly end: number } | undefined {
  const parts: string[] = [];
  let at = start + 1;
  for (;;) {
    const sign = text[at];
    if (sign === undefined) return undefined;
    if (sign === close && text[at + 1] !== close) return { value: parts.join(""), end: at + 1 };
    if (sign === "\\" && hasEscapes) {
      const escaped = text[at + 1] ?? "";
      parts.push(ESCAPES[escaped] ?? escaped);
      at += 2;
    } else {
      parts.push(sign);
      at += sign === close ? 2 : 1;
    }
  }
}

/** Returns a name as the dialect writes it: with quotes only where it needs them. */
export function formatName(name: string, { names, quotes }: Notation): string {
  const upperName = name.toUpperCase();
  const plain = names === "lower" ? /^[a-z_][a-z\d_$]*$/ : names === "upper" ? /^[A-Z_][A-Z\d_$]*$/ : /^[A-Za-z_]\w*$/;
  if (plain.test(name) && !RESERVED.has(upperName) && !KEYWORDS.has(upperName)) return name;
  const quote = quotes[0] ?? '"';
  return `${quote}${name.replaceAll(quote, quote + quote)}${quote}`;
}
