import { parseRef } from "../../shared/domain/refs.ts";

/** A ref in the form that actions take. */
export type RefText = `id:${string}` | `key:${string}`;

/** Converts a text from an address to a ref; the service explains a malformed one. */
export const toRef = (text: string): RefText => text as RefText;

/** Returns the ref by key, which is readable in an address. */
export const toKeyRef = (key: string): RefText => `key:${key}`;

/** Parses a ref that a person typed; undefined while it is malformed. */
export function parseTypedRef(text: string | undefined): RefText | undefined {
  if (text === undefined || typeof parseRef(text) === "string") return undefined;
  return text as RefText;
}
