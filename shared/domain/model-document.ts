import { byKey, type GlobalTags, given, type ModelContent } from "./content.ts";
import {
  type AttributeDocument,
  type BusinessKeyDocument,
  DOCUMENT_SCHEMA,
  type EntityDocument,
  type ModelDocument,
  type RelationshipDocument,
  type RoleDocument,
  type TagDocument,
  type TagGroupDocument,
} from "./document.ts";
import type { AnyObject, Attribute, BusinessKey, Entity, Relationship, Tagged } from "./objects.ts";

/**
 * The canonical document of a model: the same content and tags always give the same document, without revision and time.
 * Marks of tags that are gone are left out.
 */
export function documentOf(content: ModelContent, globalTags: GlobalTags = new Map()): ModelDocument {
  const { model } = content;
  const names = namesOf(content, globalTags);
  return {
    $schema: DOCUMENT_SCHEMA,
    ...described(model),
    name: model.name,
    version: model.version,
    authority: model.authority,
    ...given("documentationHome", model.documentationHome),
    ...given("origin", model.origin),
    ...marks(model, names),
    types: content.types.map(described),
    entities: content.entities.map((e) => entityDocument(e, names)),
    relationships: content.relationships.map((r) => relationshipDocument(r, names)),
    businessKeys: content.businessKeys.map((b) => businessKeyDocument(b, names)),
    localTags: content.tags.map(described),
    tagGroups: tagGroupDocuments(content, globalTags),
  };
}

/** How objects are named in refs, and whose attributes are whose. */
interface Names {
  /** Id -> `key:…`. */
  readonly refs: ReadonlyMap<string, string>;
  readonly attributes: ModelContent["attributes"];
}

function namesOf({ types, entities, tags, attributes }: ModelContent, globalTags: GlobalTags): Names {
  const refs = new Map<string, string>();
  for (const { id, key } of [...types, ...entities, ...tags, ...[...attributes.values()].flat()]) {
    refs.set(id, `key:${key}`);
  }
  for (const [id, { group, tag }] of globalTags) refs.set(id, `key:${group.key}/${tag.key}`);
  return { refs, attributes };
}

/** The ref of an object that has to be there. */
function refOf(id: string, { refs }: Names): string {
  const ref = refs.get(id);
  if (ref === undefined) throw new Error(`nothing in the model has the id ${id}`);
  return ref;
}

function marks({ tags = [], globalTags = [] }: Tagged, { refs }: Names): { tags?: readonly string[] } {
  const named = [...tags, ...globalTags].flatMap((id) => refs.get(id) ?? []).sort();
  return named.length > 0 ? { tags: named } : {};
}

function entityDocument(entity: Entity, names: Names): EntityDocument {
  return {
    ...described(entity),
    ...given("documentationHome", entity.documentationHome),
    ...given("origin", entity.origin),
    ...marks(entity, names),
    attributes: attributeDocuments(entity, names),
    primaryKey: entity.primaryKey.map((id) => refOf(id, names)),
  };
}

function relationshipDocument(relationship: Relationship, names: Names): RelationshipDocument {
  const roles = [...relationship.roles].sort(byKey).map(
    ({ id, key, name, entity, cardinality }): RoleDocument => ({
      id,
      key,
      ...given("name", name),
      entity: refOf(entity, names),
      cardinality,
    }),
  );
  return {
    ...described(relationship),
    ...marks(relationship, names),
    roles,
    attributes: attributeDocuments(relationship, names),
  };
}

function businessKeyDocument(businessKey: BusinessKey, names: Names): BusinessKeyDocument {
  return {
    ...described(businessKey),
    entity: refOf(businessKey.entity, names),
    participants: businessKey.participants.map((id) => refOf(id, names)),
  };
}

function attributeDocuments(owner: AnyObject, names: Names): readonly AttributeDocument[] {
  const document = (a: Attribute): AttributeDocument => ({
    ...described(a),
    type: refOf(a.type, names),
    optional: a.optional,
    ...marks(a, names),
  });
  return (names.attributes.get(owner.id) ?? []).map(document);
}

/** Ids of the global tags that anything in a model is marked with. */
export function globalTagIds({ model, entities, relationships, attributes }: ModelContent): readonly string[] {
  const marked: Tagged[] = [model, ...entities, ...relationships, ...[...attributes.values()].flat()];
  return [...new Set(marked.flatMap((object) => object.globalTags ?? []))];
}

/** The ids of global tags by the refs that documents name them with. */
export function tagIdsByRef(tags: GlobalTags): ReadonlyMap<string, string> {
  return new Map([...tags].map(([id, { group, tag }]) => [`key:${group.key}/${tag.key}`, id]));
}

function tagGroupDocuments(content: ModelContent, globalTags: GlobalTags): readonly TagGroupDocument[] {
  const groups = new Map<string, Omit<TagGroupDocument, "tags"> & { readonly tags: TagDocument[] }>();
  for (const id of globalTagIds(content)) {
    const found = globalTags.get(id);
    if (!found) continue;
    const group = groups.get(found.group.id) ?? { ...described(found.group), tags: [] };
    group.tags.push(described(found.tag));
    groups.set(found.group.id, group);
  }
  return [...groups.values()].sort(byKey).map((group) => ({ ...group, tags: group.tags.sort(byKey) }));
}

function described(o: { id: string; key: string; name?: string; description?: string }) {
  return { id: o.id, key: o.key, ...given("name", o.name), ...given("description", o.description) };
}
