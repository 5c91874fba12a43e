import { ifDefined } from "../../domain/content.ts";
import type { EntityDocument, ModelDocument } from "../../domain/document.ts";
import type { Findings } from "../findings.ts";
import type { JsonObject } from "../json-object.ts";
import type { WrittenFile } from "../writer.ts";
import { LAYOUT } from "./entity-properties.ts";
import { type HeaderTexts, headerLens } from "./header.ts";
import { type Language, languageOf } from "./language.ts";
import { restored } from "./lens.ts";
import { PROFILE_MEMBERS, STAND_ALONE } from "./profile-members.ts";
import { type WrittenTable, writeTables } from "./write-tables.ts";
import { warnClashes, warnOtherTexts, warnUnwritten } from "./write-warnings.ts";
import { writtenKeywords } from "./written-keywords.ts";
import { writtenProperties } from "./written-properties.ts";

/** The `$schema` of packages that are written of models which no Frictionless descriptor was imported as. */
const PACKAGE_SCHEMA = "https://datapackage.org/profiles/2.0/datapackage.json";

/**
 * Writes a model as a Data Package, or as a Table Schema where it came from one and still is one table. What the standard has no
 * place for is a warning.
 */
export function writeDescriptor(document: ModelDocument, findings: Findings): WrittenFile {
  warnUnwritten(document, findings);
  const language = languageOf(document.properties ?? {});
  const tables = writeTables(document, language, findings);
  const [only] = tables;
  const isSchema = document.properties?.[LAYOUT.descriptor] === "table-schema" && tables.length === 1;
  const descriptor =
    isSchema && only ? schemaOf(document, only, language, findings) : packageOf(document, tables, language, findings);
  return {
    fileName: isSchema ? "schema.json" : "datapackage.json",
    content: `${JSON.stringify(descriptor, null, 2)}\n`,
  };
}

function packageOf(
  document: ModelDocument,
  tables: readonly WrittenTable[],
  language: Language,
  findings: Findings,
): JsonObject {
  const { members, kept, clashes } = writtenProperties(document.properties, PROFILE_MEMBERS.package);
  warnClashes(clashes, findings);
  const isOurs = document.properties?.[LAYOUT.descriptor] === undefined;
  const others: unknown = kept.resources;
  return {
    ...(isOurs && { $schema: PACKAGE_SCHEMA }),
    ...headerOf(document.key, document, document.version, kept, language),
    ...members,
    ...ifDefined("keywords", writtenKeywords(document, document.tags, kept.keywords)),
    resources: [
      ...tables.map(({ resource, schema }) => ({ ...resource, schema })),
      ...(Array.isArray(others) ? others : []),
    ],
  };
}

function schemaOf(document: ModelDocument, table: WrittenTable, language: Language, findings: Findings): JsonObject {
  const { members, kept, clashes } = writtenProperties(document.properties, STAND_ALONE);
  warnClashes(clashes, findings);
  warnOtherTexts(document, table.entity, findings);
  return {
    ...headerOf(table.entity.key, table.entity, document.version, kept, language),
    ...members,
    ...ifDefined("keywords", writtenKeywords(document, document.tags, kept.keywords)),
    ...table.schema,
  };
}

function headerOf(
  key: string,
  { name, description, documentationHome }: ModelDocument | EntityDocument,
  version: string,
  kept: JsonObject,
  language: Language,
): JsonObject {
  const texts: HeaderTexts = {
    ...ifDefined("name", name),
    ...ifDefined("description", description),
    ...ifDefined("documentationHome", documentationHome),
    version,
  };
  return restored(texts, kept, headerLens(key, language));
}
