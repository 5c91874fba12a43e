import type { Fields, PlainField } from "../../domain/fields/field.ts";
import { LIMITS } from "../../domain/limits.ts";
import { describeJsonType } from "../../domain/values/value-type.ts";
import { holdsCredentials, link, markdown, modelVersion, singleLine, uri } from "../../domain/values/value-types.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { isAbsent, type JsonObject, type KnownMembers } from "../common/json-object.ts";
import { describeKeyChange, toLegalKeys } from "../common/legal-key.ts";
import { readDescription, readLink, readName, readText, readVersion, warnCredentials } from "../common/source-texts.ts";

/** A variant of model documents: objects with keys in lists, and refs between them. */
export interface ModelJsonForm {
  /** Readers of texts by the id of their type. Other texts stay unchanged. */
  readonly texts: Readonly<Record<string, TextReader>>;
  /** Makes the keys of the objects of one scope. `diagnostics` returns those of an object. */
  readonly toKeys: (keys: readonly string[], diagnostics: (i: number) => Diagnostics) => readonly string[];
  /** Converts an item of a list of attributes to a ref `key:…` or `id:…`. */
  readonly attributeRef: (ref: unknown) => unknown;
  readonly reads: (member: string) => boolean;
  /** Treatment of unknown members. Other forms warn about all of them alike. */
  readonly policy?: "reject" | "warn";
  readonly sentences?: { readonly [member: string]: string };
}

type TextReader = (source: JsonObject, member: string, diagnostics: Diagnostics) => string | undefined;

export function listKnownMembers(fields: Fields, { reads, sentences }: ModelJsonForm): KnownMembers {
  const documentedFields = Object.entries(fields).filter(([, { is }]) => is !== "internal");
  const members = documentedFields.map(([member]) => member).filter(reads);
  const identityMembers = ["renamedFrom"].filter(reads);
  return { names: new Set(["$schema", "id", "key", ...identityMembers, ...members]), ...(sentences && { sentences }) };
}

/** Returns the value of a member. It is checked with the whole document later. */
export function readValue(
  source: JsonObject,
  member: string,
  { type }: PlainField,
  { texts }: ModelJsonForm,
  diagnostics: Diagnostics,
): unknown {
  if (type.json === "string") return (texts[type.id] ?? readExactText)(source, member, diagnostics);
  const value = source[member];
  if (isAbsent(value)) return undefined;
  if (type.json !== "boolean" || typeof value === "boolean") return value;
  diagnostics.reject(`/${member}`, `expected true or false, got ${describeJsonType(value)}`);
  return undefined;
}

/** Reads a text unchanged. Rejects other values. */
export const readExactText: TextReader = (source, member, diagnostics) => {
  const value = source[member];
  if (isAbsent(value) || typeof value === "string") return value ?? undefined;
  diagnostics.reject(`/${member}`, `expected a text, got ${describeJsonType(value)}`);
  return undefined;
};

const readOrigin: TextReader = (source, member, diagnostics) => {
  const text = readText(source, member, diagnostics);
  if (text !== undefined && holdsCredentials(text)) return warnCredentials(member, diagnostics);
  if (text === undefined || (!/\s/.test(text) && text.length <= LIMITS.urlCharacters)) return text;
  const detail = `is not a URI of at most ${LIMITS.urlCharacters} characters; it is not imported`;
  diagnostics.warn(`/${member}`, "not_carried_over", detail);
  return undefined;
};

/** Form of documents of other services: texts and keys are adapted to the limits, with warnings. */
export const FITTING_FORM: Pick<ModelJsonForm, "texts" | "toKeys"> = {
  texts: {
    [singleLine.id]: readName,
    [markdown.id]: readDescription,
    [link.id]: readLink,
    [uri.id]: readOrigin,
    [modelVersion.id]: readVersion,
  },
  toKeys: (names, diagnostics) => {
    const keys = toLegalKeys(names);
    for (const [i, name] of names.entries()) {
      const change = describeKeyChange(name, keys[i] ?? name);
      if (change !== undefined) diagnostics(i).warn("/key", "key_made", change);
    }
    return keys;
  },
};
