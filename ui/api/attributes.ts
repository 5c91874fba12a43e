import type { RefText } from "./refs.ts";
import { getObjectActions, type OutputOf } from "./service.ts";

/** Owner of attributes: an entity or a relationship of a model. */
export interface AttributeOwner {
  readonly kind: "entity" | "relationship";
  readonly modelRef: RefText;
  readonly ownerRef: RefText;
}

/** An attribute as returned by the list actions. */
export type Attribute = OutputOf<"model/entity_attribute_list">["items"][number];

/** Returns the actions on attributes of an owner, by purpose. */
export const getAttributeActions = ({ kind }: AttributeOwner) => getObjectActions(`model/${kind}_attribute`);

/** Returns the refs that every action on attributes of an owner takes. */
export function getOwnerRefs({ kind, modelRef, ownerRef }: AttributeOwner) {
  return kind === "entity" ? { modelRef, entityRef: ownerRef } : { modelRef, relationshipRef: ownerRef };
}
