import { aBusinessKey, anAttribute, anEntity, aRelationship, aType, type Example, type Made } from "./models.ts";
import type { Stage } from "./stage.ts";

/** What is addressed by an action that sets a field. */
interface Subject {
  /** The name of its kind in the answer of a dry run. */
  readonly kind: string;
  /** The action that reads it. */
  readonly read: string;
  /** The object of the example model. */
  readonly object: (e: Example) => Made;
  /** The refs of what is around it in the model, and its own, which is the last. */
  readonly refs: (e: Example, by: "ref" | "byId") => Readonly<Record<string, string>>;
  /** Makes another one in the same scope. */
  readonly sibling: (stage: Stage, e: Example, key: string) => Promise<unknown>;
}

/** All sorts of objects that have fields to set, as they stand in the example model. */
export const UPDATE_SUBJECTS = {
  model: {
    kind: "model",
    read: "model_get",
    object: (e) => e.model,
    refs: () => ({}),
    sibling: (stage, _, key) => stage.ok("model/model_create", { key, name: "Sibling" }),
  },
  type: {
    kind: "type",
    read: "type_get",
    object: (e) => e.string,
    refs: (e, by) => ({ typeRef: e.string[by] }),
    sibling: (stage, { model }, key) => aType(stage, model, key),
  },
  entity: {
    kind: "entity",
    read: "entity_get",
    object: (e) => e.customer,
    refs: (e, by) => ({ entityRef: e.customer[by] }),
    sibling: (stage, { model }, key) => anEntity(stage, model, key),
  },
  entity_attribute: {
    kind: "attribute",
    read: "entity_attribute_get",
    object: (e) => e.code,
    refs: (e, by) => ({ entityRef: e.customer[by], attributeRef: e.code[by] }),
    sibling: (stage, { model, customer, string }, key) =>
      anAttribute(stage, { model, entity: customer, type: string }, key),
  },
  relationship: {
    kind: "relationship",
    read: "relationship_get",
    object: (e) => e.places,
    refs: (e, by) => ({ relationshipRef: e.places[by] }),
    sibling: (stage, { model, person }, key) => aRelationship(stage, { model, a: person, b: person }, key),
  },
  relationship_attribute: {
    kind: "attribute",
    read: "relationship_attribute_get",
    object: (e) => e.channel,
    refs: (e, by) => ({ relationshipRef: e.places[by], attributeRef: e.channel[by] }),
    sibling: (stage, { model, places, string }, key) =>
      anAttribute(stage, { model, relationship: places, type: string }, key),
  },
  business_key: {
    kind: "business_key",
    read: "business_key_get",
    object: (e) => e.customerCode,
    refs: (e, by) => ({ businessKeyRef: e.customerCode[by] }),
    sibling: (stage, { model, customer }, key) => aBusinessKey(stage, { model, entity: customer }, key),
  },
} as const satisfies Readonly<Record<string, Subject>>;

export type UpdateSubject = keyof typeof UPDATE_SUBJECTS;
