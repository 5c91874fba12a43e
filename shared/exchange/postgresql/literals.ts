import { sqlString } from "./sql-text.ts";
import type { SqlFamily } from "./sql-types.ts";

const SHAPES: Readonly<Partial<Record<SqlFamily, RegExp>>> = {
  date: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])$/,
  timestamp: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?)?$/,
  timestamptz:
    /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[+-](0\d|1[0-2]):[0-5]\d)?)?$/,
  time: /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
};

const SMALLEST_INT = -(2 ** 31);
const LARGEST_INT = 2 ** 31 - 1;

/** A value as PostgreSQL writes it for a column of a family; undefined for one that no such column holds. */
export function literalOf(value: unknown, family: SqlFamily): string | undefined {
  if (value === null) return "NULL";
  switch (family) {
    case "text":
    case "char":
      return typeof value === "string" ? sqlString(value) : undefined;
    case "integer":
      return Number.isInteger(value) && Number(value) >= SMALLEST_INT && Number(value) <= LARGEST_INT
        ? String(value)
        : undefined;
    case "numeric":
    case "float":
      return typeof value === "number" && Math.abs(value) < 1e30 ? String(value) : undefined;
    case "boolean":
      return typeof value === "boolean" ? String(value) : undefined;
    case "jsonb":
      return JSON.stringify(value).includes("\\u0000") ? undefined : sqlString(JSON.stringify(value));
    default:
      return typeof value === "string" && SHAPES[family]?.test(value) ? sqlString(value) : undefined;
  }
}

/** A bound of numbers. */
export function numberText(value: number): string {
  return value < 0 ? `(${value})` : String(value);
}
