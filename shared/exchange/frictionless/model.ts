import type { ImportNames } from "../../actions/contract/ports.ts";
import type { EntityDocument, ModelDocument } from "../../domain/document.ts";
import type { SourcePlace } from "../source-place.ts";
import { businessKeysOf } from "./business-keys.ts";
import { type KeyedTable, relationshipsOf } from "./foreign-keys.ts";
import { headOf, type ModelHeader } from "./header.ts";
import { type KeptValue, keptProperties } from "./kept-properties.ts";
import { type Keyword, keywordTags } from "./keywords.ts";
import { LATER_TABLE_TYPES, TABLE_TYPES } from "./table-types.ts";

/** A table of a source as an entity, before its keywords and foreign keys became tags and relationships. */
export interface TableEntity extends KeyedTable {
  readonly entity: EntityDocument;
  /** The values that become properties of the entity. */
  readonly kept: readonly KeptValue[];
  /** The table's own keywords; those of the model stand in where it has none. */
  readonly keywords: readonly Keyword[];
}

/** The model of a header and its tables, with the types of Table Schema. */
export function modelOf(
  header: ModelHeader,
  keywords: readonly Keyword[],
  tables: readonly TableEntity[],
  names: ImportNames,
  place: SourcePlace,
  kept: readonly KeptValue[],
): ModelDocument {
  const { tags, tagLinks } = keywordTags([...keywords, ...tables.flatMap((t) => t.keywords)], place);
  const { relationships, unplaced } = relationshipsOf(tables);
  const entities = tables.map((t) => ({
    ...t.entity,
    ...keptProperties([...t.kept, ...(unplaced.get(t.key) ?? [])]),
    ...tagLinks(t.keywords.length > 0 ? t.keywords : keywords),
  }));
  const used = new Set(entities.flatMap((e) => e.attributes.map((a) => a.type)));
  const types = [...TABLE_TYPES, ...LATER_TABLE_TYPES.filter((t) => used.has(`key:${t}`))];
  return {
    ...headOf(header, names, place),
    ...keptProperties(kept),
    ...tagLinks(keywords),
    types: types.map((type) => ({ key: type })),
    entities,
    relationships,
    businessKeys: businessKeysOf(tables),
    localTags: tags,
    tagGroups: [],
  };
}
