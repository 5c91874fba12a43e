import { LIMITS } from "../domain/limits.ts";
import { jsonTypeOf } from "../domain/value-type.ts";
import { holdsCredentials } from "../domain/value-types.ts";
import type { Findings } from "./findings.ts";
import { isAbsent, type JsonObject } from "./json-object.ts";
import { keyChange, legalKeys } from "./legal-key.ts";
import { readDescription, readLink, readName, readText, readVersion, withoutCredentials } from "./source-texts.ts";

/** Reads one text member; undefined when there is none. */
export type TextReader = (source: JsonObject, member: string, findings: Findings) => string | undefined;

/** How the keys and texts of a model document are taken: as they are, or made to fit. */
export interface DocumentTexts {
  readonly name: TextReader;
  readonly description: TextReader;
  readonly link: TextReader;
  readonly origin: TextReader;
  readonly version: TextReader;
  /** The keys of the objects of one scope, in their order; `findings` are theirs. */
  readonly keys: (keys: readonly string[], findings: (i: number) => Findings) => readonly string[];
}

/** A text as it stands; anything but a text is a fault. */
export const exactText: TextReader = (source, member, findings) => {
  const value = source[member];
  if (isAbsent(value) || typeof value === "string") return value ?? undefined;
  findings.fault(`/${member}`, `expected a text, got ${jsonTypeOf(value)}`);
  return undefined;
};

/** For documents of our own making: everything as it stands, so that what went out comes back. */
export const exactTexts: DocumentTexts = {
  name: exactText,
  description: exactText,
  link: exactText,
  origin: exactText,
  version: exactText,
  keys: (keys) => keys,
};

/** For documents of another service, whose texts and keys may break our limits: changed with a warning. */
export const fittingTexts: DocumentTexts = {
  name: readName,
  description: readDescription,
  link: readLink,
  origin: (source, member, findings) => {
    const text = readText(source, member, findings);
    if (text !== undefined && holdsCredentials(text)) return withoutCredentials(member, findings);
    if (text === undefined || (!/\s/.test(text) && text.length <= LIMITS.urlCharacters)) return text;
    findings.warn(
      `/${member}`,
      "not_carried_over",
      `is no URI of at most ${LIMITS.urlCharacters} characters; it is not carried over`,
    );
    return undefined;
  },
  version: readVersion,
  keys: (given, findings) => {
    const keys = legalKeys(given);
    for (const [i, name] of given.entries()) {
      const change = keyChange(name, keys[i] ?? name);
      if (change !== undefined) findings(i).warn("/key", "key_made", change);
    }
    return keys;
  },
};
