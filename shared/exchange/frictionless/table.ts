import type { AttributeDocument } from "../../domain/document.ts";
import { LIMITS } from "../../domain/limits.ts";
import { jsonTypeOf } from "../../domain/value-type.ts";
import type { Findings } from "../findings.ts";
import { isAbsent, type JsonObject } from "../json-object.ts";
import { legalKeys } from "../legal-key.ts";
import { quoted } from "../quoted.ts";
import { type FieldTerms, namedFields, readField, saysUnique } from "./field.ts";
import { oneOrMore } from "./one-or-more.ts";

/** The attributes and keys of one table, as its Table Schema has them. */
export interface Table {
  readonly attributes: readonly AttributeDocument[];
  readonly primaryKey: readonly string[];
  /** The attributes by the name of their field; the first one where two fields have one name. */
  readonly fields: ReadonlyMap<string, AttributeDocument>;
  /** Keys of attributes whose values together are different in each row: every set the schema tells of. */
  readonly unique: readonly (readonly string[])[];
  /** Those of them that unique fields and unique keys tell of. */
  readonly businessKeys: readonly (readonly string[])[];
}

/** True for `$schema` of a profile of version 2. */
export function isLaterVersion(source: JsonObject): boolean {
  return typeof source.$schema === "string" && /\/profiles\/2(\.\d+)*\//.test(source.$schema);
}

/**
 * Fields and keys of a Table Schema (versions 1 and 2 of the Frictionless standard); a member that cannot be read is a
 * fault.
 */
export function readTable(schema: JsonObject, findings: Findings, terms: FieldTerms): Table {
  if (!Array.isArray(schema.fields)) {
    const why = isAbsent(schema.fields) ? "is missing" : `is ${jsonTypeOf(schema.fields)}`;
    findings.fault("/fields", `the list of fields ${why}; a Table Schema has a list of fields`);
    return { attributes: [], primaryKey: [], fields: new Map(), unique: [], businessKeys: [] };
  }
  if (schema.fields.length === 0)
    findings.warn("/fields", "assumed", "there is no field, so the entity has no attribute");
  const named = namedFields(schema.fields, findings);
  const keys = legalKeys(named.map((f) => f.name));
  const attributes = named.map((f, i) => readField(f, keys[i] ?? f.name, terms));
  const fields = new Map<string, AttributeDocument>();
  for (const [i, { name }] of named.entries()) {
    const attribute = attributes[i];
    if (attribute && !fields.has(name)) fields.set(name, attribute);
  }
  const primaryKey = readPrimaryKey(schema, fields, findings);
  const single = named.flatMap((field, i) => (saysUnique(field) ? [[attributes[i]?.key ?? field.name]] : []));
  const businessKeys = [...single, ...oneOrMore(schema.uniqueKeys).flatMap((names) => setOf(names, fields))];
  return {
    attributes,
    primaryKey,
    fields,
    unique: [...businessKeys, ...setOf(schema.primaryKey, fields)],
    businessKeys,
  };
}

function readPrimaryKey(schema: JsonObject, fields: Table["fields"], findings: Findings): readonly string[] {
  const listed = Array.isArray(schema.primaryKey);
  const names = oneOrMore(schema.primaryKey);
  if (names.length > LIMITS.primaryKeyAttributes) {
    findings.fault("/primaryKey", `a primary key has at most ${LIMITS.primaryKeyAttributes} attributes`);
  }
  const key = new Set<string>();
  for (const [i, name] of names.entries()) {
    const place = listed ? `/primaryKey/${i}` : "/primaryKey";
    const attribute = typeof name === "string" ? fields.get(name) : undefined;
    if (!attribute) {
      findings.fault(
        place,
        `${typeof name === "string" ? quoted(name) : jsonTypeOf(name)} names no field of the schema`,
      );
    } else if (key.has(`key:${attribute.key}`)) {
      findings.warn(place, "not_carried_over", `${quoted(attribute.key)} is in the primary key already`);
    } else {
      key.add(`key:${attribute.key}`);
      if (attribute.optional)
        findings.warn(place, "assumed", "the field is not marked as required, so the attribute stays optional");
    }
  }
  return [...key];
}

/** The keys of the attributes that names of fields name, where all of them do. */
function setOf(names: unknown, fields: Table["fields"]): readonly (readonly string[])[] {
  const keys = [...new Set(oneOrMore(names))].map((name) =>
    typeof name === "string" ? fields.get(name)?.key : undefined,
  );
  return keys.length > 0 && keys.every((key) => key !== undefined) ? [keys] : [];
}
