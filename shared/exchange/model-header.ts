import type { ImportNames } from "../actions/contract/ports.ts";
import { ifDefined } from "../domain/content.ts";
import { DOCUMENT_SCHEMA, type EntityDocument, type ModelDocument } from "../domain/document.ts";
import { LATER_TABLE_TYPES, TABLE_TYPES } from "./field.ts";
import type { Findings } from "./findings.ts";
import { type KeyedTable, relationshipsOf } from "./foreign-keys.ts";
import type { JsonObject } from "./json-object.ts";
import { type Keyword, keywordTags } from "./keywords.ts";
import { keyChange, legalKey } from "./legal-key.ts";
import { asName, readDescription, readLink, readName, readText, readVersion } from "./source-texts.ts";

/** The key of a model or entity whose source gives it no name. */
export const NO_NAME = "unknown";

/** The key and the texts of a package or a stand-alone schema. */
export interface ModelHeader {
  /** The key its own name makes, whatever the caller wants the model to be called. */
  readonly ownKey: string;
  /** Its title, or its name where that is no legal key. */
  readonly title?: string;
  readonly description?: string;
  readonly documentationHome?: string;
  readonly version: string;
}

/** Reads name, title, description, home page and version; without a name the caller's key stands in, else `unknown`. */
export function readHeader(source: JsonObject, names: ImportNames, findings: Findings): ModelHeader {
  const name = readText(source, "name", findings);
  const ownKey = name === undefined ? (names.modelKey ?? NO_NAME) : legalKey(name);
  const change = name === undefined ? undefined : keyChange(name, ownKey);
  if (change !== undefined) findings.warn("/name", "key_made", change);
  if (name === undefined && names.modelKey === undefined) {
    findings.warn(
      "",
      "assumed",
      `the source has no name, so the key became ${JSON.stringify(NO_NAME)}; modelKey chooses another`,
    );
  }
  const title =
    readName(source, "title", findings) ?? (name === undefined || change === undefined ? undefined : asName(name));
  return {
    ownKey,
    ...ifDefined("title", title),
    ...ifDefined("description", readDescription(source, "description", findings)),
    ...ifDefined("documentationHome", readLink(source, "homepage", findings)),
    version: readVersion(source, "version", findings),
  };
}

/** A table of a source as an entity, before its keywords and foreign keys became tags and relationships. */
export interface TableEntity extends KeyedTable {
  readonly entity: EntityDocument;
  /** The table's own keywords; those of the model stand in where it has none. */
  readonly keywords: readonly Keyword[];
}

/** The model of a header and its tables, with the types of Table Schema. */
export function modelOf(
  header: ModelHeader,
  keywords: readonly Keyword[],
  tables: readonly TableEntity[],
  names: ImportNames,
  origin: string | undefined,
): ModelDocument {
  const key = names.modelKey ?? header.ownKey;
  const { tags, tagLinks } = keywordTags([...keywords, ...tables.flatMap((t) => t.keywords)]);
  const entities = tables.map((t) => ({ ...t.entity, ...tagLinks(t.keywords.length > 0 ? t.keywords : keywords) }));
  const used = new Set(entities.flatMap((e) => e.attributes.map((a) => a.type)));
  const types = [...TABLE_TYPES, ...LATER_TABLE_TYPES.filter((t) => used.has(`key:${t}`))];
  return {
    $schema: DOCUMENT_SCHEMA,
    key,
    name: names.modelName ?? header.title ?? header.ownKey,
    ...ifDefined("description", header.description),
    version: header.version,
    authority: "system",
    ...ifDefined("documentationHome", header.documentationHome),
    ...ifDefined("origin", origin),
    ...tagLinks(keywords),
    types: types.map((type) => ({ key: type })),
    entities,
    relationships: relationshipsOf(tables),
    businessKeys: [],
    localTags: tags,
    tagGroups: [],
  };
}
