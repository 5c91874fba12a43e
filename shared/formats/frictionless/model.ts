import type { ImportNames } from "../../actions/contract/ports.ts";
import type { EntityDocument, ModelDocument } from "../../domain/document/document.ts";
import { LIMITS } from "../../domain/limits.ts";
import { createBusinessKeys } from "../common/column-sets.ts";
import { type ModelHeader, toModelHead } from "../common/header.ts";
import { type KeptValue, toProperties } from "../common/kept-properties.ts";
import { createKeywordTags, type Keyword } from "../common/keywords.ts";
import { appendPath, type SourcePath } from "../common/source-path.ts";
import { type KeyedTable, readRelationships } from "./foreign-keys.ts";
import { LATER_TABLE_TYPES, MEMBER_NAMES, TABLE_TYPES } from "./profile-members.ts";

/** A table as an entity, before its keywords and foreign keys are resolved. */
export interface FrictionlessEntity extends KeyedTable {
  readonly entity: EntityDocument;
  readonly extras: readonly KeptValue[];
  /** Keywords of the table. Without any, those of the model apply. */
  readonly keywords: readonly Keyword[];
}

/** Creates the model of a header and its tables, with the types of Table Schema. */
export function createModel(
  header: ModelHeader,
  keywords: readonly Keyword[],
  tables: readonly FrictionlessEntity[],
  names: ImportNames,
  path: SourcePath,
  keptValues: readonly KeptValue[],
): ModelDocument {
  const { tags, linkTags } = createKeywordTags([...keywords, ...tables.flatMap((t) => t.keywords)], path);
  const { relationships, orphans } = readRelationships(tables);
  const entities = tables.map((t) => ({
    ...t.entity,
    ...toProperties([...t.extras, ...(orphans.get(t.key) ?? [])], MEMBER_NAMES),
    ...linkTags(t.keywords.length > 0 ? t.keywords : keywords),
  }));
  const usedTypes = new Set(entities.flatMap((e) => e.attributes.map((a) => a.type)));
  const types = [...TABLE_TYPES, ...LATER_TABLE_TYPES.filter((t) => usedTypes.has(`key:${t}`))];
  return {
    ...toModelHead(header, names, path),
    ...toProperties(keptValues, MEMBER_NAMES),
    ...linkTags(keywords),
    types: types.map((type) => ({ key: type })),
    entities,
    relationships,
    businessKeys: createBusinessKeys(
      tables.map(({ key, table, path }) => ({
        entity: key,
        sets: table.businessKeys.filter((set) => set.length <= LIMITS.businessKeyParticipants),
        columns: table.fields,
        path: appendPath(path, "uniqueKeys"),
      })),
    ),
    localTags: tags,
    tagGroups: [],
  };
}
