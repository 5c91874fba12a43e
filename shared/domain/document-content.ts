import { given } from "./content.ts";
import type {
  AttributeDocument,
  BusinessKeyDocument,
  EntityDocument,
  ModelDocument,
  RelationshipDocument,
} from "./document.ts";
import type { AnyObject, Attribute, BusinessKey, Entity, Model, Relationship, Tag, Tagged, Type } from "./objects.ts";

/** Where fresh ids come from; the same call hands out the same ids again when it is repeated. */
export type NextId = () => string;

/** Ids of global tags by `key:<group>/<tag>`; marks with others are left out. */
export type GlobalTagIds = ReadonlyMap<string, string>;

/**
 * New objects for everything in a checked document, the model first. Ids of the document are not used; refs inside it
 * must resolve, which the importers check before.
 */
export function objectsFromDocument(
  document: ModelDocument,
  nextId: NextId,
  globalTags: GlobalTagIds = new Map(),
): [Model, ...AnyObject[]] {
  const types = document.types.map((t): Type => ({ kind: "type", ...described(t, nextId()) }));
  const tags = document.localTags.map((t): Tag => ({ kind: "tag", ...described(t, nextId()) }));
  const entityIds = document.entities.map(() => nextId());
  const names: Names = {
    types: refs(types),
    tags: refs(tags),
    globalTags,
    entities: refs(document.entities.map(({ key }, i) => ({ key, id: entityIds[i] ?? "" }))),
  };
  const model: Model = {
    kind: "model",
    ...described(document, nextId()),
    name: document.name,
    version: document.version,
    authority: document.authority,
    ...given("documentationHome", document.documentationHome),
    ...given("origin", document.origin),
    ...marked(document.tags, names),
  };
  let order = 0;
  const attributesOf = (owner: string, list: readonly AttributeDocument[]) =>
    list.map((a) => attributeFrom(a, owner, names, nextId(), order++));
  const attributes = new Map<string, ReadonlyMap<string, string>>();
  const entities = document.entities.flatMap((e, i): AnyObject[] => {
    const id = entityIds[i] ?? "";
    const own = attributesOf(id, e.attributes);
    attributes.set(id, refs(own));
    return [entityFrom(e, id, refs(own), names), ...own];
  });
  const relationships = document.relationships.flatMap((r): AnyObject[] => {
    const made = relationshipFrom(r, nextId, names);
    return [made, ...attributesOf(made.id, r.attributes)];
  });
  const businessKeys = document.businessKeys.map((b): AnyObject => {
    const owner = named(names.entities, b.entity);
    return businessKeyFrom(b, nextId(), owner, attributes.get(owner) ?? new Map());
  });
  return [model, ...types, ...tags, ...entities, ...relationships, ...businessKeys];
}

/** `key:…` -> id, for each sort of object a document refers to. */
interface Names {
  readonly types: ReadonlyMap<string, string>;
  readonly tags: ReadonlyMap<string, string>;
  readonly globalTags: GlobalTagIds;
  readonly entities: ReadonlyMap<string, string>;
}

function refs(objects: readonly { readonly key: string; readonly id: string }[]): ReadonlyMap<string, string> {
  return new Map(objects.map(({ key, id }) => [`key:${key}`, id]));
}

function named(ids: ReadonlyMap<string, string>, ref: string): string {
  const id = ids.get(ref);
  if (id === undefined) throw new Error(`unchecked document: ${ref} names nothing`);
  return id;
}

function marked(tags: readonly string[] = [], names: Names): Tagged {
  const local = tags.flatMap((ref) => names.tags.get(ref) ?? []).sort();
  const global = tags.flatMap((ref) => names.globalTags.get(ref) ?? []).sort();
  return { ...(local.length > 0 && { tags: local }), ...(global.length > 0 && { globalTags: global }) };
}

function attributeFrom(a: AttributeDocument, owner: string, names: Names, id: string, order: number): Attribute {
  const type = named(names.types, a.type);
  return { kind: "attribute", ...described(a, id), owner, type, optional: a.optional, order, ...marked(a.tags, names) };
}

function entityFrom(e: EntityDocument, id: string, attributes: ReadonlyMap<string, string>, names: Names): Entity {
  return {
    kind: "entity",
    ...described(e, id),
    ...given("documentationHome", e.documentationHome),
    ...given("origin", e.origin),
    ...marked(e.tags, names),
    primaryKey: e.primaryKey.map((ref) => named(attributes, ref)),
  };
}

function relationshipFrom(r: RelationshipDocument, nextId: NextId, names: Names): Relationship {
  return {
    kind: "relationship",
    ...described(r, nextId()),
    ...marked(r.tags, names),
    roles: r.roles.map(({ key, name, entity, cardinality }) => ({
      id: nextId(),
      key,
      ...given("name", name),
      entity: named(names.entities, entity),
      cardinality,
    })),
  };
}

function businessKeyFrom(
  b: BusinessKeyDocument,
  id: string,
  entity: string,
  attributes: ReadonlyMap<string, string>,
): BusinessKey {
  const participants = b.participants.map((ref) => named(attributes, ref));
  return { kind: "business_key", ...described(b, id), entity, participants };
}

function described(d: { key: string; name?: string; description?: string }, id: string) {
  return { id, revision: 1, key: d.key, ...given("name", d.name), ...given("description", d.description) };
}
