import type { Control } from "./field.ts";

/** A control whose value is written as one text. */
export type TextControl = Extract<
  Control,
  { readonly kind: "text" | "secret" | "ref" | "moment" | "number" | "json" | "choice" }
>;

/** What a text of a control means: a value, nothing, or why it is neither. */
export type Typed = { readonly value: unknown } | { readonly fault: "number" | "whole" | "json" | "object" | "list" };

/** The text of a value, as its control shows it. */
export function textOf(control: TextControl, value: unknown): string {
  if (value === undefined) return "";
  if (control.kind === "json") return JSON.stringify(value, null, 2);
  return String(value);
}

/**
 * What a text means in a control. An empty text is no value; in a list, where a place cannot be left out, it is the empty
 * text. Numbers and JSON may be wrong.
 */
export function typedIn(control: TextControl, text: string, isItem = false): Typed {
  if (control.kind === "json") return typedJson(control.shape, text);
  if (control.kind !== "number") return { value: text === "" && !isItem ? undefined : text };
  const trimmed = text.trim();
  if (trimmed === "") return { value: undefined };
  // A number of JSON: no blanks, hexadecimals or infinity.
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed)) return { fault: "number" };
  const number = Number(trimmed);
  if (!Number.isFinite(number)) return { fault: "number" };
  return control.whole && !Number.isInteger(number) ? { fault: "whole" } : { value: number };
}

function typedJson(shape: "any" | "object" | "list", text: string): Typed {
  if (text.trim() === "") return { value: undefined };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: "json" };
  }
  const found = Array.isArray(value) ? "list" : typeof value === "object" && value !== null ? "object" : "any";
  return shape === "any" || found === shape ? { value } : { fault: shape };
}
