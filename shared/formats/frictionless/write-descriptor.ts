import type { EntityDocument, ModelDocument } from "../../domain/document/document.ts";
import { optionalMember } from "../../domain/model/content.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import type { FormatFile } from "../common/format.ts";
import { type Language, readLanguage } from "../common/header.ts";
import type { JsonObject } from "../common/json-object.ts";
import { createHeaderLens, pickTexts, restoreMembers } from "./lens.ts";
import { LAYOUT, PROFILE_MEMBERS, STAND_ALONE_MEMBERS } from "./profile-members.ts";
import { splitProperties, toKeywords, warnClashes, warnOtherTexts, warnUnwritten } from "./write-members.ts";
import { type WrittenTable, writeTables } from "./write-tables.ts";

/** `$schema` of packages for models that were not imported from Frictionless. */
const PACKAGE_SCHEMA = "https://datapackage.org/profiles/2.0/datapackage.json";

/**
 * Writes a model as a Data Package, or as a Table Schema if it was imported from one and still has one table. Warns
 * about everything that the standard cannot express.
 */
export function writeDescriptor(document: ModelDocument, diagnostics: Diagnostics): FormatFile {
  warnUnwritten(document, diagnostics);
  const language = readLanguage(document.properties ?? {});
  const tables = writeTables(document, language, diagnostics);
  const [only] = tables;
  const isSchema = document.properties?.[LAYOUT.descriptor] === "table-schema" && tables.length === 1;
  const descriptor =
    isSchema && only
      ? toTableSchema(document, only, language, diagnostics)
      : toPackage(document, tables, language, diagnostics);
  return {
    fileName: isSchema ? "schema.json" : "datapackage.json",
    content: `${JSON.stringify(descriptor, null, 2)}\n`,
  };
}

function toPackage(
  document: ModelDocument,
  tables: readonly WrittenTable[],
  language: Language,
  diagnostics: Diagnostics,
): JsonObject {
  const { members, kept, clashes } = splitProperties(document.properties, PROFILE_MEMBERS.package);
  warnClashes(clashes, diagnostics);
  const isOurs = document.properties?.[LAYOUT.descriptor] === undefined;
  const others: unknown = kept.resources;
  return {
    ...(isOurs && { $schema: PACKAGE_SCHEMA }),
    ...toHeader(document.key, document, document.version, kept, language),
    ...members,
    ...optionalMember("keywords", toKeywords(document, document.tags, kept.keywords)),
    resources: [
      ...tables.map(({ resource, schema }) => ({ ...resource, schema })),
      ...(Array.isArray(others) ? others : []),
    ],
  };
}

function toTableSchema(
  document: ModelDocument,
  table: WrittenTable,
  language: Language,
  diagnostics: Diagnostics,
): JsonObject {
  const { members, kept, clashes } = splitProperties(document.properties, STAND_ALONE_MEMBERS);
  warnClashes(clashes, diagnostics);
  warnOtherTexts(document, table.entity, diagnostics);
  return {
    ...toHeader(table.entity.key, table.entity, document.version, kept, language),
    ...members,
    ...optionalMember("keywords", toKeywords(document, document.tags, kept.keywords)),
    ...table.schema,
  };
}

function toHeader(
  key: string,
  texts: ModelDocument | EntityDocument,
  version: string,
  kept: JsonObject,
  language: Language,
): JsonObject {
  return restoreMembers({ ...pickTexts(texts), version }, kept, createHeaderLens(key, language));
}
