import { canonicalJson } from "./canonical-json.ts";

/** Any JSON. */
export type JsonValue = null | boolean | number | string | object;

/** The text that a JSON value is kept as: equal values have equal texts, in whatever order their members came. */
export function jsonText(value: unknown): string {
  return canonicalJson(value);
}

/** The value of a kept text. */
export function jsonOf<T = unknown>(text: string): T {
  // Written by `jsonText`.
  return JSON.parse(text) as T;
}
