import type { Body } from "../../support/world.ts";
import type { CheckedWorld } from "./checked-world.ts";
import {
  aBusinessKey,
  aGlobalTag,
  aLocalTag,
  anAttribute,
  anEntity,
  aRelationship,
  aTagGroup,
  aType,
  type Example,
  type Made,
} from "./models.ts";

type By = "ref" | "byId";
type Refs = (e: Example, by: By) => Readonly<Record<string, string>>;

/** A kind of object that actions which set a field address. */
interface Subject {
  /** The group of its actions. */
  readonly group: "model" | "tag" | "property";
  /** True where the ledger of tags and definitions holds the object, and no model. */
  readonly isShared?: true;
  /** The action that reads the object. */
  readonly read: string;
  /** The object in the answer of that action; the answer itself unless given. */
  readonly find?: (body: Body, e: Example) => Body;
  /** The object of the example model. */
  readonly object: (e: Example) => Made;
  /** The refs that lead to the object, outermost first; its own is the last. */
  readonly refs: Refs;
  /** The action that lists objects of the kind, and the refs of what it lists them from. */
  readonly list?: readonly [action: string, refs: Refs];
  /** Makes another object of the kind in the same scope. */
  readonly sibling: (world: CheckedWorld, e: Example, key: string) => Promise<unknown>;
}

const inModel: Refs = ({ model }, by) => ({ modelRef: model[by] });
const inCustomer: Refs = (e, by) => ({ ...inModel(e, by), entityRef: e.customer[by] });
const inPlaces: Refs = (e, by) => ({ ...inModel(e, by), relationshipRef: e.places[by] });
const inInstance: Refs = () => ({});

/** All kinds of objects that have fields to set, as they stand in the example model. */
export const UPDATE_SUBJECTS = {
  model: {
    group: "model",
    read: "model/model_get",
    object: (e) => e.model,
    refs: inModel,
    sibling: (world, _, key) => world.ok("model/model_create", { key, name: "Sibling" }),
  },
  type: {
    group: "model",
    read: "model/type_get",
    object: (e) => e.string,
    refs: (e, by) => ({ ...inModel(e, by), typeRef: e.string[by] }),
    list: ["model/type_list", inModel],
    sibling: (world, { model }, key) => aType(world, model, key),
  },
  entity: {
    group: "model",
    read: "model/entity_get",
    object: (e) => e.customer,
    refs: inCustomer,
    list: ["model/entity_list", inModel],
    sibling: (world, { model }, key) => anEntity(world, model, key),
  },
  entity_attribute: {
    group: "model",
    read: "model/entity_attribute_get",
    object: (e) => e.code,
    refs: (e, by) => ({ ...inCustomer(e, by), attributeRef: e.code[by] }),
    list: ["model/entity_attribute_list", inCustomer],
    sibling: (world, { model, customer, string }, key) =>
      anAttribute(world, { model, entity: customer, type: string }, key),
  },
  relationship: {
    group: "model",
    read: "model/relationship_get",
    object: (e) => e.places,
    refs: inPlaces,
    list: ["model/relationship_list", inModel],
    sibling: (world, { model, person }, key) => aRelationship(world, { model, a: person, b: person }, key),
  },
  relationship_role: {
    group: "model",
    read: "model/relationship_get",
    find: ({ roles }, { buyer }) => roles.find(({ id }: Made) => id === buyer.id),
    object: (e) => e.buyer,
    refs: (e, by) => ({ ...inPlaces(e, by), relationshipRoleRef: e.buyer[by] }),
    sibling: (world, e, roleKey) =>
      world.ok("model/relationship_role_create", {
        ...inPlaces(e, "ref"),
        ...{ roleKey, roleEntityRef: e.person.ref, roleCardinality: "one" },
      }),
  },
  relationship_attribute: {
    group: "model",
    read: "model/relationship_attribute_get",
    object: (e) => e.channel,
    refs: (e, by) => ({ ...inPlaces(e, by), attributeRef: e.channel[by] }),
    list: ["model/relationship_attribute_list", inPlaces],
    sibling: (world, { model, places, string }, key) =>
      anAttribute(world, { model, relationship: places, type: string }, key),
  },
  business_key: {
    group: "model",
    read: "model/business_key_get",
    object: (e) => e.customerCode,
    refs: (e, by) => ({ ...inModel(e, by), businessKeyRef: e.customerCode[by] }),
    list: ["model/business_key_list", inModel],
    sibling: (world, { model, customer }, key) => aBusinessKey(world, { model, entity: customer }, key),
  },
  tag_local: {
    group: "tag",
    read: "tag/tag_local_get",
    object: (e) => e.draft,
    refs: (e, by) => ({ ...inModel(e, by), tagRef: e.draft[by] }),
    list: ["tag/tag_search", inInstance],
    sibling: (world, { model }, key) => aLocalTag(world, model, key),
  },
  tag_global: {
    group: "tag",
    isShared: true,
    read: "tag/tag_global_get",
    object: (e) => e.personal,
    refs: (e, by) => ({ tagRef: e.personal[by] }),
    list: ["tag/tag_search", inInstance],
    sibling: (world, { privacy }, key) => aGlobalTag(world, privacy, key),
  },
  tag_group: {
    group: "tag",
    isShared: true,
    read: "tag/tag_group_get",
    object: (e) => e.privacy,
    refs: (e, by) => ({ tagGroupRef: e.privacy[by] }),
    list: ["tag/tag_group_list", inInstance],
    sibling: (world, _, key) => aTagGroup(world, key),
  },
  definition: {
    group: "property",
    isShared: true,
    read: "property/definition_get",
    object: (e) => e.costCentre,
    refs: (e, by) => ({ definitionRef: e.costCentre[by] }),
    sibling: (world, _, key) => world.ok("property/definition_create", { key }),
  },
} as const satisfies Readonly<Record<string, Subject>>;

export type UpdateSubject = keyof typeof UPDATE_SUBJECTS;

/** Returns the subject with its optional members. */
export const findSubject = (of: UpdateSubject): Subject => UPDATE_SUBJECTS[of];
