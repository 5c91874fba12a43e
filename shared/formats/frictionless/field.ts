import type { Constraints } from "../../domain/constraints/keywords.ts";
import type { AttributeDocument } from "../../domain/document/document.ts";
import { includeMember } from "../../domain/model/content.ts";
import { escapePointerToken } from "../../domain/text/characters.ts";
import { describeJsonType } from "../../domain/values/value-type.ts";
import { type Diagnostics, quote, SILENT_DIAGNOSTICS } from "../common/diagnostics.ts";
import { isKeyMadeOf, type Language, pickLanguage } from "../common/header.ts";
import { isAbsent, isObject, type JsonObject, type NamedPart } from "../common/json-object.ts";
import { toProperties } from "../common/kept-properties.ts";
import { describeKeyChange } from "../common/legal-key.ts";
import { appendPath, type SourcePath, toOrigin } from "../common/source-path.ts";
import { readDescription, readName, toName } from "../common/source-texts.ts";
import { addKeyword, removeRepeats, toConstraints } from "../common/tables/entities.ts";
import { keepMembers } from "./kept-members.ts";
import { keepUnrestorable, type Lens, listSpareTitle } from "./lens.ts";
import {
  isTableType,
  LATER_TABLE_TYPES,
  MEMBER_NAMES,
  PROFILE_MEMBERS,
  TABLE_TYPES,
  toOwnProperties,
} from "./profile-members.ts";

const DEFAULT_TYPE = "string";

/** Context of the fields of one table. */
export interface FieldTerms {
  /** True for version 2, where a field without a type has any type. */
  readonly laterVersion: boolean;
  readonly language: Language;
  readonly path: SourcePath;
}

/** Returns the fields that are objects with a name. Rejects all others. */
export function readNamedFields(fields: readonly unknown[], diagnostics: Diagnostics): readonly NamedPart[] {
  return fields.flatMap((source, i): readonly NamedPart[] => {
    const fieldDiagnostics = diagnostics.at(`/fields/${i}`);
    if (!isObject(source)) {
      fieldDiagnostics.reject("", `expected an object that describes a field, got ${describeJsonType(source)}`);
      return [];
    }
    const { name } = source;
    // A blank name is valid: it is a legal key, so exports contain such fields.
    if (typeof name === "string" && name !== "") return [{ source, name, diagnostics: fieldDiagnostics }];
    const flaw = isAbsent(name) ? "is missing" : typeof name === "string" ? "is empty" : `is ${describeJsonType(name)}`;
    fieldDiagnostics.reject("/name", `the field name ${flaw}; it must be a text`);
    return [];
  });
}

/** Reads a field as an attribute. Rejects an unknown type. */
export function readField({ source, name, diagnostics }: NamedPart, key: string, terms: FieldTerms): AttributeDocument {
  const change = describeKeyChange(name, key);
  if (change !== undefined) diagnostics.warn("/name", "key_made", change);
  if (!isAbsent(source.constraints) && !isObject(source.constraints)) {
    const detail = `expected an object, got ${describeJsonType(source.constraints)}; it is kept as a property`;
    diagnostics.warn("/constraints", "kept_as_property", detail);
  }
  const fixedFields = readFixedFields(source, key, terms, diagnostics);
  const members = flattenConstraints(source);
  const keptMembers = keepUnrestorable(
    members,
    Object.keys(members).filter(isFixedMember),
    createFieldLens(key, terms.language),
    fixedFields,
  );
  const values = [
    ...keepMembers(source, PROFILE_MEMBERS.field, diagnostics),
    ...toOwnProperties(nestConstraints(keptMembers), diagnostics),
  ];
  return { key, ...fixedFields, ...toProperties(values, MEMBER_NAMES), ...toOrigin(appendPath(terms.path, name)) };
}

type FixedFields = Pick<AttributeDocument, "name" | "description" | "type"> & ReadConstraints;

function readFixedFields(
  source: JsonObject,
  key: string,
  terms: Omit<FieldTerms, "path">,
  diagnostics: Diagnostics,
): FixedFields {
  const textSource = pickLanguage(source, terms.language, diagnostics);
  const ownName = typeof source.name === "string" ? source.name : "";
  const title = readName(textSource, "title", diagnostics) ?? (ownName === key ? undefined : toName(ownName));
  const type = readFieldType(source, diagnostics, terms.laterVersion);
  return {
    ...includeMember("name", title),
    ...includeMember("description", readDescription(textSource, "description", diagnostics)),
    type: `key:${type}`,
    ...readFieldConstraints(source, type, diagnostics),
  };
}

function readFieldType(source: JsonObject, diagnostics: Diagnostics, laterVersion: boolean) {
  const { type } = source;
  if (isAbsent(type)) {
    if (laterVersion)
      diagnostics.warn("", "assumed", "the field has no type and is read as string; version 2 would allow any type");
    return DEFAULT_TYPE;
  }
  if (typeof type === "string" && isTableType(type)) return type;
  const typeText = typeof type === "string" ? quote(type) : describeJsonType(type);
  const types = [...TABLE_TYPES, ...LATER_TABLE_TYPES].join(", ");
  diagnostics.reject("/type", `${typeText} is not a type of Table Schema (${types})`);
  return DEFAULT_TYPE;
}

/** Returns true for a field with the constraint `unique`. */
export function isUniqueField({ source }: NamedPart): boolean {
  return isObject(source.constraints) && source.constraints.unique === true;
}

const CONSTRAINT = "constraints/";

/** Replaces `constraints` by one member for each constraint. */
export function flattenConstraints(source: JsonObject): JsonObject {
  const { constraints, ...others } = source;
  if (!isObject(constraints)) return source;
  const keywordMembers = Object.entries(constraints).map(([keyword, value]) => [CONSTRAINT + keyword, value]);
  return { ...others, ...Object.fromEntries(keywordMembers) };
}

/** Reverses `flattenConstraints`. */
export function nestConstraints(members: JsonObject): JsonObject {
  const constraints: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(members)) {
    if (member.startsWith(CONSTRAINT)) constraints[member.slice(CONSTRAINT.length)] = value;
    else others[member] = value;
  }
  return Object.keys(constraints).length > 0 ? { ...others, constraints } : others;
}

function isFixedMember(member: string) {
  return /^(name|title|description|type|format|constraints)$/.test(member) || member.startsWith(CONSTRAINT);
}

/** Creates the lens between the flat members of a field and its attribute. */
export function createFieldLens(key: string, language: Language): Lens<FixedFields> {
  return {
    read: (members) => ({
      ...readFixedFields(nestConstraints(members), key, { laterVersion: false, language }, SILENT_DIAGNOSTICS),
      isKey: isKeyMadeOf(key, members.name),
    }),
    write: ({ name, description, type, ...values }) =>
      flattenConstraints({
        name: key,
        ...includeMember("title", name),
        ...includeMember("description", description),
        type: type.replace(/^key:/, ""),
        ...toConstraintMembers(values),
      }),
    defaults: { format: "default", "constraints/required": false },
    listSpare: listSpareTitle,
  };
}

interface ReadConstraints {
  readonly optional: boolean;
  readonly constraints?: Constraints;
}

const COUNT_KEYWORDS = /^(min|max)Length$/;
const BOUND_KEYWORDS = /^(exclusiveM|m)(in|ax)imum$/;
const NUMBER_TYPES = /^(number|integer|year)$/;

/** Reads `required`, format and constraints of a field, numbers also from texts. Warns about invalid ones. */
function readFieldConstraints(source: JsonObject, type: string, diagnostics: Diagnostics): ReadConstraints {
  const constraints = isObject(source.constraints) ? source.constraints : {};
  const { required } = constraints;
  if (!isAbsent(required) && typeof required !== "boolean") {
    diagnostics.warn("/constraints/required", "assumed", "is not a boolean, so the attribute is optional");
  }
  const keywords: Record<string, unknown> = {};
  const { format } = source;
  if (!isAbsent(format) && format !== "default") addKeyword(keywords, "format", format, diagnostics.at("/format"));
  for (const [keyword, value] of Object.entries(constraints)) {
    if (keyword === "required" || keyword === "format" || isAbsent(value)) continue;
    const keywordDiagnostics = diagnostics.at(`/constraints/${escapePointerToken(keyword)}`);
    addKeyword(keywords, keyword, toMeantValue(keyword, value, type), keywordDiagnostics);
  }
  return { optional: required !== true, ...toConstraints(keywords) };
}

function toMeantValue(keyword: string, value: unknown, type: string): unknown {
  const isNumeral = typeof value === "string" && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value.trim());
  const isNumeric = COUNT_KEYWORDS.test(keyword) || (BOUND_KEYWORDS.test(keyword) && NUMBER_TYPES.test(type));
  return isNumeral && isNumeric ? Number(value) : removeRepeats(keyword, value);
}

function toConstraintMembers({ optional, constraints = {} }: ReadConstraints): JsonObject {
  const { format, ...others } = constraints;
  const members = { ...(!optional && { required: true }), ...others };
  return {
    ...(format !== undefined && { format }),
    ...(Object.keys(members).length > 0 && { constraints: members }),
  };
}
