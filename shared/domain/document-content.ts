import { given } from "./content.ts";
import type { AttributeDocument, EntityDocument, ModelDocument } from "./document.ts";
import type { AnyObject, Attribute, Entity, Model, Type } from "./objects.ts";

/** Where fresh ids come from; the same call hands out the same ids again when it is repeated. */
export type NextId = () => string;

/**
 * New objects for everything in a checked document, the model first. Ids of the document are not used; refs inside it
 * must resolve, which the importers check before.
 */
export function objectsFromDocument(document: ModelDocument, nextId: NextId): [Model, ...AnyObject[]] {
  const types = document.types.map((t): Type => ({ kind: "type", ...described(t, nextId) }));
  const typeIds = new Map(types.map((t) => [`key:${t.key}`, t.id]));
  const model: Model = {
    kind: "model",
    ...described(document, nextId),
    name: document.name,
    version: document.version,
    authority: document.authority,
    ...given("documentationHome", document.documentationHome),
    ...given("origin", document.origin),
  };
  let order = 0;
  const nested = document.entities.flatMap((e) => {
    const id = nextId();
    const attributes = e.attributes.map((a) => attributeFrom(a, id, typeIds, nextId(), order++));
    return [entityFrom(e, id, attributes), ...attributes];
  });
  return [model, ...types, ...nested];
}

function attributeFrom(
  a: AttributeDocument,
  owner: string,
  typeIds: ReadonlyMap<string, string>,
  id: string,
  order: number,
): Attribute {
  const type = typeIds.get(a.type);
  if (!type) throw new Error(`unchecked document: no type ${a.type}`);
  return { kind: "attribute", ...described(a, () => id), owner, type, optional: a.optional, order };
}

function entityFrom(e: EntityDocument, id: string, attributes: readonly Attribute[]): Entity {
  const ids = new Map(attributes.map((a) => [`key:${a.key}`, a.id]));
  return {
    kind: "entity",
    ...described(e, () => id),
    ...given("documentationHome", e.documentationHome),
    ...given("origin", e.origin),
    primaryKey: e.primaryKey.map((ref) => {
      const attribute = ids.get(ref);
      if (!attribute) throw new Error(`unchecked document: no attribute ${ref}`);
      return attribute;
    }),
  };
}

function described(d: { key: string; name?: string; description?: string }, nextId: NextId) {
  return { id: nextId(), revision: 1, key: d.key, ...given("name", d.name), ...given("description", d.description) };
}
