import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { LIMITS } from "../../shared/domain/limits.ts";
import { TEXT_FILE_ENDINGS } from "../../shared/domain/values/source-formats.ts";
import { usage } from "../terminal/failure.ts";

/** The ways in which a source is written. */
export type Language = "json" | "yaml";

/** A source that is a JSON object. */
export type SourceObject = Readonly<Record<string, unknown>>;

/** The language of a file, by the end of its name, else by how it begins. */
export function detectLanguage(file: string, text: string): Language {
  if (/\.ya?ml$/i.test(file)) return "yaml";
  return /\.json$/i.test(file) || /^\s*[[{]/.test(text) ? "json" : "yaml";
}

/** The ends of the names of files that can hold a model. */
export const ENDINGS: readonly string[] = ["json", "yaml", "yml", ...TEXT_FILE_ENDINGS];

/** These ends in a sentence. */
export const TOLD_ENDINGS = ENDINGS.map((one) => `.${one}`)
  .join(", ")
  .replace(/, ([^,]+)$/, " or $1");

/** True for a file of this end of its name. */
export function endsIn(file: string, endings: readonly string[]): boolean {
  return endings.some((ending) => file.toLowerCase().endsWith(`.${ending}`));
}

/**
 * The object that a source holds, or its text where it holds none: the service tells in which format that is. A file that
 * is JSON or YAML by its name has to be that.
 */
export async function contentIn(file: string, text: string): Promise<SourceObject | string> {
  if (endsIn(file, TEXT_FILE_ENDINGS)) return text;
  const isNamed = endsIn(file, ["json", "yaml", "yml"]);
  try {
    return await objectIn(file, text);
  } catch (error) {
    // A list is no object and can be a source, such as one of Avro schemas.
    const isOther = isNamed ? /^\s*\[/.test(text) && isList(text) : !/^\s*\{/.test(text);
    if (isOther && text.trim() !== "") return text;
    throw error;
  }
}

function isList(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

/** The object that a source holds; a sentence with the name of the file where it holds none. */
export async function objectIn(file: string, text: string): Promise<SourceObject> {
  const bare = text.replace(/^\ufeff/, "");
  const value = detectLanguage(file, bare) === "json" ? jsonIn(file, bare) : await yamlIn(file, bare);
  if (isObject(value)) return value;
  throw usage(`${file} holds no object, so it is no model`);
}

function jsonIn(file: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw usage(`${file} is not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/** The value of a YAML 1.2 text, its aliases and merge keys followed. */
async function yamlIn(file: string, text: string): Promise<unknown> {
  const { isScalar, parseDocument, visit } = await import("yaml");
  const document = parseDocument(text, { merge: true, logLevel: "error" });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) throw usage(`${file} is not valid YAML: ${fault.message.split(":\n")[0]}`);
  let beyond: unknown;
  visit(document, {
    Scalar: (_, { value }) => {
      // A number without end would go over as null, which clears.
      if (typeof value === "number" && !Number.isFinite(value)) beyond = value;
    },
    Pair: (_, { key }) => {
      if (!isScalar(key)) beyond = "a member whose name is no text";
    },
  });
  if (beyond !== undefined) throw usage(`${file} holds what JSON does not have: ${beyond}`);
  try {
    return document.toJS({ maxAliasCount: LIMITS.yamlAliases });
  } catch (error) {
    throw usage(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** True for an object that is no list. */
export function isObject(value: unknown): value is SourceObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Writes a file as a whole or not at all; a file that cannot be written is a wrong argument. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, text);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw usage(`${file} cannot be written: ${error instanceof Error ? error.message : error}`);
  }
}
