import type { Properties } from "../../domain/properties.ts";
import { pointerToken } from "../../domain/well-formed.ts";
import type { Findings } from "../findings.ts";

/** A property that a format has a member for; undefined with a warning where the value is none that the member may have. */
export function keptValue<T>(
  properties: Properties | undefined,
  name: string,
  is: (value: unknown) => value is T,
  at: Findings,
): T | undefined {
  const value: unknown = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (value === undefined || is(value)) return value;
  at.warn(
    `/properties/${pointerToken(name)}`,
    "not_written",
    "the value is none that this member of the format may have",
  );
  return undefined;
}

export const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
export const isTrue = (value: unknown): value is true => value === true;

/** Tests lists of which each item passes a test. */
export function isListOf<T>(is: (value: unknown) => value is T) {
  return (value: unknown): value is readonly T[] => Array.isArray(value) && value.every(is);
}
