import { constraints } from "../../domain/constraints/check.ts";
import type { Constraints } from "../../domain/constraints/keywords.ts";
import { attribute, entity, type Kind, relationship, relationshipAttribute, type } from "../../domain/kinds.ts";
import { createChange, deleteChange, updateChanges } from "../../domain/model/changes.ts";
import { compareByOrder, computeOrders, includeMember } from "../../domain/model/content.ts";
import type { Attribute } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import { toCanonicalJson } from "../../domain/text/json-values.ts";
import { entityAttributeRef, relationshipAttributeRef, typeRef } from "../../domain/values/ref-types.ts";
import type { ValueType } from "../../domain/values/value-type.ts";
import { attributeKey, flag, markdown, singleLine } from "../../domain/values/value-types.ts";
import { deletedOutput, toRemovedRows } from "../building/answers.ts";
import {
  createDescribed,
  createKindActions,
  defineUpdateField,
  modelWrite,
  toSubject,
} from "../building/field-actions.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowClearing, allowParam, createParameterProblem, requireParam } from "../contract/params.ts";
import { requireRef } from "../pipeline/resolve.ts";
import { attributeRows, listAttributes } from "./attribute-list.ts";
import { toRemovedPrimaryKey } from "./entity.ts";

type OwnerName = "entity" | "relationship";

interface AttributeDefinition<P extends OwnerName, O extends string, R extends string> {
  readonly owner: Kind<P, "model", O>;
  readonly ofOwner: string;
  readonly kind: Kind<"attribute", P, R>;
  readonly refType: ValueType<Ref>;
  readonly keyNote?: string;
  readonly examples: {
    readonly owner: Readonly<Record<string, string>>;
    readonly key: string;
    readonly values: {
      readonly key: string;
      readonly name: string;
      readonly description: string;
      readonly constraints: Constraints;
    };
    readonly move: Readonly<Record<string, string>>;
  };
}

function createAttributeActions<X extends string, P extends OwnerName, O extends string, R extends string>(
  prefix: X,
  definition: AttributeDefinition<P, O, R>,
) {
  const { owner, ofOwner, kind, keyNote = "", examples } = definition;
  const { values } = examples;
  const one = { ...examples.owner, attributeRef: `key:${examples.key}` };
  const rule = "model_write";
  const actions = createKindActions(kind, {
    prefix,
    group: "model",
    rule,
    noun: "attribute",
    one: `an attribute of ${ofOwner}`,
    example: one,
  });
  return [
    createAttribute(`${prefix}_create`, definition),
    actions.get(attributeRows, `Reads one attribute of ${ofOwner}.`),
    listAttributes(`${prefix}_list`, owner, {
      title: `List ${kind.noun}s`,
      description:
        `Lists the attributes of ${ofOwner} in declared order, or with \`sort=key\` by key. ` +
        `An attribute that nobody creates, moves or deletes while pages are read is on exactly one page.`,
      example: examples.owner,
    }),
    actions.updateKey(attributeKey, values.key, keyNote),
    actions.updateName(values.name),
    actions.updateDescription(values.description),
    defineUpdateField(`${prefix}_update_type`, kind, "type", {
      title: "Change attribute type",
      description: `Changes the type of an attribute of ${ofOwner}.`,
      rule,
      value: requireParam(typeRef, "The new type."),
      convert: async (ref, _, view) => (await requireRef(view, type, ref)).id,
      example: { ...one, value: "key:integer" },
    }),
    defineUpdateField(`${prefix}_update_optional`, kind, "optional", {
      title: "Make attribute optional",
      description: `Sets whether a record may leave out an attribute of ${ofOwner}.`,
      rule,
      value: requireParam(flag, "true for optional, false for required."),
      example: { ...one, value: true },
    }),
    defineUpdateField(`${prefix}_update_constraints`, kind, "constraints", {
      title: "Constrain attribute",
      description: `Replaces or clears the constraints of an attribute of ${ofOwner}.`,
      rule,
      value: allowClearing(constraints, "The new constraints, all of them; leave it out to clear them."),
      convert: (value) => value && toCanonicalJson(value),
      example: { ...one, value: values.constraints },
    }),
    ...actions.properties,
    moveAttribute(`${prefix}_move`, definition),
  ] as const;
}

function createAttribute<A extends string, P extends OwnerName, O extends string, R extends string>(
  name: A,
  { owner, kind, ofOwner, examples }: AttributeDefinition<P, O, R>,
) {
  return defineAction({
    ...modelWrite,
    name,
    title: `Create ${kind.noun}`,
    description: `Creates an attribute of ${ofOwner}, after the existing ones.`,
    intent: "create",
    within: owner,
    input: {
      attributeKey: requireParam(attributeKey, "The key of the new attribute."),
      type: requireParam(typeRef, "Its type."),
      optional: requireParam(flag, "Whether a record may leave it out."),
      name: allowParam(singleLine, "Its name."),
      description: allowParam(markdown, "What it holds."),
      constraints: allowParam(constraints, "The values it may have."),
    },
    errors: ["key_taken"],
    example: { ...examples.owner, attributeKey: examples.key, type: "key:string", optional: false },
    run: async ({ within, view, input, call }) => {
      const object: Attribute = {
        kind: "attribute",
        ...createDescribed(call, input.attributeKey, input),
        owner: within.id,
        type: (await requireRef(view, type, input.type)).id,
        optional: input.optional,
        ...includeMember("constraints", input.constraints && toCanonicalJson(input.constraints)),
        order: view.takeNextOrder(),
      };
      return { subject: toSubject(object), changes: [createChange(object)] };
    },
  });
}

function moveAttribute<A extends string, P extends OwnerName, O extends string, R extends string>(
  name: A,
  { kind, ofOwner, refType, examples }: AttributeDefinition<P, O, R>,
) {
  return defineAction({
    ...modelWrite,
    name,
    title: `Move ${kind.noun}`,
    description: `Moves an attribute of ${ofOwner} before or after another one, in lists, exports and copies. An attribute that is already there stays.`,
    intent: "update",
    target: kind,
    input: {
      beforeRef: allowParam(refType, "The attribute that it is put before; either this or `afterRef`."),
      afterRef: allowParam(refType, "The attribute that it is put after."),
    },
    errors: [],
    example: examples.move,
    prepare: async ({ input }) => requireOneNeighbour(input.beforeRef, input.afterRef),
    run: async ({ target, view, input }) => {
      // New orders lie between existing ones, so the list must be complete, with recent commits.
      const { items } = await view.list("attribute", target.owner, { lookBack: true });
      const all = items.toSorted(compareByOrder);
      const neighbour = findNeighbour(all, input.beforeRef ?? input.afterRef);
      const others = all.filter(({ id }) => id !== target.id);
      const position = others.indexOf(neighbour) + (input.beforeRef ? 0 : 1);
      const isThere = neighbour.id === target.id || all[position]?.id === target.id;
      const orders = isThere ? [] : computeOrders(target, others, position, () => view.takeNextOrder());
      return {
        subject: toSubject(target),
        changes: [...orders].flatMap(([one, order]) => updateChanges(one, { order })),
      };
    },
  });
}

function findNeighbour(attributes: readonly Attribute[], ref: Ref | undefined): Attribute {
  const match = ref && attributes.find((one) => one[ref.scheme] === ref.value);
  if (match) return match;
  throw new Problem("not_found", `no attribute ${ref ? printRef(ref) : ""} in the same owner`);
}

function requireOneNeighbour(before: Ref | undefined, after: Ref | undefined) {
  if ((before === undefined) !== (after === undefined)) return;
  const detail = before ? "Both beforeRef and afterRef are given; give only one" : "Give either beforeRef or afterRef";
  throw createParameterProblem(detail, "beforeRef", "afterRef");
}

const ofCustomer = { modelRef: "key:crm", entityRef: "key:customer" };
const ofPlaces = { modelRef: "key:crm", relationshipRef: "key:places" };

const entityAttributeDelete = defineAction({
  ...modelWrite,
  name: "entity_attribute_delete",
  title: "Delete entity attribute",
  description:
    "Deletes an attribute of an entity and removes it from the primary key and from business keys, which the answer lists.",
  intent: "delete",
  target: attribute,
  output: deletedOutput,
  errors: [],
  example: { ...ofCustomer, attributeRef: "key:code" },
  run: async ({ target, within, view }) => {
    const removeId = (ids: readonly string[]) => ids.filter((id) => id !== target.id);
    const { items: businessKeys } = await view.list("business_key", undefined, { lookBack: true });
    const holders = businessKeys.filter((b) => b.participants.includes(target.id));
    return {
      subject: toSubject(target),
      changes: [
        deleteChange(target, false),
        ...updateChanges(within, { primaryKey: removeId(within.primaryKey) }),
        ...holders.flatMap((b) => updateChanges(b, { participants: removeId(b.participants) })),
      ],
      removals: [
        ...toRemovedPrimaryKey(within, [target]),
        ...toRemovedRows("business_key", holders).map((row) => ({ ...row, remains: true as const })),
      ],
    };
  },
});

const relationshipAttributeDelete = defineAction({
  ...modelWrite,
  name: "relationship_attribute_delete",
  title: "Delete relationship attribute",
  description: "Deletes an attribute of a relationship.",
  intent: "delete",
  target: relationshipAttribute,
  output: deletedOutput,
  errors: [],
  example: { ...ofPlaces, attributeRef: "key:channel" },
  run: async ({ target }) => ({ subject: toSubject(target), changes: [deleteChange(target, false)], removals: [] }),
});

export const entityAttributeActions = [
  ...createAttributeActions("entity_attribute", {
    owner: entity,
    ofOwner: "an entity",
    kind: attribute,
    refType: entityAttributeRef,
    keyNote: "; it stays in the primary key",
    examples: {
      owner: ofCustomer,
      key: "code",
      values: {
        key: "number",
        name: "Code",
        description: "Unique per customer.",
        constraints: { pattern: "^[A-Z]{3}$" },
      },
      move: { modelRef: "key:crm", entityRef: "key:order", attributeRef: "key:date", beforeRef: "key:number" },
    },
  }),
  entityAttributeDelete,
] as const satisfies readonly Action[];

export const relationshipAttributeActions = [
  ...createAttributeActions("relationship_attribute", {
    owner: relationship,
    ofOwner: "a relationship",
    kind: relationshipAttribute,
    refType: relationshipAttributeRef,
    examples: {
      owner: ofPlaces,
      key: "channel",
      values: {
        key: "medium",
        name: "Channel",
        description: "Shop, telephone or web.",
        constraints: { enum: ["web", "shop"] },
      },
      move: { ...ofPlaces, attributeRef: "key:channel", afterRef: "key:since" },
    },
  }),
  relationshipAttributeDelete,
] as const satisfies readonly Action[];
