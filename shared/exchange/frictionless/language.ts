import { jsonTypeOf } from "../../domain/value-type.ts";
import type { Findings } from "../findings.ts";
import { isAbsent, isObject, type JsonObject } from "../json-object.ts";

/** The code of the language in which a descriptor is written, where it says so. */
export type Language = string | undefined;

/** The default language of a descriptor: the first of its `languages`, or its `language`. */
export function languageOf({ languages, language }: JsonObject): Language {
  const first: unknown = Array.isArray(languages) ? languages[0] : language;
  return typeof first === "string" ? first : undefined;
}

/** The texts that the standard lets stand in several languages. */
const TRANSLATED = ["title", "description"];

/**
 * A part of a descriptor with its title and description as plain texts: of several languages the default one. What is neither a
 * text nor an object of texts is left out with a warning; it is kept as a property.
 */
export function inLanguage(source: JsonObject, language: Language, findings: Findings): JsonObject {
  const plain = { ...source };
  for (const member of TRANSLATED) {
    const value = source[member];
    if (isAbsent(value) || typeof value === "string") continue;
    const text = isObject(value) ? defaultText(value, language) : undefined;
    if (text === undefined) {
      const detail = `expected a text, got ${jsonTypeOf(value)}; it is kept as a property`;
      findings.warn(`/${member}`, "kept_as_property", detail);
    }
    plain[member] = text;
  }
  return plain;
}

/** The text of the default language: the one that names no language, the descriptor's own, English, or the first one. */
function defaultText(texts: JsonObject, language: Language): string | undefined {
  const candidates = [
    texts[""],
    language === undefined ? undefined : texts[language],
    texts.en,
    ...Object.values(texts),
  ];
  return candidates.find((text) => typeof text === "string" && text.trim() !== "") as string | undefined;
}
