import {
  type AttributeDocument,
  DOCUMENT_SCHEMA,
  type EntityDocument,
  type ModelDocument,
  type TypeDocument,
} from "./document.ts";
import type { AnyObject, Attribute, Entity, Model, Type } from "./objects.ts";

/** All objects of one model at one revision; attributes whose owner is gone are already left out. */
export interface ModelContent {
  readonly model: Model;
  readonly types: readonly Type[];
  readonly entities: readonly Entity[];
  /** In the order in which they were made, per owner. */
  readonly attributes: ReadonlyMap<string, readonly Attribute[]>;
}

/** The model's objects as lists, the model first, in no order that means anything. */
export function objectsOf(content: ModelContent): AnyObject[] {
  return [content.model, ...content.types, ...content.entities, ...[...content.attributes.values()].flat()];
}

/** Sorts objects into a model's content, skipping what belongs to an owner that is not there. */
export function contentOf(objects: Iterable<AnyObject>): ModelContent | undefined {
  let model: Model | undefined;
  const types: Type[] = [];
  const entities: Entity[] = [];
  const attributes = new Map<string, Attribute[]>();
  const owned: Attribute[] = [];
  for (const object of objects) {
    if (object.kind === "model") model = object;
    else if (object.kind === "type") types.push(object);
    else if (object.kind === "attribute") owned.push(object);
    else {
      entities.push(object);
      attributes.set(object.id, []);
    }
  }
  if (!model) return undefined;
  for (const one of owned) attributes.get(one.owner)?.push(one);
  for (const list of attributes.values()) list.sort((a, b) => a.order - b.order);
  return { model, types: types.sort(byKey), entities: entities.sort(byKey), attributes };
}

/** Orders by key as DynamoDB does: by bytes, which for keys is by code unit. */
export function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

/** The canonical document of a model: the same content always gives the same document, without revision and time. */
export function documentOf(content: ModelContent): ModelDocument {
  const typeKeys = new Map(content.types.map((t) => [t.id, t.key]));
  const { model } = content;
  return {
    $schema: DOCUMENT_SCHEMA,
    ...described(model),
    name: model.name,
    version: model.version,
    authority: model.authority,
    ...given("documentationHome", model.documentationHome),
    ...given("origin", model.origin),
    types: content.types.map((t): TypeDocument => described(t)),
    entities: content.entities.map((e) => entityDocument(e, content.attributes.get(e.id) ?? [], typeKeys)),
  };
}

function entityDocument(
  entity: Entity,
  attributes: readonly Attribute[],
  typeKeys: ReadonlyMap<string, string>,
): EntityDocument {
  const keys = new Map(attributes.map((a) => [a.id, a.key]));
  return {
    ...described(entity),
    ...given("documentationHome", entity.documentationHome),
    ...given("origin", entity.origin),
    attributes: attributes.map(
      (a): AttributeDocument => ({ ...described(a), type: `key:${typeKeys.get(a.type) ?? ""}`, optional: a.optional }),
    ),
    primaryKey: entity.primaryKey.map((id) => `key:${keys.get(id) ?? ""}`),
  };
}

function described(o: { id: string; key: string; name?: string; description?: string }) {
  return { id: o.id, key: o.key, ...given("name", o.name), ...given("description", o.description) };
}

/** `{ [member]: value }`, or nothing where there is no value. */
export function given<M extends string, V>(member: M, value: V | undefined): { [K in M]?: V } {
  // The computed member is exactly M.
  return value === undefined ? {} : ({ [member]: value } as { [K in M]: V });
}
