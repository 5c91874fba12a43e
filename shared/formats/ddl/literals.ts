import type { LiteralRules, SqlFamily } from "./dialect.ts";

const CODES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\\": "\\\\", "'": "\\'" };

/** Quotes a text. */
export function quoteString(text: string, { prefix, escapes }: Pick<LiteralRules, "prefix" | "escapes">): string {
  if (escapes === "codes") return `'${text.replace(/[\n\r\\']/g, (one) => CODES[one] ?? one)}'`;
  const escaped = escapes === "backslashes" ? text.replaceAll("\\", "\\\\") : text;
  return `${prefix}'${escaped.replaceAll("'", "''")}'`;
}

const TIME = "([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,6})?)?";
const DATE = "\\d{4}-\\d\\d-\\d\\d";

const LITERAL_PATTERNS: Readonly<Partial<Record<SqlFamily, RegExp>>> = {
  date: new RegExp(`^${DATE}$`),
  timestamp: new RegExp(`^${DATE}([T ]${TIME})?$`),
  timestamptz: new RegExp(`^${DATE}([T ]${TIME}(Z|[+-](0\\d|1[0-2]):[0-5]\\d)?)?$`),
  time: new RegExp(`^${TIME}$`),
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
};

/** Tests for a text without a date, or with a date that exists. */
function hasRealDate(text: string) {
  const [date] = /^\d{4}-\d\d-\d\d/.exec(text) ?? [];
  if (date === undefined) return true;
  const day = new Date(`${date}T00:00:00Z`);
  return date > "0001" && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}

const TIME_TYPES: Readonly<Partial<Record<SqlFamily, string>>> = {
  date: "DATE",
  timestamp: "TIMESTAMP_NTZ",
  timestamptz: "TIMESTAMP_TZ",
  time: "TIME",
};

/** Formats a value as a literal of a type family. Returns undefined for an invalid value. */
export function toLiteral(value: unknown, family: SqlFamily, rules: LiteralRules): string | undefined {
  if (value === null) return "NULL";
  switch (family) {
    case "text":
    case "char":
      return typeof value === "string" ? quoteString(value, rules) : undefined;
    case "integer":
      return Number.isSafeInteger(value) ? String(value) : undefined;
    case "numeric":
    case "float":
      return typeof value === "number" && Math.abs(value) < 1e30 ? String(value) : undefined;
    case "boolean":
      return typeof value === "boolean" ? rules[value ? "true" : "false"] : undefined;
    case "jsonb":
      return toJsonLiteral(JSON.stringify(value), rules);
    default:
      return toTimeLiteral(value, family, rules);
  }
}

function toJsonLiteral(text: string, rules: LiteralRules): string | undefined {
  if (text.includes("\\u0000")) return undefined;
  const quoted = quoteString(text, rules);
  return rules.json ? rules.json(quoted) : quoted;
}

function toTimeLiteral(value: unknown, family: SqlFamily, rules: LiteralRules): string | undefined {
  const pattern = LITERAL_PATTERNS[family === "timestamptz" && !rules.hasZones ? "timestamp" : family];
  if (typeof value !== "string" || !pattern?.test(value) || !hasRealDate(value)) return undefined;
  const type = TIME_TYPES[family];
  return rules.castsTimes && type ? `${quoteString(value, rules)}::${type}` : quoteString(value, rules);
}
