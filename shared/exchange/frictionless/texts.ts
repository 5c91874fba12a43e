import { ifDefined } from "../../domain/content.ts";
import { LIMITS } from "../../domain/limits.ts";
import { holdsCredentials, isLink } from "../../domain/value-types.ts";
import type { Findings } from "../findings.ts";
import type { JsonObject } from "../json-object.ts";
import { legalKey } from "../legal-key.ts";
import { quoted } from "../quoted.ts";
import { asName, readDescription, readName, readText } from "../source-texts.ts";
import { inLanguage, type Language } from "./language.ts";
import { type Lens, spareTitle } from "./lens.ts";

/** The name and texts of an object that one part of a descriptor describes. */
export interface PartTexts {
  readonly name?: string;
  readonly description?: string;
  readonly documentationHome?: string;
}

/** The members that give an object its name and texts. */
export const TEXT_MEMBERS = ["name", "title", "description", "homepage"];

/** Reads title, description and home page; without a title, a name that is not the key is the name. */
export function readTexts(source: JsonObject, key: string, language: Language, findings: Findings): PartTexts {
  const plain = inLanguage(source, language, findings);
  const called = typeof source.name === "string" && source.name.trim() !== "" ? source.name : undefined;
  const unlike = called === undefined || called === key ? undefined : asName(called);
  return {
    ...ifDefined("name", readName(plain, "title", findings) ?? unlike),
    ...ifDefined("description", readDescription(plain, "description", findings)),
    ...ifDefined("documentationHome", readHomepage(source, findings)),
  };
}

function readHomepage(source: JsonObject, findings: Findings): string | undefined {
  const given = source.homepage;
  // Whatever is kept beside the fields is looked through for passwords.
  if (typeof given === "string" && holdsCredentials(given)) return undefined;
  const text = typeof given === "string" ? readText(source, "homepage", findings)?.trim() : undefined;
  if (text !== undefined && isLink(text) && text.length <= LIMITS.urlCharacters) return text;
  if (typeof given === "string" ? text !== undefined : given !== undefined && given !== null) {
    const what = typeof given === "string" ? quoted(given) : "it";
    const detail = `${what} is no absolute URL of at most ${LIMITS.urlCharacters} characters; it is kept as a property`;
    findings.warn("/homepage", "kept_as_property", detail);
  }
  return undefined;
}

/** The members that the texts of an object with a key are written as. */
export function textMembers(key: string, { name, description, documentationHome }: PartTexts): JsonObject {
  return {
    name: key,
    ...ifDefined("title", name),
    ...ifDefined("description", description),
    ...ifDefined("homepage", documentationHome),
  };
}

/** True where a key was made of a name, with or without a number at its end. */
export function isKeyOf(key: string, name: unknown): boolean {
  if (typeof name !== "string" || name.trim() === "") return false;
  const made = legalKey(name);
  return key === made || (key.startsWith(`${made}_`) && /^_\d+$/.test(key.slice(made.length)));
}

/** The lens of the texts of an object with a key; `silent` takes the findings of texts that were read before. */
export function textLens(key: string, language: Language, silent: Findings): Lens<PartTexts> {
  return {
    read: (members) => ({ ...readTexts(members, key, language, silent), isKey: isKeyOf(key, members.name) }),
    write: (texts) => textMembers(key, texts),
    spare: spareTitle,
  };
}
