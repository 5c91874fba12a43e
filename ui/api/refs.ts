import { parseRef } from "../../shared/domain/refs.ts";

/** A ref as the actions take it. */
export type RefText = `id:${string}` | `key:${string}`;

/** A text of an address as a ref; one that is none is sent as it is, and the service says what is wrong with it. */
export const toRef = (text: string): RefText => text as RefText;

/** The ref by key, which people can read in an address. */
export const toKeyRef = (key: string): RefText => `key:${key}`;

/**
 * A text that somebody typed as a ref; undefined while it is none, as half of an id is. What is read with a ref that was
 * typed is only asked for with one of these.
 */
export function parseTypedRef(text: string | undefined): RefText | undefined {
  if (text === undefined || typeof parseRef(text) === "string") return undefined;
  return text as RefText;
}
