import { given } from "../content.ts";
import type {
  AttributeDocument,
  BusinessKeyDocument,
  EntityDocument,
  ModelDocument,
  RelationshipDocument,
  RoleDocument,
} from "../document.ts";
import type { Location, ObjectType, Snapshot } from "./difference.ts";

/** One object of a document, ready to be compared. */
export interface Compared {
  readonly objectType: ObjectType;
  /** Two objects of the two sides are the same one when this is equal. */
  readonly identity: string;
  readonly location: Location;
  /** As callers see it. */
  readonly snapshot: Snapshot;
  /** By member, in a form that is equal when nothing changed: refs to objects as their identities. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Identity of the object it lies in. */
  readonly owner?: string;
}

interface Named {
  readonly id?: string;
  readonly key: string;
  readonly name?: string;
  readonly description?: string;
}

/** How an object is recognised on the other side: by its id where both are states of one model, else by its keys. */
type Identify = (object: Named, ...above: readonly string[]) => string;

const byId: Identify = (object) => object.id ?? object.key;
const byKeys: Identify = (object, ...above) => JSON.stringify([...above, object.key]);

/** Every object of a document, the model first. */
export function objectsOfDocument(document: ModelDocument, sameModel: boolean): readonly Compared[] {
  const identify = sameModel ? byId : byKeys;
  const ids = (objects: readonly Named[], ...above: string[]) =>
    new Map(objects.map((object) => [`key:${object.key}`, identify(object, ...above)]));
  const sides: Sides = {
    identify,
    types: ids(document.types),
    entities: ids(document.entities),
    tags: ids(document.localTags),
  };
  return [
    modelObject(document, sides, sameModel),
    ...document.types.map((type) => plain("type", type, identify(type, "type"), { typeKey: type.key })),
    ...document.entities.flatMap((entity) => entityObjects(entity, sides)),
    ...document.relationships.flatMap((relationship) => relationshipObjects(relationship, sides)),
    ...document.businessKeys.map((businessKey) => businessKeyObject(businessKey, document, sides)),
    ...document.localTags.map((tag) => plain("tag", tag, identify(tag, "tag"), { tagKey: tag.key })),
  ];
}

interface Sides {
  readonly identify: Identify;
  readonly types: ReadonlyMap<string, string>;
  readonly entities: ReadonlyMap<string, string>;
  readonly tags: ReadonlyMap<string, string>;
}

function texts({ key, name, description }: Named): Snapshot {
  return { key, ...given("name", name), ...given("description", description) };
}

function plain(objectType: ObjectType, object: Named, identity: string, location: Location): Compared {
  const snapshot = texts(object);
  return { objectType, identity, location, snapshot, members: snapshot };
}

/** What tags mark, by identity; tags of groups are the same everywhere. */
function marks(tags: readonly string[] | undefined, sides: Sides): readonly string[] {
  return (tags ?? []).map((ref) => sides.tags.get(ref) ?? ref).sort();
}

function modelObject(document: ModelDocument, sides: Sides, sameModel: boolean): Compared {
  const { version, authority, documentationHome, origin, tags } = document;
  const own = { version, authority, ...given("documentationHome", documentationHome), ...given("origin", origin) };
  const { key, ...described } = texts(document);
  return {
    objectType: "model",
    identity: "model",
    location: {},
    snapshot: { key, ...described, ...own, ...given("tags", tags) },
    // Two models always have two keys.
    members: { ...described, ...own, ...(sameModel && { key }), tags: marks(tags, sides) },
  };
}

function entityObjects(entity: EntityDocument, sides: Sides): readonly Compared[] {
  const { primaryKey, documentationHome, origin, tags } = entity;
  const identity = sides.identify(entity, "entity");
  const links = { ...given("documentationHome", documentationHome), ...given("origin", origin) };
  const attributes = new Map(entity.attributes.map((a) => [`key:${a.key}`, sides.identify(a, identity)]));
  const own: Compared = {
    objectType: "entity",
    identity,
    location: { entityKey: entity.key },
    snapshot: { ...texts(entity), ...links, primaryKey, ...given("tags", tags) },
    members: {
      ...texts(entity),
      ...links,
      primaryKey: primaryKey.map((ref) => attributes.get(ref) ?? ref),
      tags: marks(tags, sides),
    },
  };
  const place = { entityKey: entity.key };
  return [own, ...entity.attributes.map((a) => attributeObject("entityAttribute", a, identity, place, sides))];
}

function attributeObject(
  objectType: ObjectType,
  attribute: AttributeDocument,
  owner: string,
  place: Location,
  sides: Sides,
): Compared {
  const { type, optional, tags } = attribute;
  return {
    objectType,
    identity: sides.identify(attribute, owner),
    owner,
    location: { ...place, attributeKey: attribute.key },
    snapshot: { ...texts(attribute), type, optional, ...given("tags", tags) },
    members: { ...texts(attribute), type: sides.types.get(type) ?? type, optional, tags: marks(tags, sides) },
  };
}

function relationshipObjects(relationship: RelationshipDocument, sides: Sides): readonly Compared[] {
  const identity = sides.identify(relationship, "relationship");
  const place = { relationshipKey: relationship.key };
  const { tags } = relationship;
  const own: Compared = {
    objectType: "relationship",
    identity,
    location: place,
    snapshot: { ...texts(relationship), ...given("tags", tags) },
    members: { ...texts(relationship), tags: marks(tags, sides) },
  };
  return [
    own,
    ...relationship.roles.map((role) => roleObject(role, identity, place, sides)),
    ...relationship.attributes.map((a) => attributeObject("relationshipAttribute", a, identity, place, sides)),
  ];
}

function roleObject(role: RoleDocument, owner: string, place: Location, sides: Sides): Compared {
  const { entity, cardinality } = role;
  return {
    objectType: "relationshipRole",
    identity: sides.identify(role, owner, "role"),
    owner,
    location: { ...place, roleKey: role.key },
    snapshot: { ...texts(role), entity, cardinality },
    members: { ...texts(role), entity: sides.entities.get(entity) ?? entity, cardinality },
  };
}

function businessKeyObject(businessKey: BusinessKeyDocument, document: ModelDocument, sides: Sides): Compared {
  const { entity, participants } = businessKey;
  const owner = document.entities.find(({ key }) => `key:${key}` === entity);
  const identity = owner && sides.identify(owner, "entity");
  const attributes = new Map((owner?.attributes ?? []).map((a) => [`key:${a.key}`, sides.identify(a, identity ?? "")]));
  return {
    objectType: "businessKey",
    identity: sides.identify(businessKey, "businessKey"),
    location: { businessKeyKey: businessKey.key },
    snapshot: { ...texts(businessKey), entity, participants },
    members: {
      ...texts(businessKey),
      entity: identity ?? entity,
      participants: participants.map((ref) => attributes.get(ref) ?? ref),
    },
  };
}
