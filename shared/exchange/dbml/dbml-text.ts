/** A name in DBML: bare where it is a plain word, else quoted. */
export function dbmlName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !RESERVED.test(name) ? name : dbmlQuoted(name);
}

/** A name in double quotes. */
export function dbmlQuoted(name: string): string {
  return `"${escaped(name, '"')}"`;
}

/** Words that begin an element or are a value of their own. */
const RESERVED =
  /^(table|tablepartial|tablegroup|enum|ref|project|note|indexes|checks|records|diagramview|dep|use|reuse|from|as|null|true|false|not|pk|primary|key|unique|increment|default|check)$/i;

/** A text in single quotes on one line. */
export function dbmlString(text: string): string {
  return `'${escaped(text, "'")}'`;
}

/** True for an expression that can stand between backticks. */
export function isExpression(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && !/[`\\\n\r]/.test(value);
}

/** An expression between backticks. */
export function dbmlExpression(text: string): string {
  return `\`${text}\``;
}

/** True for a colour as DBML writes them. */
export function isColour(value: unknown): value is string {
  return typeof value === "string" && /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value);
}

const LETTERS: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };

function escaped(text: string, quote: string): string {
  return [...text].map((letter) => (letter === quote ? `\\${quote}` : (LETTERS[letter] ?? letter))).join("");
}

/** Settings in brackets behind an element, nothing where there are none. */
export function dbmlSettings(settings: readonly (string | undefined)[]): string {
  const given = settings.filter((one) => one !== undefined);
  return given.length > 0 ? ` [${given.join(", ")}]` : "";
}
