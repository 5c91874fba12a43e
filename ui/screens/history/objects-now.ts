import type { Actions } from "../../../client/create-client.ts";
import { toKeyRef } from "../../api/refs.ts";
import type { ObjectRefs } from "../../parts/object-path.ts";
import type { Change } from "./commits.ts";

type ModelDocument = Actions["model"]["model_export"]["output"];

/** An existing object: its owner and its page. */
export interface ObjectNow {
  readonly owner?: string;
  readonly refs: ObjectRefs;
}

/** Indexes the objects of a model by id. */
export function indexObjects(document: ModelDocument, modelRef: string): ReadonlyMap<string, ObjectNow> {
  const objects = new Map<string, ObjectNow>([[document.id, { refs: { modelRef } }]]);
  for (const { id, key } of document.types) objects.set(id, { refs: { modelRef, typeRef: toKeyRef(key) } });
  for (const { id, key } of document.localTags) objects.set(id, { refs: { modelRef, tagKey: key } });
  const entityKeys = new Map<string, string>();
  for (const { id, key, name, attributes } of document.entities) {
    const entityRef = toKeyRef(key);
    entityKeys.set(`id:${id}`, key).set(entityRef, key);
    objects.set(id, { refs: { modelRef, entityRef } });
    for (const one of attributes)
      objects.set(one.id, { owner: name ?? key, refs: { modelRef, entityRef, attributeRef: toKeyRef(one.key) } });
  }
  for (const { id, key, name, attributes } of document.relationships) {
    const refs = { modelRef, relationshipRef: toKeyRef(key) };
    objects.set(id, { refs });
    for (const one of attributes)
      objects.set(one.id, { owner: name ?? key, refs: { ...refs, attributeRef: toKeyRef(one.key) } });
  }
  for (const { id, key, entity } of document.businessKeys) {
    const entityKey = entityKeys.get(entity);
    const refs = { modelRef, ...(entityKey !== undefined && { entityRef: toKeyRef(entityKey) }), businessKeyKey: key };
    objects.set(id, { ...(entityKey !== undefined && { owner: entityKey }), refs });
  }
  return objects;
}

/** Returns the label of the owner: the current one, or the one in the change. */
export function findOwner(change: Change, objects: ReadonlyMap<string, ObjectNow> | undefined): string | undefined {
  const label = objects?.get(change.id)?.owner;
  if (label !== undefined) return label;
  const owner = change.afterByKey?.owner ?? change.beforeByKey?.owner;
  return typeof owner === "string" ? owner.replace(/^key:/, "") : undefined;
}
