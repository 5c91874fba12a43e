import type { SqlType } from "../columns.ts";
import { storedType } from "../sql-types.ts";

/** How the values of one type become those of another. */
export interface Conversion {
  /** The expression for a column of this name; PostgreSQL needs none where it is absent. */
  readonly using?: (name: string) => string;
  /** True where every value is kept and none is refused. */
  readonly isSafe: boolean;
}

const SAFE: Conversion = { isSafe: true };

/** The digits before the point that an integer type may need. */
const DIGITS: Readonly<Record<string, number>> = {
  ...{ smallint: 5, int2: 5, integer: 10, int: 10, int4: 10, bigint: 19, int8: 19 },
};
const SMALL = new Set(["smallint", "int2"]);
const DOUBLE = new Set(["double precision", "float8"]);
const NUMBERS = new Set(["integer", "numeric", "float"]);
const MOMENTS = new Set(["date", "timestamp", "timestamptz"]);

/** The conversion of a column of one type to another one. */
export function conversionOf(from: SqlType, to: SqlType): Conversion {
  const name = storedType(to.name);
  const text = to.arguments.length > 0 ? to.text : name;
  const casts = (steps: readonly string[]) => (column: string) => [column, ...steps].join("::");
  if (isWider(from, to)) return to.enum ? { isSafe: true, using: casts(["text", to.text]) } : SAFE;
  // A text that is too long is refused so; a cast would cut it.
  if (isText(to)) return isText(from) ? { isSafe: false } : { isSafe: false, using: casts(["text"]) };
  const isDirect =
    !from.enum && !to.enum && [NUMBERS, MOMENTS].some((all) => all.has(from.family) && all.has(to.family));
  return { isSafe: false, using: casts(isDirect ? [text] : ["text", text]) };
}

function isText({ family, enum: is }: SqlType): boolean {
  return (family === "text" || family === "char") && !is;
}

function isWider(from: SqlType, to: SqlType): boolean {
  const [{ enum: was }, { enum: is }] = [from, to];
  if (is) return was?.values.every((one) => is.values.includes(one)) ?? false;
  const [fromName, toName] = [storedType(from.name), storedType(to.name)];
  const [size = Number.POSITIVE_INFINITY, scale = 0] = to.arguments;
  const [before = Number.POSITIVE_INFINITY, scaleBefore = 0] = from.arguments;
  if (fromName === "citext" || toName === "citext") return false;
  // The text of a moment with a time zone depends on the session.
  if (toName === "text" && size === Number.POSITIVE_INFINITY) return from.family !== "timestamptz";
  if (isText(from) && isText(to)) return size >= before;
  if (from.family === "integer") {
    const digits = DIGITS[fromName] ?? 19;
    if (to.family === "integer") return (DIGITS[toName] ?? 0) >= digits;
    if (to.family === "numeric") return size - scale >= digits;
    return to.family === "float" && (SMALL.has(fromName) || (digits <= 10 && DOUBLE.has(toName)));
  }
  if (from.family === "numeric" && to.family === "numeric") {
    if (size === Number.POSITIVE_INFINITY) return true;
    return before !== Number.POSITIVE_INFINITY && scale >= scaleBefore && size - scale >= before - scaleBefore;
  }
  if (from.family === "float" && to.family === "float") return DOUBLE.has(toName) || fromName === toName;
  if (from.family === to.family) return from.family !== "other" && from.family !== "text";
  return from.family === "date" && to.family === "timestamp";
}
