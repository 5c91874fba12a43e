import { ifDefined } from "../../domain/content.ts";
import type { AttributeDocument } from "../../domain/document.ts";
import { jsonTypeOf } from "../../domain/value-type.ts";
import type { Findings } from "../findings.ts";
import { isAbsent, isObject, type JsonObject } from "../json-object.ts";
import { keyChange } from "../legal-key.ts";
import { quoted } from "../quoted.ts";
import { below, originAt, type SourcePlace } from "../source-place.ts";
import { asName, readDescription, readName } from "../source-texts.ts";
import { constraintMembers, type ReadConstraints, readConstraints } from "./constraint-members.ts";
import { keptMembers } from "./kept-members.ts";
import { type KeptValue, keptProperties } from "./kept-properties.ts";
import { inLanguage, type Language } from "./language.ts";
import { keptBeside, type Lens, SILENT, spareTitle } from "./lens.ts";
import { NAMESPACE, PROFILE_MEMBERS } from "./profile-members.ts";
import { isTableType, LATER_TABLE_TYPES, TABLE_TYPES } from "./table-types.ts";
import { isKeyOf } from "./texts.ts";

/** The type of a field that names none. */
const DEFAULT_TYPE = "string";

/** A field whose name is usable. */
export interface NamedField {
  readonly source: JsonObject;
  readonly name: string;
  readonly findings: Findings;
}

/** What the descriptor around a field says of all its fields. */
export interface FieldTerms {
  /** True for version 2, where a field without a type has any. */
  readonly laterVersion: boolean;
  readonly language: Language;
  /** The place of the table in its source. */
  readonly place: SourcePlace;
}

/** The fields of a schema that are objects with a name; a fault for each of the others. */
export function namedFields(fields: readonly unknown[], findings: Findings): readonly NamedField[] {
  return fields.flatMap((source, i): readonly NamedField[] => {
    const here = findings.at(`/fields/${i}`);
    if (!isObject(source)) {
      here.fault("", `expected an object that describes a field, got ${jsonTypeOf(source)}`);
      return [];
    }
    const { name } = source;
    // A name of spaces is a key of a model, so exports have such fields.
    if (typeof name === "string" && name !== "") return [{ source, name, findings: here }];
    const why = isAbsent(name) ? "is missing" : typeof name === "string" ? "is empty" : `is ${jsonTypeOf(name)}`;
    here.fault("/name", `the name of the field ${why}; a field needs a name that is a text`);
    return [];
  });
}

/** A field as an attribute under `key`; an unknown type is a fault. */
export function readField({ source, name, findings }: NamedField, key: string, terms: FieldTerms): AttributeDocument {
  const change = keyChange(name, key);
  if (change !== undefined) findings.warn("/name", "key_made", change);
  if (!isAbsent(source.constraints) && !isObject(source.constraints)) {
    const detail = `expected an object, got ${jsonTypeOf(source.constraints)}; it is kept as a property`;
    findings.warn("/constraints", "kept_as_property", detail);
  }
  const fixed = fixedFields(source, key, terms, findings);
  const members = flat(source);
  const beside = keptBeside(members, Object.keys(members).filter(isFixed), fieldLens(key, terms.language), fixed);
  const values = [...keptMembers(source, PROFILE_MEMBERS.field, findings), ...keptFixed(beside, findings)];
  return { key, ...fixed, ...keptProperties(values), ...originAt(below(terms.place, name)) };
}

/** The fixed fields of an attribute beside its key. */
type FixedFields = Pick<AttributeDocument, "name" | "description" | "type"> & ReadConstraints;

function fixedFields(
  source: JsonObject,
  key: string,
  terms: Omit<FieldTerms, "place">,
  findings: Findings,
): FixedFields {
  const plain = inLanguage(source, terms.language, findings);
  const called = typeof source.name === "string" ? source.name : "";
  const title = readName(plain, "title", findings) ?? (called === key ? undefined : asName(called));
  const type = readType(source, findings, terms.laterVersion);
  return {
    ...ifDefined("name", title),
    ...ifDefined("description", readDescription(plain, "description", findings)),
    type: `key:${type}`,
    ...readConstraints(source, type, findings),
  };
}

function readType(source: JsonObject, findings: Findings, laterVersion: boolean): string {
  const { type } = source;
  if (isAbsent(type)) {
    if (laterVersion)
      findings.warn("", "assumed", "the field names no type and is read as a string, where version 2 says any");
    return DEFAULT_TYPE;
  }
  if (typeof type === "string" && isTableType(type)) return type;
  const what = typeof type === "string" ? quoted(type) : jsonTypeOf(type);
  findings.fault("/type", `${what} is no type of Table Schema (${[...TABLE_TYPES, ...LATER_TABLE_TYPES].join(", ")})`);
  return DEFAULT_TYPE;
}

/** True where a field says that no two of its values are equal. */
export function saysUnique({ source }: NamedField): boolean {
  return isObject(source.constraints) && source.constraints.unique === true;
}

const CONSTRAINT = "constraints/";

/** The members of a field with each constraint as a member of its own. */
export function flat(source: JsonObject): JsonObject {
  const { constraints, ...others } = source;
  if (!isObject(constraints)) return source;
  const single = Object.entries(constraints).map(([keyword, value]) => [CONSTRAINT + keyword, value]);
  return { ...others, ...Object.fromEntries(single) };
}

/** The members of a field of which each constraint is a member of its own. */
export function unflat(members: JsonObject): JsonObject {
  const constraints: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(members)) {
    if (member.startsWith(CONSTRAINT)) constraints[member.slice(CONSTRAINT.length)] = value;
    else others[member] = value;
  }
  return Object.keys(constraints).length > 0 ? { ...others, constraints } : others;
}

const FIXED = new Set(["name", "title", "description", "type", "format", "constraints"]);

function isFixed(member: string): boolean {
  return FIXED.has(member) || member.startsWith(CONSTRAINT);
}

/** The values of fixed members that are kept beside the fields, the constraints in one. */
function keptFixed(beside: JsonObject, findings: Findings): readonly KeptValue[] {
  return Object.entries(unflat(beside)).map(([member, value]) => ({
    name: NAMESPACE + member,
    value,
    findings: findings.at(`/${member}`),
  }));
}

/** The lens between the fixed members of a field, constraints one by one, and the attribute of a key. */
export function fieldLens(key: string, language: Language): Lens<FixedFields> {
  return {
    read: (members) => ({
      ...fixedFields(unflat(members), key, { laterVersion: false, language }, SILENT),
      isKey: isKeyOf(key, members.name),
    }),
    write: ({ name, description, type, ...values }) =>
      flat({
        name: key,
        ...ifDefined("title", name),
        ...ifDefined("description", description),
        type: type.replace(/^key:/, ""),
        ...constraintMembers(values),
      }),
    defaults: { format: "default", "constraints/required": false },
    spare: spareTitle,
  };
}
