import type { AttributeDocument } from "../../domain/document/document.ts";
import { LIMITS } from "../../domain/limits.ts";
import { isSameValue } from "../../domain/text/json-values.ts";
import { describeJsonType } from "../../domain/values/value-type.ts";
import { removeEqualSets } from "../common/column-sets.ts";
import { type Diagnostics, quote } from "../common/diagnostics.ts";
import { isAbsent, type JsonObject, toList } from "../common/json-object.ts";
import type { KeptValue } from "../common/kept-properties.ts";
import { toLegalKeys } from "../common/legal-key.ts";
import { indexByName } from "../common/tables/entities.ts";
import { type FieldTerms, isUniqueField, readField, readNamedFields } from "./field.ts";
import { NAMESPACE } from "./profile-members.ts";

/** Attributes and keys of one table. */
export interface Table {
  readonly attributes: readonly AttributeDocument[];
  readonly primaryKey: readonly string[];
  /** Attributes by field name; the first of two equal names wins. */
  readonly fields: ReadonlyMap<string, AttributeDocument>;
  readonly unique: readonly (readonly string[])[];
  readonly businessKeys: readonly (readonly string[])[];
}

/** Returns true for `$schema` of version 2. */
export function isLaterVersion(source: JsonObject): boolean {
  return typeof source.$schema === "string" && /\/profiles\/2(\.\d+)*\//.test(source.$schema);
}

/** Reads fields and keys of a Table Schema (versions 1 and 2). Rejects invalid members. */
export function readTable(schema: JsonObject, diagnostics: Diagnostics, terms: FieldTerms): Table {
  if (!Array.isArray(schema.fields)) {
    const fault = isAbsent(schema.fields) ? "is missing" : `is ${describeJsonType(schema.fields)}`;
    diagnostics.reject("/fields", `the list of fields ${fault}; a Table Schema has a list of fields`);
    return { attributes: [], primaryKey: [], fields: new Map(), unique: [], businessKeys: [] };
  }
  if (schema.fields.length === 0)
    diagnostics.warn("/fields", "assumed", "the schema has no fields, so the entity has no attributes");
  const namedFields = readNamedFields(schema.fields, diagnostics);
  const keys = toLegalKeys(namedFields.map((f) => f.name));
  const attributes = namedFields.map((f, i) => readField(f, keys[i] ?? f.name, terms));
  const fields = indexByName(namedFields, attributes);
  const primaryKey = readPrimaryKey(schema, fields, diagnostics);
  const single = namedFields.flatMap((field, i) => (isUniqueField(field) ? [[attributes[i]?.key ?? field.name]] : []));
  const businessKeys = [...single, ...toList(schema.uniqueKeys).flatMap((names) => toUniqueSet(names, fields))];
  return {
    attributes,
    primaryKey,
    fields,
    unique: [...businessKeys, ...toUniqueSet(schema.primaryKey, fields)],
    businessKeys,
  };
}

function readPrimaryKey(schema: JsonObject, fields: Table["fields"], diagnostics: Diagnostics): readonly string[] {
  const isList = Array.isArray(schema.primaryKey);
  const names = toList(schema.primaryKey);
  if (names.length > LIMITS.primaryKeyAttributes) {
    diagnostics.reject("/primaryKey", `a primary key has at most ${LIMITS.primaryKeyAttributes} attributes`);
  }
  const key = new Set<string>();
  for (const [i, name] of names.entries()) {
    const path = isList ? `/primaryKey/${i}` : "/primaryKey";
    const attribute = typeof name === "string" ? fields.get(name) : undefined;
    if (!attribute) {
      diagnostics.reject(
        path,
        `${typeof name === "string" ? quote(name) : describeJsonType(name)} is not a field of the schema`,
      );
    } else if (key.has(`key:${attribute.key}`)) {
      diagnostics.warn(path, "not_carried_over", `${quote(attribute.key)} is listed twice in the primary key`);
    } else {
      key.add(`key:${attribute.key}`);
      if (attribute.optional)
        diagnostics.warn(path, "assumed", "the field is not marked as required, so the attribute stays optional");
    }
  }
  return [...key];
}

function toUniqueSet(names: unknown, fields: Table["fields"]): readonly (readonly string[])[] {
  const keys = [...new Set(toList(names))].map((name) =>
    typeof name === "string" ? fields.get(name)?.key : undefined,
  );
  return keys.length > 0 && keys.every((key) => key !== undefined) ? [keys] : [];
}

/** Members about the rows of a table. They are properties of the entity wherever the schema is. */
export const TABLE_PROPERTIES: ReadonlySet<string> = new Set(["missingValues", "fieldsMatch"]);

/** Returns field names as written in a key: text, list or undefined. */
export function toKeyMember(names: readonly string[]): string | readonly string[] | undefined {
  return names.length > 1 ? names : names[0];
}

/** Returns the original keys of a schema that an export would write differently. */
export function keepTableKeys(schema: JsonObject, table: Table, diagnostics: Diagnostics): readonly KeptValue[] {
  const names = new Map([...table.fields].map(([name, { key }]) => [key, name]));
  const toFieldName = (key: string) => names.get(key) ?? key;
  const primaryKey = toKeyMember(table.primaryKey.map((ref) => toFieldName(ref.replace(/^key:/, ""))));
  const single = new Set(table.attributes.filter((a) => a.constraints?.unique === true).map(({ key }) => key));
  const sets = removeEqualSets(table.businessKeys).filter((keys) => keys.length > 1 || !single.has(keys[0] ?? ""));
  const uniqueKeys = sets.length > 0 ? sets.map((keys) => keys.map(toFieldName)) : undefined;
  return Object.entries({ primaryKey, uniqueKeys }).flatMap(([member, tableKeys]): readonly KeptValue[] => {
    const sourceKeys = schema[member];
    const memberDiagnostics = diagnostics.at(`/${member}`);
    if (isAbsent(sourceKeys) || isSameValue(sortSets(sourceKeys), sortSets(tableKeys))) return [];
    const isPart = member === "uniqueKeys" && toList(sourceKeys).length > sets.length + single.size;
    if (isPart) memberDiagnostics.warn("", "kept_as_property", "some unique keys have unknown fields");
    return [{ name: NAMESPACE + member, value: sourceKeys, diagnostics: memberDiagnostics }];
  });
}

function sortSets(value: unknown): unknown {
  return Array.isArray(value) && value.every(Array.isArray)
    ? value.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))
    : value;
}
