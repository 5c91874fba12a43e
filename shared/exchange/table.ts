import type { AttributeDocument } from "../domain/document.ts";
import { LIMITS } from "../domain/limits.ts";
import { jsonTypeOf } from "../domain/value-types.ts";
import { type NamedField, namedFields, readField } from "./field.ts";
import type { Findings } from "./findings.ts";
import { isAbsent, type JsonObject } from "./json-source.ts";
import { legalKeys } from "./legal-key.ts";
import { warnEntries } from "./members.ts";
import { quoted } from "./quoted.ts";

/** What a Table Schema says of one table, beside its name and texts. */
export interface Table {
  readonly attributes: readonly AttributeDocument[];
  readonly primaryKey: readonly string[];
}

/** True for `$schema` of a profile of version 2. */
export function isLaterVersion(source: JsonObject): boolean {
  return typeof source.$schema === "string" && /\/profiles\/2(\.\d+)*\//.test(source.$schema);
}

/** Fields and keys of a Table Schema (versions 1 and 2 of the Frictionless standard); what cannot be read is a fault. */
export function readTable(schema: JsonObject, findings: Findings, laterVersion: boolean): Table {
  warnEntries(schema, "foreignKeys", "the foreign key is not carried over yet", findings);
  if (!Array.isArray(schema.fields)) {
    const why = isAbsent(schema.fields) ? "is missing" : `is ${jsonTypeOf(schema.fields)}`;
    findings.fault("/fields", `the list of fields ${why}; a Table Schema has a list of fields`);
    return { attributes: [], primaryKey: [] };
  }
  if (schema.fields.length === 0) findings.warn("/fields", "there is no field, so the entity has no attribute");
  const fields = namedFields(schema.fields, findings);
  const keys = legalKeys(fields.map((f) => f.name));
  const attributes = fields.map((f, i) => readField(f, keys[i] ?? f.name, laterVersion));
  return { attributes, primaryKey: readPrimaryKey(schema, fields, attributes, findings) };
}

function readPrimaryKey(
  schema: JsonObject,
  fields: readonly NamedField[],
  attributes: readonly AttributeDocument[],
  findings: Findings,
): readonly string[] {
  const listed = Array.isArray(schema.primaryKey);
  const names = listed ? (schema.primaryKey as unknown[]) : [schema.primaryKey].filter((n) => !isAbsent(n) && n !== "");
  if (names.length > LIMITS.primaryKeyAttributes) {
    findings.fault("/primaryKey", `a primary key has at most ${LIMITS.primaryKeyAttributes} attributes`);
  }
  const byName = new Map<string, AttributeDocument>();
  for (const [i, { name }] of fields.entries()) {
    const attribute = attributes[i];
    if (attribute && !byName.has(name)) byName.set(name, attribute);
  }
  const key = new Set<string>();
  for (const [i, name] of names.entries()) {
    const place = listed ? `/primaryKey/${i}` : "/primaryKey";
    const attribute = typeof name === "string" ? byName.get(name) : undefined;
    if (!attribute) {
      findings.fault(
        place,
        `${typeof name === "string" ? quoted(name) : jsonTypeOf(name)} names no field of the schema`,
      );
    } else if (key.has(`key:${attribute.key}`)) {
      findings.warn(place, `${quoted(attribute.key)} is in the primary key already`);
    } else {
      key.add(`key:${attribute.key}`);
      if (attribute.optional)
        findings.warn(place, "the field is not marked as required, so the attribute stays optional");
    }
  }
  return [...key];
}
