import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { isScalar, parseDocument, visit } from "yaml";
import { LIMITS } from "../../shared/domain/limits.ts";
import { TEXT_FILE_ENDINGS } from "../../shared/domain/values/source-formats.ts";
import { createUsageFailure } from "../terminal/failure.ts";
import { getMessage, isObject, parseJson, parseJsonOrText } from "./values.ts";

export type Language = "json" | "yaml";

export type SourceObject = Readonly<Record<string, unknown>>;

/** Detects the language of a file by its ending, else by its first character. */
export function detectLanguage(file: string, text: string): Language {
  if (/\.ya?ml$/i.test(file)) return "yaml";
  return /\.json$/i.test(file) || /^\s*[[{]/.test(text) ? "json" : "yaml";
}

export const ENDINGS: readonly string[] = ["json", "yaml", "yml", ...TEXT_FILE_ENDINGS];

/** The endings as part of a sentence. */
export const ENDINGS_TEXT = ENDINGS.map((one) => `.${one}`)
  .join(", ")
  .replace(/, ([^,]+)$/, " or $1");

/** True if the file name has one of the endings. */
export function hasEnding(file: string, endings: readonly string[]): boolean {
  return endings.some((ending) => file.toLowerCase().endsWith(`.${ending}`));
}

/** Returns the object in a source, else its text. A file with a JSON or YAML ending must be valid. */
export async function parseSource(file: string, text: string): Promise<SourceObject | string> {
  if (hasEnding(file, TEXT_FILE_ENDINGS)) return text;
  const isNamed = hasEnding(file, ["json", "yaml", "yml"]);
  try {
    return await parseSourceObject(file, text);
  } catch (error) {
    // A list can be a source too, such as a list of Avro schemas.
    const isOther = isNamed ? /^\s*\[/.test(text) && Array.isArray(parseJsonOrText(text)) : !/^\s*\{/.test(text);
    if (isOther && text.trim() !== "") return text;
    throw error;
  }
}

/** Returns the object that a source contains. Throws a usage failure if there is none. */
export async function parseSourceObject(file: string, text: string): Promise<SourceObject> {
  const body = text.replace(/^\ufeff/, "");
  const value = detectLanguage(file, body) === "json" ? parseJson(body, file) : await parseYaml(file, body);
  if (isObject(value)) return value;
  throw createUsageFailure(`${file} contains no object, so it is not a model`);
}

async function parseYaml(file: string, text: string): Promise<unknown> {
  const document = parseDocument(text, { merge: true, logLevel: "error" });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) throw createUsageFailure(`${file} is not valid YAML: ${fault.message.split(":\n")[0]}`);
  let misfit: unknown;
  visit(document, {
    Scalar: (_, { value }) => {
      // JSON has no infinite number; sent as null, it would clear a value.
      if (typeof value === "number" && !Number.isFinite(value)) misfit = value;
    },
    Pair: (_, { key }) => {
      if (!isScalar(key)) misfit = "a member whose name is not a text";
    },
  });
  if (misfit !== undefined) throw createUsageFailure(`${file} contains what JSON cannot represent: ${misfit}`);
  try {
    return document.toJS({ maxAliasCount: LIMITS.yamlAliases });
  } catch (error) {
    throw createUsageFailure(`${file} cannot be read: ${getMessage(error)}`);
  }
}

/** Writes a file atomically. Throws a usage failure if it cannot be written. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, text);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw createUsageFailure(`${file} cannot be written: ${getMessage(error)}`);
  }
}
