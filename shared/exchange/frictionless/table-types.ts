/** The types of Table Schema version 1: every imported model gets them, used or not. */
export const TABLE_TYPES: readonly string[] = [
  "string",
  "number",
  "integer",
  "date",
  "datetime",
  "time",
  "year",
  "yearmonth",
  "boolean",
  "object",
  "geopoint",
  "geojson",
  "array",
  "duration",
  "any",
];

/** The types that version 2 added: a model gets one when a field uses it. */
export const LATER_TABLE_TYPES: readonly string[] = ["list"];

/** True for the name of a type that fields may have. */
export function isTableType(name: string): boolean {
  return TABLE_TYPES.includes(name) || LATER_TABLE_TYPES.includes(name);
}
