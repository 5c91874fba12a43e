import type { LogicalType } from "../../types/logical/logical-type.ts";
import { readExactNumber, toDecimalText } from "./decimal-text.ts";

const TRUE_TEXT = /^\s*(t|tr|tru|true|y|ye|yes|on|1)\s*$/i;
const FALSE_TEXT = /^\s*(f|fa|fal|fals|false|n|no|of|off|0)\s*$/i;

/** Returns the truth value of a text, as PostgreSQL reads it. */
export function readTruthValue(text: string): boolean | undefined {
  return TRUE_TEXT.test(text) ? true : FALSE_TEXT.test(text) ? false : undefined;
}

/** Value in the type of its column; `isMisfit` is true for one that the column cannot hold. */
export interface ColumnValue {
  readonly value: unknown;
  readonly isMisfit?: true;
}

/** Reads a value of a statement into the type of its column: `'0'` of a number is 0, `'f'` of a truth value is false. */
export function readColumnValue(
  value: unknown,
  type: LogicalType | undefined,
  { hasPostgresLiterals = false }: { readonly hasPostgresLiterals?: boolean } = {},
): ColumnValue {
  switch (type?.type) {
    case "integer":
    case "decimal":
    case "float":
      return readNumber(value, type.type);
    case "boolean":
      return readBoolean(value);
    case "string":
    case "enum":
      return typeof value === "number" || typeof value === "boolean" ? { value: String(value) } : { value };
    case "date":
    case "time":
      return { value: typeof value === "string" ? readTime(value, type.type) : value };
    case "timestamp": {
      const text = typeof value === "string" ? readTime(value, type.type) : undefined;
      return { value: text !== undefined && type.zone && hasPostgresLiterals ? toUtc(text) : (text ?? value) };
    }
    case "json":
      return { value: typeof value === "string" && !type.verbatim ? formatJson(value) : value };
    case "binary":
      return { value: typeof value === "string" && hasPostgresLiterals ? formatBytes(value) : value };
    case "uuid":
      return { value: typeof value === "string" ? value.toLowerCase() : value };
    default:
      return { value };
  }
}

const SPECIAL_NUMBER = /^\s*[-+]?(nan|inf(inity)?)\s*$/i;

function readNumber(value: unknown, type: "integer" | "decimal" | "float"): ColumnValue {
  if (typeof value === "boolean") return { value: value ? 1 : 0 };
  if (typeof value !== "string") return { value };
  const number = readExactNumber(value);
  if (number !== undefined) return { value: type === "integer" ? Math.round(number) : number };
  const isNumber = toDecimalText(value) !== undefined || (type !== "integer" && SPECIAL_NUMBER.test(value));
  return isNumber ? { value } : { value, isMisfit: true };
}

function readBoolean(value: unknown): ColumnValue {
  if (typeof value === "boolean") return { value };
  const truth = readTruthValue(String(value));
  return truth === undefined ? { value, isMisfit: true } : { value: truth };
}

/** Writes a date or time as databases report it: with seconds, without a fraction of zeros. */
function readTime(text: string, type: "date" | "timestamp" | "time"): string {
  const trimmed = text.trim().replace(/^(\d{4}-\d\d-\d\d)T(?=\d)/, "$1 ");
  const [, date, time, zone = ""] =
    /^(\d{4}-\d\d-\d\d)?(?:(?:^|\s+)(\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(?:\s*([-+]\d\d(?::?\d\d)?|Z|UTC))?$/.exec(
      trimmed,
    ) ?? [];
  if (date === undefined && time === undefined) return text;
  if (type === "date") return date ?? text;
  const clock = (time ?? "00:00:00").replace(/^(\d\d:\d\d)$/, "$1:00").replace(/\.0+$|(\.\d*?[1-9])0+$/, "$1");
  const offset = /^(Z|UTC)$/.test(zone) ? "+00" : zone.replace(/:?00$/, (end) => (zone.length > 3 ? "" : end));
  if (type === "time") return time === undefined ? text : `${clock}${offset}`;
  return date === undefined ? text : `${date} ${clock}${offset}`;
}

/** Returns an instant in the time zone UTC, which is that of a text without one. Others, such as `infinity`, are kept. */
function toUtc(text: string): string {
  const [, date, clock, sign = "+", hours = "00", minutes = "00"] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:([-+])(\d\d):?(\d\d)?)?$/.exec(text) ?? [];
  if (date === undefined || clock === undefined) return text;
  const [whole = "", fraction = ""] = clock.split(".");
  const instant = Date.parse(`${date}T${whole}${sign}${hours}:${minutes}`);
  if (Number.isNaN(instant)) return text;
  const utc = new Date(instant).toISOString().slice(0, 19).replace("T", " ");
  return `${utc}${fraction === "" ? "" : `.${fraction}`}+00`;
}

/** Returns bytes as PostgreSQL reports them: `\\x` and their digits in lower case. */
function formatBytes(text: string): string {
  if (/^\\x[\da-f]*$/i.test(text)) return text.toLowerCase();
  const bytes = text.replace(/\\(\\|[0-3][0-7]{2})/g, (_, code: string) =>
    code === "\\" ? code : String.fromCharCode(Number.parseInt(code, 8)),
  );
  // An escaped byte is a code below 256; other texts are in UTF-8.
  const encoding = bytes === text ? "utf-8" : "latin1";
  return `\\x${Buffer.from(bytes, encoding).toString("hex")}`;
}

function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
