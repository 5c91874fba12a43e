import type { CheckedWorld } from "./checked-world.ts";
import { aBusinessKey, anAttribute, anEntity, aRelationship, aType, type Example, type Made } from "./models.ts";

/** A kind of object that actions which set a field address. */
interface Subject {
  /** The name of the kind in the answer of a dry run. */
  readonly kind: string;
  /** The action that reads the object. */
  readonly read: string;
  /** The object of the example model. */
  readonly object: (e: Example) => Made;
  /** The refs that lead to the object inside the model, outermost first; its own is the last. */
  readonly refs: (e: Example, by: "ref" | "byId") => Readonly<Record<string, string>>;
  /** Makes another object of the kind in the same scope. */
  readonly sibling: (world: CheckedWorld, e: Example, key: string) => Promise<unknown>;
}

/** All sorts of objects that have fields to set, as they stand in the example model. */
export const UPDATE_SUBJECTS = {
  model: {
    kind: "model",
    read: "model_get",
    object: (e) => e.model,
    refs: () => ({}),
    sibling: (world, _, key) => world.ok("model/model_create", { key, name: "Sibling" }),
  },
  type: {
    kind: "type",
    read: "type_get",
    object: (e) => e.string,
    refs: (e, by) => ({ typeRef: e.string[by] }),
    sibling: (world, { model }, key) => aType(world, model, key),
  },
  entity: {
    kind: "entity",
    read: "entity_get",
    object: (e) => e.customer,
    refs: (e, by) => ({ entityRef: e.customer[by] }),
    sibling: (world, { model }, key) => anEntity(world, model, key),
  },
  entity_attribute: {
    kind: "attribute",
    read: "entity_attribute_get",
    object: (e) => e.code,
    refs: (e, by) => ({ entityRef: e.customer[by], attributeRef: e.code[by] }),
    sibling: (world, { model, customer, string }, key) =>
      anAttribute(world, { model, entity: customer, type: string }, key),
  },
  relationship: {
    kind: "relationship",
    read: "relationship_get",
    object: (e) => e.places,
    refs: (e, by) => ({ relationshipRef: e.places[by] }),
    sibling: (world, { model, person }, key) => aRelationship(world, { model, a: person, b: person }, key),
  },
  relationship_attribute: {
    kind: "attribute",
    read: "relationship_attribute_get",
    object: (e) => e.channel,
    refs: (e, by) => ({ relationshipRef: e.places[by], attributeRef: e.channel[by] }),
    sibling: (world, { model, places, string }, key) =>
      anAttribute(world, { model, relationship: places, type: string }, key),
  },
  business_key: {
    kind: "business_key",
    read: "business_key_get",
    object: (e) => e.customerCode,
    refs: (e, by) => ({ businessKeyRef: e.customerCode[by] }),
    sibling: (world, { model, customer }, key) => aBusinessKey(world, { model, entity: customer }, key),
  },
} as const satisfies Readonly<Record<string, Subject>>;

export type UpdateSubject = keyof typeof UPDATE_SUBJECTS;
