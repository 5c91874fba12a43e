import type { ImportNames } from "../../actions/contract/ports.ts";
import { ifDefined } from "../../domain/content.ts";
import { DOCUMENT_SCHEMA } from "../../domain/document.ts";
import { FIRST_VERSION } from "../../domain/versions.ts";
import type { Findings } from "../findings.ts";
import type { JsonObject } from "../json-object.ts";
import { keyChange, legalKey } from "../legal-key.ts";
import { originAt, type SourcePlace } from "../source-place.ts";
import { readVersion } from "../source-texts.ts";
import type { Language } from "./language.ts";
import { keptBeside, type Lens, SILENT, spareTitle } from "./lens.ts";
import { isKeyOf, type PartTexts, readTexts, TEXT_MEMBERS, textMembers } from "./texts.ts";

/** The key of a model or entity whose source gives it no name. */
export const NO_NAME = "unknown";

/** The texts and the version of a package or a stand-alone schema. */
export interface HeaderTexts extends PartTexts {
  readonly version: string;
}

/** The key and the texts of a package or a stand-alone schema. */
export interface ModelHeader {
  /** The key its own name makes, whatever the caller wants the model to be called. */
  readonly ownKey: string;
  readonly texts: HeaderTexts;
}

/** The members of a header. */
export const HEADER_MEMBERS: readonly string[] = [...TEXT_MEMBERS, "version"];

/** Reads name, title, description, home page and version; without a name the caller's key stands in, else `unknown`. */
export function readHeader(
  source: JsonObject,
  names: ImportNames,
  language: Language,
  findings: Findings,
): ModelHeader {
  const name = typeof source.name === "string" && source.name.trim() !== "" ? source.name : undefined;
  const ownKey = name === undefined ? (names.modelKey ?? NO_NAME) : legalKey(name);
  const change = name === undefined ? undefined : keyChange(name, ownKey);
  if (change !== undefined) findings.warn("/name", "key_made", change);
  if (name === undefined && names.modelKey === undefined) {
    const key = JSON.stringify(NO_NAME);
    findings.warn("", "assumed", `the source has no name, so the key became ${key}; modelKey chooses another`);
  }
  return { ownKey, texts: readHeaderTexts(source, ownKey, language, findings) };
}

/** The members with which the document of a model of a header begins. */
export function headOf({ ownKey, texts }: ModelHeader, names: ImportNames, place: SourcePlace) {
  const { name, description, documentationHome, version } = texts;
  return {
    $schema: DOCUMENT_SCHEMA,
    key: names.modelKey ?? ownKey,
    name: names.modelName ?? name ?? ownKey,
    ...ifDefined("description", description),
    version,
    authority: "system",
    ...ifDefined("documentationHome", documentationHome),
    ...originAt(place),
  } as const;
}

function readHeaderTexts(source: JsonObject, key: string, language: Language, findings: Findings): HeaderTexts {
  return { ...readTexts(source, key, language, findings), version: readVersion(source, "version", findings) };
}

/** The members of a header that its texts under a key do not give back. */
export function keptHeader(source: JsonObject, key: string, texts: HeaderTexts, language: Language): JsonObject {
  return keptBeside(source, HEADER_MEMBERS, headerLens(key, language), texts);
}

/** The lens between the members of a header and the texts of a model under a key; a model always has a name. */
export function headerLens(key: string, language: Language): Lens<HeaderTexts> {
  return {
    read: (members) => {
      const texts = readHeaderTexts(members, key, language, SILENT);
      return { ...texts, name: texts.name ?? key, isKey: key === NO_NAME || isKeyOf(key, members.name) };
    },
    write: ({ version, name = key, ...texts }) => {
      const { name: called, ...others } = textMembers(key, { ...texts, name });
      return {
        ...ifDefined("name", key === NO_NAME ? undefined : called),
        ...others,
        ...ifDefined("version", version === FIRST_VERSION ? undefined : version),
      };
    },
    spare: spareTitle,
  };
}
