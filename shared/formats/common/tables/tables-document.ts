import type { EntityDocument, ModelDocument, TypeDocument } from "../../../domain/document/document.ts";
import { createBusinessKeys } from "../column-sets.ts";
import type { ReadContext } from "../format.ts";
import { addOmissions, readHeader, toModelHead } from "../header.ts";
import type { KeptValue } from "../kept-properties.ts";
import { createKeywordTags } from "../keywords.ts";
import { toLegalKeys } from "../legal-key.ts";
import { appendPath, type SourcePath, toOrigin } from "../source-path.ts";
import {
  createEntities,
  keepMembers,
  listKeywords,
  type PartTerms,
  readPartTexts,
  toNamespaceProperties,
  warnKey,
} from "./entities.ts";
import { createRelationships } from "./relationships.ts";
import type { SourcePart, SourceTables } from "./source-tables.ts";

/** Creates the model of tables. This is the only mapping for all formats with tables; see docs/formats.md. */
export function createDocument(source: SourceTables, { names, path, diagnostics, size }: ReadContext): ModelDocument {
  const { namespace, tables } = source;
  const header = readHeader(source.header, names, undefined, diagnostics);
  const types = createTypes(source, path);
  const own = { tags: source.tags, diagnostics };
  size.checkObjects(tables.reduce((sum, { columns }) => sum + 1 + columns.length, 0));
  const parts = [own, ...tables, ...tables.flatMap(({ columns }) => columns)];
  const { tags, linkTags } = createKeywordTags(parts.flatMap(listKeywords), path);
  const terms: PartTerms = { namespace, path, typeRef: types.refOf, tagLinks: linkTags, size };
  const tableEntities = createEntities(tables, terms);
  const { relationships, orphans } = createRelationships(tableEntities, source.references, terms);
  return addOmissions(
    {
      ...toModelHead(header, names, path),
      ...toNamespaceProperties(namespace, keepMembers(namespace, source.rest, diagnostics)),
      ...linkTags(listKeywords(own)),
      types: types.documents,
      entities: tableEntities.map(({ entity }) => addOrphans(entity, orphans.get(entity.key), namespace)),
      relationships,
      businessKeys: createBusinessKeys(
        tableEntities.map(({ entity: { key }, businessKeys, columns, source: { path: steps } }) => ({
          ...{ entity: key, sets: businessKeys, columns, path: appendPath(path, ...steps, "unique") },
        })),
      ),
      localTags: tags,
      tagGroups: [],
    },
    source.header,
    names,
  );
}

function addOrphans(entity: EntityDocument, values: readonly KeptValue[] | undefined, namespace: string) {
  if (!values) return entity;
  const { properties } = toNamespaceProperties(namespace, values);
  return { ...entity, properties: { ...entity.properties, ...properties } };
}

function createTypes({ types, tables, namespace }: SourceTables, path: SourcePath) {
  const typesByName = new Map(types.map((type) => [type.name, type]));
  const names = new Set([...typesByName.keys(), ...tables.flatMap(({ columns }) => columns.map(({ type }) => type))]);
  const list = [...names];
  const keys = toLegalKeys(list);
  const keyOf = new Map(list.map((name, i) => [name, keys[i] ?? name]));
  const documents = list.map((name, i): TypeDocument => {
    const key = keys[i] ?? name;
    const type = typesByName.get(name);
    return type ? toType(type, key, namespace, path) : { key, ...(name !== key && { name }) };
  });
  return { documents, refOf: (name: string) => `key:${keyOf.get(name) ?? name}` };
}

function toType(type: SourcePart, key: string, namespace: string, path: SourcePath): TypeDocument {
  warnKey(type, key);
  return {
    key,
    ...readPartTexts(type, key),
    ...toNamespaceProperties(namespace, keepMembers(namespace, type.rest, type.diagnostics)),
    ...toOrigin(appendPath(path, ...type.path)),
  };
}
