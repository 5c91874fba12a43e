import { faultOfJsonText } from "../domain/json-text.ts";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import { firstIllFormed } from "../domain/well-formed.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object, which a list is not. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Absent and null are the same: no value. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** The value of a fetched JSON text, or a sentence why it is none. Its size is checked before anything is parsed. */
export function parseSource(bytes: Uint8Array): { readonly value: unknown } | string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return "it is not UTF-8 text";
  }
  if (/^\s*</.test(text)) return "it is an HTML or XML page; give the address of the JSON file itself";
  const fault = faultOfJsonText(text);
  if (fault) return `it ${fault.detail}`;
  try {
    // JSON.parse quotes the text in its errors, so its own words go nowhere.
    return { value: JSON.parse(text) };
  } catch {
    return "it is not JSON";
  }
}

/** `invalid_content` for a value that nests too deep or holds text that is no well-formed Unicode. */
export function checkSource(value: unknown): void {
  if (isDeeper(value, LIMITS.jsonDepth)) {
    throw new Problem("invalid_content", `nothing was imported: it nests deeper than ${LIMITS.jsonDepth} levels`);
  }
  const pointer = firstIllFormed(value);
  if (pointer === undefined) return;
  throw new Problem("invalid_content", "nothing was imported: the source holds a text that is no well-formed Unicode", {
    errors: [{ pointer, detail: "has half a surrogate pair" }],
  });
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
