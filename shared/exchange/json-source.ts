import { faultOfJsonText } from "../domain/json-text.ts";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import { firstIllFormed } from "../domain/well-formed.ts";
import { otherTextOf } from "./other-formats.ts";
import { isYamlFile, parseYaml } from "./yaml-source.ts";

/** A parsed source, or a sentence why there is none. */
export type Parsed = { readonly value: unknown } | string;

/** The value of a fetched file: YAML where its address ends in `.yaml` or `.yml`, else JSON. */
export async function parseFile({ url, bytes }: { readonly url: URL; readonly bytes: Uint8Array }): Promise<Parsed> {
  if (!isYamlFile(url)) return parseSource(bytes);
  const text = textOf(bytes);
  return text === undefined ? NO_TEXT : await parseYaml(text);
}

const NO_TEXT = "it is not UTF-8 text";

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The value of a fetched JSON text. Its size is checked before anything is parsed. */
export function parseSource(bytes: Uint8Array): Parsed {
  const text = textOf(bytes);
  if (text === undefined) return NO_TEXT;
  const other = otherTextOf(text);
  if (other !== undefined) return `it is ${other}`;
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
