import { optionalMember } from "../../domain/model/content.ts";
import { toCanonicalJson } from "../../domain/text/json-values.ts";
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

/**
 * The two directions between members of a descriptor and the fixed fields of an object. A member that the fields cannot give
 * back exactly is kept beside them, and stands in the export as long as it still says what the fields say.
 */
export interface Lens<T> {
  /** The fields that members mean; what cannot be meant is left out. */
  readonly read: (members: JsonObject) => T;
  /** The members that fields are written as. */
  readonly write: (fields: T) => JsonObject;
  /** Members that say nothing where they have these values. */
  readonly defaults?: JsonObject;
  /** The members that are left out where the others mean the same: whether they might is told by the name alone. */
  readonly spare: (written: JsonObject, kept: JsonObject) => readonly string[];
}

/** The members of a source that have to be kept so that writing gives them back; those beside the lens are not looked at. */
export function keepUnrestorable<T>(
  source: JsonObject,
  members: readonly string[],
  lens: Lens<T>,
  fields: T,
): JsonObject {
  let kept: JsonObject = {};
  let written = restoreMembers(fields, kept, lens);
  for (const member of members) {
    const value = source[member];
    if (value === undefined || isSameValue(value, written[member]) || isSameValue(value, lens.defaults?.[member]))
      continue;
    kept = { ...kept, [member]: value };
    written = restoreMembers(fields, kept, lens);
  }
  return kept;
}

/** The members that fields are written as, kept ones in their place where they still mean the same. */
export function restoreMembers<T>(fields: T, kept: JsonObject, lens: Lens<T>): JsonObject {
  let out = lens.write(fields);
  const spare = lens.spare(out, kept).filter((member) => !isAbsent(out[member]) && !Object.hasOwn(kept, member));
  if (spare.length === 0 && Object.keys(kept).length === 0) return out;
  const meant = toCanonicalJson(lens.read(out));
  const tryOut = (candidate: JsonObject): void => {
    if (toCanonicalJson(lens.read(candidate)) === meant) out = candidate;
  };
  for (const [member, value] of Object.entries(kept)) tryOut({ ...out, [member]: value });
  for (const member of spare) {
    const { [member]: _, ...rest } = out;
    tryOut(rest);
  }
  return out;
}

/** True for values that are equal as JSON, the order of members aside. */
export function isSameValue(a: unknown, b: unknown): boolean {
  return a === b || (a !== undefined && b !== undefined && toCanonicalJson(a) === toCanonicalJson(b));
}

/** A title that repeats the name is left out, which is the key or what the source called it. */
export function listSpareTitle({ name, title }: JsonObject, kept: JsonObject): readonly string[] {
  return title === name || Object.hasOwn(kept, "name") ? ["title"] : [];
}

/** The members that the texts of an object with a key are written as. */
function toTextMembers(key: string, { name, description, documentationHome }: PartTexts): JsonObject {
  return {
    name: key,
    ...optionalMember("title", name),
    ...optionalMember("description", description),
    ...optionalMember("homepage", documentationHome),
  };
}

/** The lens of the texts of an object with a key. */
export function createTextLens(key: string, language: Language): Lens<PartTexts> {
  return {
    read: (members) => ({
      ...readTexts(members, key, language, SILENT_DIAGNOSTICS),
      isKey: isKeyMadeOf(key, members.name),
    }),
    write: (texts) => toTextMembers(key, texts),
    spare: listSpareTitle,
  };
}

/** The members of a header. */
export const HEADER_MEMBERS: readonly string[] = [...TEXT_MEMBERS, "version"];

/** The members of a header that its texts under a key do not give back. */
export function keepHeader(source: JsonObject, key: string, texts: HeaderTexts, language: Language): JsonObject {
  return keepUnrestorable(source, HEADER_MEMBERS, createHeaderLens(key, language), texts);
}

/** The lens between the members of a header and the texts of a model under a key; a model always has a name. */
export function createHeaderLens(key: string, language: Language): Lens<HeaderTexts> {
  return {
    read: (members) => {
      const texts = readHeaderTexts(members, key, language, SILENT_DIAGNOSTICS);
      return { ...texts, name: texts.name ?? key, isKey: key === NO_NAME || isKeyMadeOf(key, members.name) };
    },
    write: ({ version, name = key, ...texts }) => {
      const { name: called, ...others } = toTextMembers(key, { ...texts, name });
      return {
        ...optionalMember("name", key === NO_NAME ? undefined : called),
        ...others,
        ...optionalMember("version", version === FIRST_VERSION ? undefined : version),
      };
    },
    spare: listSpareTitle,
  };
}
