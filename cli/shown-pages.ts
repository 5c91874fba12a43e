import { type Actions, ApiProblem } from "../client/create-client.ts";
import { type OwnCalls, reading } from "./own-calls.ts";

type Model = Actions["model"];
type Entities = Model["entity_list"]["output"]["items"];
type Relationships = Model["relationship_list"]["output"]["items"];
type Relationship = Relationships[number];

/** A page about an object: members of its own, and lists of what is in it. */
export interface Page {
  readonly place: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Members in few words. */
  readonly [member: string]: unknown;
}

/** The page of a model: its own members, its entities and its relationships. */
export async function modelPage(calls: OwnCalls, modelRef: string): Promise<Page> {
  const read = reader(calls);
  const [model, entities, relationships, counts] = await Promise.all([
    read("model_get", { modelRef, expand: "keys" }) as Promise<Model["model_get"]["output"]>,
    read("entity_list", { modelRef, expand: "keys" }).then(itemsOf<Entities>),
    read("relationship_list", { modelRef, expand: "keys" }).then(itemsOf<Relationships>),
    attributeCounts(read, modelRef),
  ]);
  const { key, name, description, version, revision, authority, documentationHome, tags } = model;
  return {
    place: key,
    name,
    description,
    version: `${version}, revision ${revision}`,
    authority,
    documentation: documentationHome,
    tags: keysOf(tags),
    entities: entities.map((one) => ({
      key: one.key,
      name: one.name,
      attributes: counts?.get(one.key),
      primaryKey: bareKeys(one.primaryKeyByKey),
      tags: keysOf(one.tags),
      description: one.description,
    })),
    relationships: relationships.map(relationshipRow),
  };
}

/** The page of an entity: its attributes in their order, its keys and its relationships. */
export async function entityPage(calls: OwnCalls, modelRef: string, entityRef: string): Promise<Page> {
  const read = reader(calls);
  const [model, entity, attributes, keys, relationships] = await Promise.all([
    read("model_get", { modelRef }) as Promise<Model["model_get"]["output"]>,
    read("entity_get", { modelRef, entityRef, expand: "keys" }) as Promise<Model["entity_get"]["output"]>,
    read("entity_attribute_list", { modelRef, entityRef, expand: "keys" }).then(
      itemsOf<Model["entity_attribute_list"]["output"]["items"]>,
    ),
    read("business_key_list", { modelRef, expand: "keys" }).then(
      itemsOf<Model["business_key_list"]["output"]["items"]>,
    ),
    read("relationship_list", { modelRef, expand: "keys" }).then(itemsOf<Relationships>),
  ]);
  const isHere = (of: { readonly entity: string }): boolean => of.entity === `id:${entity.id}`;
  return {
    place: `${model.key}/${entity.key}`,
    name: entity.name,
    description: entity.description,
    documentation: entity.documentationHome,
    tags: keysOf(entity.tags),
    primaryKey: bareKeys(entity.primaryKeyByKey),
    attributes: attributes.map((one) => ({
      key: one.key,
      type: bareKey(one.typeByKey),
      required: !one.optional,
      name: one.name,
      tags: keysOf(one.tags),
      description: one.description,
    })),
    keys: keys
      .filter(isHere)
      .map((one) => ({ key: one.key, name: one.name, attributes: bareKeys(one.participantsByKey) })),
    relationships: relationships.filter(({ roles }) => roles.some(isHere)).map(relationshipRow),
  };
}

type Reader = (action: string, payload: object) => Promise<unknown>;

function reader(calls: OwnCalls): Reader {
  const { call } = reading(calls);
  return async (action, payload) => (await call(action, payload))?.body;
}

/** Lists answer their rows as `items`. */
function itemsOf<Rows>(body: unknown): Rows {
  return (body as { readonly items: Rows }).items;
}

/** How many attributes each entity has; undefined where the model is too large for one answer. */
async function attributeCounts(read: Reader, modelRef: string): Promise<ReadonlyMap<string, number> | undefined> {
  try {
    const { entities } = (await read("model_export", { modelRef })) as Model["model_export"]["output"];
    return new Map(entities.map(({ key, attributes = [] }) => [key, attributes.length]));
  } catch (error) {
    if (error instanceof ApiProblem && error.code === "result_too_large") return undefined;
    throw error;
  }
}

function relationshipRow({ key, name, roles, tags }: Relationship) {
  const shown = roles.map((role) => `${role.key}: ${bareKey(role.entityByKey)} (${CARDINALITIES[role.cardinality]})`);
  return { key, name, roles: shown, tags: keysOf(tags) };
}

const CARDINALITIES = { zeroOrOne: "0..1", one: "1", many: "many", unknown: "?" } as const;

function keysOf(tags: readonly { readonly key: string }[]): readonly string[] {
  return tags.map(({ key }) => key);
}

function bareKey(ref: string | undefined): string | undefined {
  return ref?.replace(/^key:/, "");
}

function bareKeys(refs: readonly string[] = []): readonly string[] {
  return refs.map((ref) => ref.replace(/^key:/, ""));
}
