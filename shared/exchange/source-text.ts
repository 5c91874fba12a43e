import { faultOfJsonText } from "../domain/json-text.ts";
import type { SourceFormat } from "../domain/source-formats.ts";
import { isSqlDialect } from "./sql/dialects.ts";
import { DBML, otherTextOf, SQL } from "./text-formats.ts";
import { isYamlFile, parseYaml } from "./yaml-source.ts";

/** A parsed source, or a sentence why there is none. A text of DBML or SQL is its own value. */
export type Parsed = { readonly value: unknown } | string;

/** The value of a fetched file, by its text and, for YAML, by how its address ends. */
export async function parseFile({ url, bytes }: { readonly url: URL; readonly bytes: Uint8Array }): Promise<Parsed> {
  const text = textOf(bytes);
  if (text === undefined) return "it is not UTF-8 text";
  if (/\.(sql|ddl)$/i.test(url.pathname)) return { value: text };
  return isYamlFile(url) ? parseYaml(text) : parseText(text, undefined);
}

function textOf(bytes: Uint8Array): string | undefined {
  // SQL Server's own programs write scripts so.
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The value of a text: JSON where it begins like an object or a list, else YAML, unless it is in a format that is neither and
 * none is wanted.
 */
export async function parseText(marked: string, wanted: SourceFormat | undefined): Promise<Parsed> {
  // What an editor writes before a text to tell its encoding is none of it.
  const text = marked.replace(/^\ufeff/, "");
  if (wanted === "dbml" || isSqlDialect(wanted)) return { value: text };
  if (/^\s*[[{]/.test(text)) return parseJson(text);
  const other = otherTextOf(text);
  if ((other === DBML || other === SQL) && wanted === undefined) return { value: text };
  if (other !== undefined && wanted === undefined) return `it is ${other}`;
  const yaml = await parseYaml(text);
  if (typeof yaml === "string") return `it is not JSON; read as YAML, ${yaml}`;
  return typeof yaml.value === "object" && yaml.value !== null ? yaml : NEITHER;
}

const NEITHER = "it is not JSON, no object in YAML and in no other format that is known";

/** The value of a JSON text. Its size is checked before anything is parsed. */
export function parseJson(text: string): Parsed {
  const fault = faultOfJsonText(text);
  if (fault) return `it ${fault.detail}`;
  try {
    // JSON.parse quotes the text in its errors, so its own words go nowhere.
    return { value: JSON.parse(text.replace(/^\ufeff/, "")) };
  } catch {
    return "it is not JSON";
  }
}
