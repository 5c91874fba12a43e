import type { Body } from "../../support/world.ts";
import type { CheckedWorld } from "./checked-world.ts";
import {
  aBusinessKey,
  aGlobalTag,
  aLocalTag,
  aModel,
  anAttribute,
  anEntity,
  aRelationship,
  aTagGroup,
  aType,
  type Example,
  type Made,
} from "./models.ts";

type Refs = (e: Example, by: "ref" | "byId") => Readonly<Record<string, string>>;

interface Subject {
  readonly group: "model" | "tag" | "property";
  /** True where the ledger of tags and definitions holds the object, and no model. */
  readonly isShared: boolean;
  readonly read: string;
  /** The object in the answer of that action; the answer itself unless given. */
  readonly find?: (body: Body, e: Example) => Body;
  readonly object: (e: Example) => Made;
  /** The refs that lead to the object, outermost first; its own is the last. */
  readonly refs: Refs;
  /** The action that lists objects of the kind, and the refs of what it lists them from. */
  readonly list: readonly [action: string, refs: Refs] | undefined;
  /** Makes another object of the kind in the same scope. */
  readonly sibling: (world: CheckedWorld, e: Example, key: string) => Promise<unknown>;
}

const inInstance: Refs = () => ({});
const inModel: Refs = ({ model }, by) => ({ modelRef: model[by] });
const inCustomer: Refs = (e, by) => ({ ...inModel(e, by), entityRef: e.customer[by] });
const inPlaces: Refs = (e, by) => ({ ...inModel(e, by), relationshipRef: e.places[by] });

const ALL_TAGS = ["tag/tag_search", inInstance] as const;

/** Returns the subject of the actions that begin with `begin`. `within` gives the refs of its owner, `parameter` takes its ref. */
function createSubject(begin: string, name: ObjectName, within: Refs, parameter: string) {
  const group = begin.split("/")[0] as Subject["group"];
  const object = (e: Example): Made => e[name];
  const refs: Refs = (e, by) => ({ ...within(e, by), [parameter]: object(e)[by] });
  const isShared = within === inInstance && group !== "model";
  return { group, isShared, read: `${begin}_get`, list: [`${begin}_list`, within] as const, object, refs };
}

type ObjectName = Exclude<keyof Example, "revision">;

/** All kinds of objects that have fields to set, as they stand in the example model. */
export const UPDATE_SUBJECTS = {
  model: {
    ...createSubject("model/model", "model", inInstance, "modelRef"),
    list: undefined,
    sibling: (world, _, key) => aModel(world, key),
  },
  type: {
    ...createSubject("model/type", "string", inModel, "typeRef"),
    sibling: (world, { model }, key) => aType(world, model, key),
  },
  entity: {
    ...createSubject("model/entity", "customer", inModel, "entityRef"),
    sibling: (world, { model }, key) => anEntity(world, model, key),
  },
  entity_attribute: {
    ...createSubject("model/entity_attribute", "code", inCustomer, "attributeRef"),
    sibling: (world, e, key) => anAttribute(world, { ...e, entity: e.customer, type: e.string }, key),
  },
  relationship: {
    ...createSubject("model/relationship", "places", inModel, "relationshipRef"),
    sibling: (world, e, key) => aRelationship(world, { ...e, a: e.person, b: e.person }, key),
  },
  relationship_role: {
    ...createSubject("model/relationship", "buyer", inPlaces, "relationshipRoleRef"),
    list: undefined,
    find: ({ roles }, { buyer }) => roles.find(({ id }: Made) => id === buyer.id),
    sibling: (world, e, roleKey) => {
      const role = { roleKey, roleEntityRef: e.person.ref, roleCardinality: "one" };
      return world.ok("model/relationship_role_create", { ...inPlaces(e, "ref"), ...role });
    },
  },
  relationship_attribute: {
    ...createSubject("model/relationship_attribute", "channel", inPlaces, "attributeRef"),
    sibling: (world, e, key) => anAttribute(world, { ...e, relationship: e.places, type: e.string }, key),
  },
  business_key: {
    ...createSubject("model/business_key", "customerCode", inModel, "businessKeyRef"),
    sibling: (world, e, key) => aBusinessKey(world, { ...e, entity: e.customer }, key),
  },
  tag_local: {
    ...createSubject("tag/tag_local", "draft", inModel, "tagRef"),
    list: ALL_TAGS,
    sibling: (world, { model }, key) => aLocalTag(world, model, key),
  },
  tag_global: {
    ...createSubject("tag/tag_global", "personal", inInstance, "tagRef"),
    list: ALL_TAGS,
    sibling: (world, { privacy }, key) => aGlobalTag(world, privacy, key),
  },
  tag_group: {
    ...createSubject("tag/tag_group", "privacy", inInstance, "tagGroupRef"),
    sibling: (world, _, key) => aTagGroup(world, key),
  },
  definition: {
    ...createSubject("property/definition", "costCentre", inInstance, "definitionRef"),
    list: undefined,
    sibling: (world, _, key) => world.ok("property/definition_create", { key }),
  },
} as const satisfies Readonly<Record<string, Subject>>;

export type UpdateSubject = keyof typeof UPDATE_SUBJECTS;

/** Returns the subject with its optional members. */
export const findSubject = (of: UpdateSubject): Subject => UPDATE_SUBJECTS[of];
