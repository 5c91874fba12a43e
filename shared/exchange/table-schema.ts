import type { ImportNames } from "../actions/contract/ports.ts";
import { ifDefined } from "../domain/content.ts";
import type { ModelDocument } from "../domain/document.ts";
import type { Findings } from "./findings.ts";
import type { JsonObject } from "./json-object.ts";
import { readKeywords } from "./keywords.ts";
import { type KnownMembers, warnUnread } from "./members.ts";
import { modelOf, readHeader } from "./model-header.ts";
import { isLaterVersion, readTable } from "./table.ts";

/** Sentences for members that a schema and its resource share. */
const MISPLACED_KEY = "is no member of Table Schema (primaryKey in the schema is), so it is not carried over";

/** The members of a Table Schema that are read, stand-alone or of a resource. */
export const SCHEMA_MEMBERS: KnownMembers = {
  read: new Set([
    "$schema",
    "profile",
    "name",
    "title",
    "description",
    "homepage",
    "fields",
    "primaryKey",
    "foreignKeys",
    "keywords",
  ]),
  sentences: {
    primaryKeys: MISPLACED_KEY,
    foreignKey: "is no member of Table Schema (foreignKeys is), so it is not carried over",
    uniqueKeys: "unique keys are not carried over",
    missingValues: "values that stand for a missing one are not carried over",
    fieldsMatch: "how fields match columns is not carried over",
  },
  defaults: { missingValues: [""], fieldsMatch: "exact" },
};

const STAND_ALONE: KnownMembers = { ...SCHEMA_MEMBERS, read: new Set([...SCHEMA_MEMBERS.read, "version"]) };

/** A stand-alone Table Schema as a model with one entity of the same key, name and texts. */
export function readTableSchema(
  schema: JsonObject,
  names: ImportNames,
  origin: string | undefined,
  findings: Findings,
): ModelDocument {
  const header = readHeader(schema, names, findings);
  warnUnread(schema, STAND_ALONE, findings);
  const table = readTable(schema, findings, isLaterVersion(schema));
  const entity = {
    key: header.ownKey,
    ...ifDefined("name", header.title),
    ...ifDefined("description", header.description),
    ...ifDefined("documentationHome", header.documentationHome),
    ...ifDefined("origin", origin),
    attributes: table.attributes,
    primaryKey: table.primaryKey,
  };
  const called = typeof schema.name === "string" ? [schema.name] : [];
  const only = { key: entity.key, names: called, table, schema: { source: schema, findings }, entity, keywords: [] };
  return modelOf(header, readKeywords(schema, findings), [only], names, origin);
}
