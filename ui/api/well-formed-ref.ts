import { parseRef } from "../../shared/domain/refs.ts";
import type { RefText } from "./refs.ts";

/**
 * A text that somebody typed as a ref; undefined while it is none, as half of an id is. What is read with a ref that was
 * typed is only asked for with one of these.
 */
export function wellFormedRef(text: string | undefined): RefText | undefined {
  if (text === undefined || typeof parseRef(text) === "string") return undefined;
  return text as RefText;
}
