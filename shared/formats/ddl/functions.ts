/** Functions that most databases have, in upper case. */
const COMMON_FUNCTIONS =
  "ABS AVG CAST CEIL CEILING COALESCE CONCAT COUNT CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP EXP EXTRACT FLOOR GREATEST " +
  "LEAST LEFT LENGTH LN LOG LOWER LTRIM MAX MIN MOD NOW NULLIF POWER REPLACE RIGHT ROUND ROW_NUMBER RANK RTRIM SIGN SQRT " +
  "SUBSTR SUBSTRING SUM TRIM UPPER";

/** Returns the names of functions that the expressions of a dialect may call. */
export function listFunctions(...lines: readonly string[]): ReadonlySet<string> {
  return new Set([COMMON_FUNCTIONS, ...lines].flatMap((line) => line.split(" ")));
}
