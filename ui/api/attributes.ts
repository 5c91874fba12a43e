import type { RefText } from "./refs.ts";
import type { OutputOf } from "./service.ts";

/** Owner of attributes: an entity or a relationship of a model. */
export type AttributeOwner =
  | { readonly kind: "entity"; readonly modelRef: RefText; readonly ownerRef: RefText }
  | { readonly kind: "relationship"; readonly modelRef: RefText; readonly ownerRef: RefText };

/** An attribute as returned by the list actions. */
export type Attribute = OutputOf<"model/entity_attribute_list">["items"][number];

const OF_ENTITY = {
  list: "model/entity_attribute_list",
  get: "model/entity_attribute_get",
  create: "model/entity_attribute_create",
  updateKey: "model/entity_attribute_update_key",
  updateName: "model/entity_attribute_update_name",
  updateDescription: "model/entity_attribute_update_description",
  updateType: "model/entity_attribute_update_type",
  updateOptional: "model/entity_attribute_update_optional",
  updateConstraints: "model/entity_attribute_update_constraints",
  updateProperty: "model/entity_attribute_update_property",
  deleteProperty: "model/entity_attribute_delete_property",
  addTag: "model/entity_attribute_add_tag",
  deleteTag: "model/entity_attribute_delete_tag",
  move: "model/entity_attribute_move",
  delete: "model/entity_attribute_delete",
} as const;

const OF_RELATIONSHIP = {
  list: "model/relationship_attribute_list",
  get: "model/relationship_attribute_get",
  create: "model/relationship_attribute_create",
  updateKey: "model/relationship_attribute_update_key",
  updateName: "model/relationship_attribute_update_name",
  updateDescription: "model/relationship_attribute_update_description",
  updateType: "model/relationship_attribute_update_type",
  updateOptional: "model/relationship_attribute_update_optional",
  updateConstraints: "model/relationship_attribute_update_constraints",
  updateProperty: "model/relationship_attribute_update_property",
  deleteProperty: "model/relationship_attribute_delete_property",
  addTag: "model/relationship_attribute_add_tag",
  deleteTag: "model/relationship_attribute_delete_tag",
  move: "model/relationship_attribute_move",
  delete: "model/relationship_attribute_delete",
} as const;

/** Returns the actions on attributes of an owner, by purpose. */
export const getAttributeActions = ({ kind }: AttributeOwner): typeof OF_ENTITY | typeof OF_RELATIONSHIP =>
  kind === "entity" ? OF_ENTITY : OF_RELATIONSHIP;

/** Returns the refs that every action on attributes of an owner takes. */
export function getOwnerRefs({ kind, modelRef, ownerRef }: AttributeOwner) {
  return kind === "entity" ? { modelRef, entityRef: ownerRef } : { modelRef, relationshipRef: ownerRef };
}
