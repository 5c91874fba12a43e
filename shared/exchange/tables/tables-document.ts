import type { BusinessKeyDocument, ModelDocument, TypeDocument } from "../../domain/document.ts";
import { createSizeCheck } from "../document-size.ts";
import { differentSets } from "../frictionless/different-sets.ts";
import { headOf, readHeader } from "../frictionless/header.ts";
import { keywordTags } from "../frictionless/keywords.ts";
import { legalKeys } from "../legal-key.ts";
import type { Reading } from "../reading.ts";
import { below, originAt, type SourcePlace } from "../source-place.ts";
import { entitiesOf, keywordsOf, type PartTerms, type TableEntity } from "./entities.ts";
import { keptOf, propertiesOf, textsOf, warnKey } from "./part-members.ts";
import { relationshipsOf } from "./references.ts";
import type { SourcePart, SourceTables } from "./source-tables.ts";

/** The model of tables: the one mapping of all formats that describe tables, as docs/formats.md has it. */
export function documentOfTables(source: SourceTables, { names, place, findings }: Reading): ModelDocument {
  const { namespace, tables } = source;
  const header = readHeader(source.header, names, undefined, findings);
  const types = typesOf(source, place);
  const own = { tags: source.tags, findings };
  const parts = [own, ...tables, ...tables.flatMap(({ columns }) => columns)];
  const { tags, tagLinks } = keywordTags(parts.flatMap(keywordsOf), place);
  const terms: PartTerms = { namespace, place, typeRef: types.refOf, tagLinks, checkSize: createSizeCheck() };
  const made = entitiesOf(tables, terms);
  const { relationships, unplaced } = relationshipsOf(made, source.references, terms);
  return noted(
    {
      ...headOf(header, names, place),
      ...propertiesOf(namespace, keptOf(namespace, source.kept, findings)),
      ...tagLinks(keywordsOf(own)),
      types: types.documents,
      entities: made.map(({ entity }) => withUnplaced(entity, unplaced.get(entity.key), namespace)),
      relationships,
      businessKeys: businessKeysOf(made, place),
      localTags: tags,
      tagGroups: [],
    },
    source.header,
    names.notes,
  );
}

function withUnplaced(
  entity: TableEntity["entity"],
  values: Parameters<typeof propertiesOf>[1] | undefined,
  namespace: string,
): TableEntity["entity"] {
  if (!values) return entity;
  const { properties } = propertiesOf(namespace, values);
  return { ...entity, properties: { ...entity.properties, ...properties } };
}

/** The types that the source describes, then those that columns name, and the ref of each by its name. */
function typesOf({ types, tables, namespace }: SourceTables, place: SourcePlace) {
  const described = new Map(types.map((type) => [type.name, type]));
  const names = new Set([...described.keys(), ...tables.flatMap(({ columns }) => columns.map(({ type }) => type))]);
  const list = [...names];
  const keys = legalKeys(list);
  const keyOf = new Map(list.map((name, i) => [name, keys[i] ?? name]));
  const documents = list.map((name, i): TypeDocument => {
    const key = keys[i] ?? name;
    const type = described.get(name);
    return type ? typeOf(type, key, namespace, place) : { key, ...(name !== key && { name }) };
  });
  return { documents, refOf: (name: string) => `key:${keyOf.get(name) ?? name}` };
}

function typeOf(type: SourcePart, key: string, namespace: string, place: SourcePlace): TypeDocument {
  warnKey(type, key);
  return {
    key,
    ...textsOf(type, key),
    ...propertiesOf(namespace, keptOf(namespace, type.kept, type.findings)),
    ...originAt(below(place, ...type.path)),
  };
}

function businessKeysOf(tables: readonly TableEntity[], place: SourcePlace): readonly BusinessKeyDocument[] {
  const found = tables.flatMap(({ entity: { key }, businessKeys, source, columns }) => {
    const names = new Map([...columns].map(([name, attribute]) => [attribute.key, name]));
    return differentSets(businessKeys).map((set) => ({
      key,
      set,
      path: [...source.path, "unique", ...set.map((one) => names.get(one) ?? one)],
    }));
  });
  const keys = legalKeys(found.map(({ key, set }) => [key, ...set].join("_")));
  return found.map(({ key, set, path }, i) => ({
    key: keys[i] ?? key,
    entity: `key:${key}`,
    participants: set.map((attribute) => `key:${attribute}`),
    ...originAt(below(place, ...path)),
  }));
}

/** A document that tells, where asked, of which members and lists the source says nothing. */
function noted(document: ModelDocument, header: SourceTables["header"], notes: true | undefined): ModelDocument {
  if (!notes) return document;
  const { entities, relationships, localTags } = document;
  return {
    ...document,
    leftOut: [
      ...["authority", "types", "tagGroups"],
      ...(header.version === undefined ? ["version"] : []),
      ...(header.title === undefined ? ["name"] : []),
      ...(localTags.length > 0 ? [] : ["localTags"]),
    ],
    entities: entities.map((one) => (one.primaryKey.length > 0 ? one : { ...one, leftOut: ["primaryKey"] })),
    relationships: relationships.map((one) => ({ ...one, leftOut: ["attributes"] })),
  };
}
