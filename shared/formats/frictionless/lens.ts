import { includeMember } from "../../domain/model/content.ts";
import { isSameValue, toCanonicalJson } from "../../domain/text/json-values.ts";
import { FIRST_VERSION } from "../../domain/values/value-types.ts";
import { SILENT_DIAGNOSTICS } from "../common/diagnostics.ts";
import {
  type HeaderTexts,
  isKeyMadeOf,
  type Language,
  NO_NAME,
  type PartTexts,
  readHeaderTexts,
  readTexts,
  TEXT_MEMBERS,
} from "../common/header.ts";
import { isAbsent, type JsonObject } from "../common/json-object.ts";

/** Two-way mapping of descriptor members to an object. Members that it cannot restore are kept for export. */
export interface Lens<T> {
  readonly read: (members: JsonObject) => T;
  readonly write: (fields: T) => JsonObject;
  /** Values that are equivalent to an absent member. */
  readonly defaults?: JsonObject;
  /** Returns members that can be omitted if the others have the same meaning. */
  readonly listSpare: (json: JsonObject, extras: JsonObject) => readonly string[];
}

/** Returns the members of a source that must be kept so that writing restores them. */
export function keepUnrestorable<T>(
  source: JsonObject,
  members: readonly string[],
  lens: Lens<T>,
  fields: T,
): JsonObject {
  let extras: JsonObject = {};
  let json = restoreMembers(fields, extras, lens);
  for (const member of members) {
    const value = source[member];
    if (value === undefined || isSameValue(value, json[member]) || isSameValue(value, lens.defaults?.[member]))
      continue;
    extras = { ...extras, [member]: value };
    json = restoreMembers(fields, extras, lens);
  }
  return extras;
}

/** Writes an object and uses kept members where they still have the same meaning. */
export function restoreMembers<T>(fields: T, extras: JsonObject, lens: Lens<T>): JsonObject {
  let json = lens.write(fields);
  const names = lens
    .listSpare(json, extras)
    .filter((member) => !isAbsent(json[member]) && !Object.hasOwn(extras, member));
  if (names.length === 0 && Object.keys(extras).length === 0) return json;
  const expectedText = toCanonicalJson(lens.read(json));
  const tryOut = (candidate: JsonObject) => {
    if (toCanonicalJson(lens.read(candidate)) === expectedText) json = candidate;
  };
  for (const [member, value] of Object.entries(extras)) tryOut({ ...json, [member]: value });
  for (const member of names) {
    const { [member]: _, ...rest } = json;
    tryOut(rest);
  }
  return json;
}

/** Returns the title if it repeats the name. */
export function listSpareTitle({ name, title }: JsonObject, extras: JsonObject): readonly string[] {
  return title === name || Object.hasOwn(extras, "name") ? ["title"] : [];
}

/** Returns the texts of an object. */
export function pickTexts({ name, description, documentationHome }: PartTexts): PartTexts {
  return {
    ...includeMember("name", name),
    ...includeMember("description", description),
    ...includeMember("documentationHome", documentationHome),
  };
}

function toTextMembers(key: string, { name, description, documentationHome }: PartTexts): JsonObject {
  return {
    name: key,
    ...includeMember("title", name),
    ...includeMember("description", description),
    ...includeMember("homepage", documentationHome),
  };
}

/** Creates the lens of the texts of an object. */
export function createTextLens(key: string, language: Language): Lens<PartTexts> {
  return {
    read: (members) => ({
      ...readTexts(members, key, language, SILENT_DIAGNOSTICS),
      isKey: isKeyMadeOf(key, members.name),
    }),
    write: (texts) => toTextMembers(key, texts),
    listSpare: listSpareTitle,
  };
}

export const HEADER_MEMBERS: readonly string[] = [...TEXT_MEMBERS, "version"];

/** Returns the header members that the texts cannot restore. */
export function keepHeader(source: JsonObject, key: string, texts: HeaderTexts, language: Language): JsonObject {
  return keepUnrestorable(source, HEADER_MEMBERS, createHeaderLens(key, language), texts);
}

/** Creates the lens of a model header. A model always has a name. */
export function createHeaderLens(key: string, language: Language): Lens<HeaderTexts> {
  return {
    read: (members) => {
      const texts = readHeaderTexts(members, key, language, SILENT_DIAGNOSTICS);
      return { ...texts, name: texts.name ?? key, isKey: key === NO_NAME || isKeyMadeOf(key, members.name) };
    },
    write: ({ version, name = key, ...texts }) => {
      const { name: nameText, ...others } = toTextMembers(key, { ...texts, name });
      return {
        ...includeMember("name", key === NO_NAME ? undefined : nameText),
        ...others,
        ...includeMember("version", version === FIRST_VERSION ? undefined : version),
      };
    },
    listSpare: listSpareTitle,
  };
}
