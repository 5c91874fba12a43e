import { ifDefined } from "../domain/content.ts";
import type { AttributeDocument } from "../domain/document.ts";
import { jsonTypeOf } from "../domain/value-type.ts";
import { pointerToken } from "../domain/well-formed.ts";
import type { Findings } from "./findings.ts";
import { isAbsent, isObject, type JsonObject } from "./json-object.ts";
import { keyChange } from "./legal-key.ts";
import { type KnownMembers, warnUnread } from "./members.ts";
import { quoted } from "./quoted.ts";
import { asName, readDescription, readName } from "./source-texts.ts";

/** The types of Table Schema version 1: every imported model gets them, used or not. */
export const TABLE_TYPES: readonly string[] = [
  "string",
  "number",
  "integer",
  "date",
  "datetime",
  "time",
  "year",
  "yearmonth",
  "boolean",
  "object",
  "geopoint",
  "geojson",
  "array",
  "duration",
  "any",
];

/** The types that version 2 added: a model gets one when a field uses it. */
export const LATER_TABLE_TYPES: readonly string[] = ["list"];

/** The type of a field that names none. */
const DEFAULT_TYPE = "string";

const FIELD: KnownMembers = {
  read: new Set(["name", "title", "description", "type", "constraints"]),
  sentences: {
    format: "the format is not carried over",
    rdfType: "the RDF type is not carried over",
    missingValues: "values that stand for a missing one are not carried over",
    categories: "the permitted values are not carried over",
  },
  defaults: { format: "default" },
};

/** A field whose name is usable. */
export interface NamedField {
  readonly source: JsonObject;
  readonly name: string;
  readonly findings: Findings;
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
    if (typeof name === "string" && name.trim() !== "") return [{ source, name, findings: here }];
    const why = isAbsent(name) ? "is missing" : typeof name === "string" ? "is blank" : `is ${jsonTypeOf(name)}`;
    here.fault("/name", `the name of the field ${why}; a field needs a name that is a text`);
    return [];
  });
}

/** A field as an attribute under `key`; an unknown type is a fault. */
export function readField(field: NamedField, key: string, laterVersion: boolean): AttributeDocument {
  const { source, name, findings } = field;
  const change = keyChange(name, key);
  if (change !== undefined) findings.warn("/name", "key_made", change);
  warnUnread(source, FIELD, findings);
  const title = readName(source, "title", findings) ?? (change === undefined ? undefined : asName(name));
  return {
    key,
    ...ifDefined("name", title),
    ...ifDefined("description", readDescription(source, "description", findings)),
    type: `key:${readType(source, findings, laterVersion)}`,
    optional: !readRequired(source, findings),
  };
}

function readType(source: JsonObject, findings: Findings, laterVersion: boolean): string {
  const { type } = source;
  if (isAbsent(type)) {
    if (laterVersion)
      findings.warn("", "assumed", "the field names no type and is read as a string, where version 2 says any");
    return DEFAULT_TYPE;
  }
  if (typeof type === "string" && (TABLE_TYPES.includes(type) || LATER_TABLE_TYPES.includes(type))) return type;
  const what = typeof type === "string" ? quoted(type) : jsonTypeOf(type);
  findings.fault("/type", `${what} is no type of Table Schema (${[...TABLE_TYPES, ...LATER_TABLE_TYPES].join(", ")})`);
  return DEFAULT_TYPE;
}

/** True where a field says that no two of its values are equal. */
export function saysUnique({ source }: NamedField): boolean {
  return isObject(source.constraints) && source.constraints.unique === true;
}

function readRequired(source: JsonObject, findings: Findings): boolean {
  const { constraints } = source;
  if (isAbsent(constraints)) return false;
  if (!isObject(constraints)) {
    findings.warn(
      "/constraints",
      "not_carried_over",
      `expected an object, got ${jsonTypeOf(constraints)}; it is not carried over`,
    );
    return false;
  }
  for (const [member, value] of Object.entries(constraints)) {
    if (member === "required" || isAbsent(value)) continue;
    findings.warn(`/constraints/${pointerToken(member)}`, "not_carried_over", "the constraint is not carried over");
  }
  const { required } = constraints;
  if (isAbsent(required) || typeof required === "boolean") return required ?? false;
  findings.warn("/constraints/required", "assumed", "is neither true nor false, so the attribute is optional");
  return false;
}
