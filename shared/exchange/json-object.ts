export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object, which a list is not. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Absent and null are the same: no value. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}
