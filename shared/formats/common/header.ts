import type { ImportNames } from "../../actions/contract/ports.ts";
import { DOCUMENT_SCHEMA, type ModelDocument } from "../../domain/document/document.ts";
import { LIMITS } from "../../domain/limits.ts";
import { includeMember } from "../../domain/model/content.ts";
import { describeJsonType } from "../../domain/values/value-type.ts";
import { holdsCredentials, isLink } from "../../domain/values/value-types.ts";
import { type Diagnostics, quote } from "./diagnostics.ts";
import { isAbsent, isObject, type JsonObject, readOptionalText } from "./json-object.ts";
import { describeKeyChange, isDerivedKey, toLegalKey } from "./legal-key.ts";
import { type SourcePath, toOrigin } from "./source-path.ts";
import { readDescription, readName, readText, readVersion, toName } from "./source-texts.ts";

/** Name and texts of an object. */
export interface PartTexts {
  readonly name?: string;
  readonly description?: string;
  readonly documentationHome?: string;
}

export const TEXT_MEMBERS = ["name", "title", "description", "homepage"];

/** Reads title, description and home page of an object. */
export function readTexts(source: JsonObject, key: string, language: Language, diagnostics: Diagnostics): PartTexts {
  const textSource = pickLanguage(source, language, diagnostics);
  const ownName = readOptionalText(source, "name");
  const fallbackName = ownName === undefined || ownName === key ? undefined : toName(ownName);
  return {
    ...includeMember("name", readName(textSource, "title", diagnostics) ?? fallbackName),
    ...includeMember("description", readDescription(textSource, "description", diagnostics)),
    ...includeMember("documentationHome", readHomepage(source, diagnostics)),
  };
}

function readHomepage(source: JsonObject, diagnostics: Diagnostics): string | undefined {
  const homepage = source.homepage;
  // Kept properties are checked for credentials elsewhere.
  if (typeof homepage === "string" && holdsCredentials(homepage)) return undefined;
  const text = typeof homepage === "string" ? readText(source, "homepage", diagnostics)?.trim() : undefined;
  if (text !== undefined && isLink(text) && text.length <= LIMITS.urlCharacters) return text;
  if (typeof homepage === "string" ? text !== undefined : homepage !== undefined && homepage !== null) {
    const subject = typeof homepage === "string" ? quote(homepage) : "it";
    const detail = `${subject} is not an absolute URL of at most ${LIMITS.urlCharacters} characters; it is kept as a property`;
    diagnostics.warn("/homepage", "kept_as_property", detail);
  }
  return undefined;
}

/** Returns true for a key made of a name, optionally numbered. */
export function isKeyMadeOf(key: string, name: unknown): boolean {
  return typeof name === "string" && name.trim() !== "" && isDerivedKey(key, toLegalKey(name));
}

/** Language code of a descriptor, if it declares one. */
export type Language = string | undefined;

/** Returns the default language of a descriptor. */
export function readLanguage({ languages, language }: JsonObject): Language {
  const first: unknown = Array.isArray(languages) ? languages[0] : language;
  return typeof first === "string" ? first : undefined;
}

const TRANSLATED_MEMBERS = ["title", "description"];

/** Replaces translated texts by the text in the default language. */
export function pickLanguage(source: JsonObject, language: Language, diagnostics: Diagnostics): JsonObject {
  const result = { ...source };
  for (const member of TRANSLATED_MEMBERS) {
    const value = source[member];
    if (isAbsent(value) || typeof value === "string") continue;
    const text = isObject(value) ? pickText(value, language) : undefined;
    if (text === undefined) {
      const detail = `expected a text, got ${describeJsonType(value)}; it is kept as a property`;
      diagnostics.warn(`/${member}`, "kept_as_property", detail);
    }
    result[member] = text;
  }
  return result;
}

function pickText(texts: JsonObject, language: Language): string | undefined {
  const candidates = [texts[""], texts[language ?? ""], texts.en, ...Object.values(texts)];
  return candidates.find((text) => typeof text === "string" && text.trim() !== "") as string | undefined;
}

export const NO_NAME = "unknown";

/** Texts and version of a model. */
export interface HeaderTexts extends PartTexts {
  readonly version: string;
}

/** Key and texts of a model. */
export interface ModelHeader {
  /** Key made of the name in the source, also if the caller chose another key. */
  readonly ownKey: string;
  readonly texts: HeaderTexts;
}

/** Reads name, texts and version. Without a name, the key is the caller's key or `unknown`. */
export function readHeader(
  source: JsonObject,
  names: ImportNames,
  language: Language,
  diagnostics: Diagnostics,
): ModelHeader {
  const name = readOptionalText(source, "name");
  const ownKey = name === undefined ? (names.modelKey ?? NO_NAME) : toLegalKey(name);
  const change = name === undefined ? undefined : describeKeyChange(name, ownKey);
  if (change !== undefined) diagnostics.warn("/name", "key_made", change);
  if (name === undefined && names.modelKey === undefined) {
    const key = JSON.stringify(NO_NAME);
    diagnostics.warn("", "assumed", `the source has no name, so the key became ${key}; use modelKey to choose another`);
  }
  return { ownKey, texts: readHeaderTexts(source, ownKey, language, diagnostics) };
}

/** Returns the first members of a model document. */
export function toModelHead({ ownKey, texts }: ModelHeader, names: ImportNames, path: SourcePath) {
  const { name, description, documentationHome, version } = texts;
  return {
    $schema: DOCUMENT_SCHEMA,
    key: names.modelKey ?? ownKey,
    name: names.modelName ?? name ?? ownKey,
    ...includeMember("description", description),
    version,
    authority: "system",
    ...includeMember("documentationHome", documentationHome),
    ...toOrigin(path),
  } as const;
}

/** Reads the texts and the version of a model. */
export function readHeaderTexts(
  source: JsonObject,
  key: string,
  language: Language,
  diagnostics: Diagnostics,
): HeaderTexts {
  return { ...readTexts(source, key, language, diagnostics), version: readVersion(source, "version", diagnostics) };
}

/** Adds the members and lists that a source does not mention, if asked for. */
export function addOmissions(document: ModelDocument, header: JsonObject, { notes }: ImportNames): ModelDocument {
  if (!notes) return document;
  const { entities, relationships, localTags } = document;
  return {
    ...document,
    leftOut: [
      ...["authority", "types", "tagGroups"],
      ...(isAbsent(header.version) ? ["version"] : []),
      ...(isAbsent(header.title) ? ["name"] : []),
      ...(localTags.length > 0 ? [] : ["localTags"]),
    ],
    entities: entities.map((one) => (one.primaryKey.length > 0 ? one : { ...one, leftOut: ["primaryKey"] })),
    relationships: relationships.map((one) => ({ ...one, leftOut: ["attributes"] })),
  };
}
