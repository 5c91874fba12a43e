import type {
  AttributeDocument,
  EntityDocument,
  ModelDocument,
  RelationshipDocument,
} from "../domain/document/document.ts";
import type { DiagramEntity, DiagramGraph, DiagramRelationship, DiagramTag, Sign } from "./diagram-graph.ts";

/** Signs of a comparison by id of an entity or relationship, or by `<entity id>/<attribute key>`. */
export type Signs = ReadonlyMap<string, Sign>;

/** Parts of a model document that a diagram shows. */
export type DiagramDocument = Pick<
  ModelDocument,
  "key" | "name" | "entities" | "relationships" | "localTags" | "tagGroups"
>;

/** Creates the diagram of a document, optionally with the signs of a comparison. */
export function createGraph(document: DiagramDocument, signs: Signs = new Map()): DiagramGraph {
  const { key, name, entities, relationships } = document;
  const ids = new Map(entities.map((entity) => [`key:${entity.key}`, getObjectId(entity)]));
  const pairKeys = indexPairedAttributes(relationships);
  const graph = {
    entities: entities.map((entity) => toDiagramEntity(entity, pairKeys.get(`key:${entity.key}`) ?? new Set(), signs)),
    relationships: relationships.flatMap((one) => toDiagramRelationship(one, ids, signs) ?? []),
  };
  return { modelKey: key, modelName: name, ...graph, tags: listUsedTags(document, graph) };
}

/** Returns the id of an object, or its key if the document has no ids. */
export function getObjectId({ id, key }: { readonly id?: string; readonly key: string }): string {
  return id ?? key;
}

const toKey = (ref: string) => ref.slice("key:".length);

function toDiagramEntity(entity: EntityDocument, pairKeys: ReadonlySet<string>, signs: Signs): DiagramEntity {
  const inKey = new Set(entity.primaryKey);
  const id = getObjectId(entity);
  return {
    id,
    key: isMissingKey(entity.key) ? entity.key.slice(MISSING.length) : entity.key,
    name: entity.name,
    tags: entity.tags ?? [],
    sign: signs.get(id),
    attributes: entity.attributes.map((attribute: AttributeDocument) => ({
      key: attribute.key,
      name: attribute.name,
      type: toKey(attribute.type),
      optional: attribute.optional,
      inKey: inKey.has(`key:${attribute.key}`),
      inPair: pairKeys.has(attribute.key),
      tags: attribute.tags ?? [],
      sign: signs.get(`${id}/${attribute.key}`),
    })),
  };
}

function toDiagramRelationship(
  relationship: RelationshipDocument,
  ids: ReadonlyMap<string, string>,
  signs: Signs,
): DiagramRelationship | undefined {
  const { key, name, roles, keyPairs = [], tags = [] } = relationship;
  const ends = roles.flatMap((role, at) => {
    const entity = ids.get(role.entity);
    const attributes = roles.length === 2 ? keyPairs.map((pair) => toKey(pair[at] ?? "")) : [];
    return entity === undefined
      ? []
      : [{ entity, key: role.key, name: role.name, cardinality: role.cardinality, attributes }];
  });
  if (ends.length < Math.max(2, roles.length)) return undefined;
  const id = getObjectId(relationship);
  return { id, key, name, ends, tags, sign: signs.get(id) };
}

function indexPairedAttributes(relationships: readonly RelationshipDocument[]): ReadonlyMap<string, Set<string>> {
  const index = new Map<string, Set<string>>();
  for (const { roles, keyPairs = [] } of relationships) {
    for (const [at, { entity }] of roles.slice(0, 2).entries()) {
      const keys = index.get(entity) ?? new Set();
      for (const pair of keyPairs) keys.add(toKey(pair[at] ?? ""));
      index.set(entity, keys);
    }
  }
  return index;
}

function listUsedTags(
  { localTags = [], tagGroups = [] }: DiagramDocument,
  { entities, relationships }: Pick<DiagramGraph, "entities" | "relationships">,
): readonly DiagramTag[] {
  const refs = new Set(
    [...entities, ...relationships, ...entities.flatMap((e) => e.attributes)].flatMap((o) => o.tags),
  );
  const local = localTags.map(({ key, name }) => ({ ref: `key:${key}`, key, name }));
  const global = tagGroups.flatMap((group) =>
    group.tags.map(({ key, name }) => ({ ref: `key:${group.key}/${key}`, key: `${group.key}/${key}`, name })),
  );
  return [...local, ...global].filter(({ ref }) => refs.has(ref)).sort((a, b) => (a.ref < b.ref ? -1 : 1));
}

/** Prefix of keys of missing objects, which legal keys cannot have. */
const MISSING = "\u0000";

/** Returns the key of an object that only the other side of a comparison has. */
export function toMissingKey(key: string): string {
  return MISSING + key;
}

/** Returns true for keys made by `toMissingKey`. */
export function isMissingKey(key: string): boolean {
  return key.startsWith(MISSING);
}
