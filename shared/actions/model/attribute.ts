import { constraints } from "../../domain/constraints/check.ts";
import type { Constraints } from "../../domain/constraints/keywords.ts";
import { attributeFields } from "../../domain/fields/model-fields.ts";
import { attribute, entity, type Kind, relationship, relationshipAttribute, type } from "../../domain/kinds.ts";
import { create, remove, update } from "../../domain/model/changes.ts";
import { byOrder, ifDefined, ordersAt } from "../../domain/model/content.ts";
import type { Attribute } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import { jsonText } from "../../domain/text/json-values.ts";
import { entityAttributeRef, relationshipAttributeRef, typeRef } from "../../domain/values/ref-types.ts";
import type { ValueType } from "../../domain/values/value-type.ts";
import { attributeKey, flag, markdown, singleLine } from "../../domain/values/value-types.ts";
import { subjectOf, updateField, updateKey } from "../building/field-actions.ts";
import { deleteProperty, updateProperty } from "../building/property-actions.ts";
import { getObject } from "../building/lists.ts";
import { deleted, removedRows, written } from "../building/written.ts";
import { rowsOf } from "../building/rows.ts";
import type { Action, ActionTexts } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { clearing, optional, required } from "../contract/params.ts";
import { need } from "../pipeline/resolve.ts";
import { listAttributes } from "./attribute-list.ts";
import { primaryKeyRow } from "./entity.ts";

/** An entity or a relationship: the owner of attributes. */
type OwnerName = "entity" | "relationship";
type Owner<R extends string> = Kind<OwnerName, "model", R>;

/** The rows of attributes, of entities and of relationships alike. */
export const attributeRows = rowsOf("Attribute", attributeFields);

/** An action that makes an attribute in an owner, after those it has. */
export function createAttribute<A extends string, R extends string>(name: A, owner: Owner<R>, texts: ActionTexts) {
  return defineAction({
    group: "model",
    name,
    ...texts,
    intent: "create",
    rule: "model_write",
    within: owner,
    input: {
      attributeKey: required(attributeKey, "The key of the new attribute."),
      type: required(typeRef, "Its type."),
      optional: required(flag, "Whether a record may leave it out."),
      name: optional(singleLine, "Its name."),
      description: optional(markdown, "What it holds."),
      constraints: optional(constraints, "The values it may have."),
    },
    output: written,
    errors: ["key_taken"],
    run: async ({ within, view, input, call }) => {
      const made: Attribute = {
        kind: "attribute",
        id: call.nextId(),
        key: input.attributeKey,
        revision: 0,
        owner: within.id,
        ...ifDefined("name", input.name),
        ...ifDefined("description", input.description),
        type: (await need(view, type, input.type)).id,
        optional: input.optional,
        ...ifDefined("constraints", input.constraints && jsonText(input.constraints)),
        order: view.nextOrder(),
      };
      return { subject: subjectOf(made), changes: [create(made)] };
    },
  });
}

/** An action that gives an attribute another type of the model. */
export function updateAttributeType<A extends string, P extends OwnerName, R extends string>(
  name: A,
  kind: Kind<"attribute", P, R>,
  texts: ActionTexts,
) {
  return defineAction({
    group: "model",
    name,
    ...texts,
    intent: "update",
    rule: "model_write",
    target: kind,
    input: { value: required(typeRef, "The new type.") },
    output: written,
    errors: [],
    run: async ({ target, view, input }) => {
      const { id } = await need(view, type, input.value);
      return { subject: subjectOf(target), changes: update(target, { type: id }) };
    },
  });
}

/** The parameter of constraints, which are stored as their text. */
export const newConstraints = {
  value: clearing(constraints, "The new constraints, all of them; leave it out to clear them."),
  stored: (given: Constraints | undefined) => given && jsonText(given),
};

/** An action that puts an attribute before or behind another one of its owner. */
export function moveAttribute<A extends string, P extends "entity" | "relationship", R extends string>(
  name: A,
  kind: Kind<"attribute", P, R>,
  ref: ValueType<Ref>,
  texts: ActionTexts,
) {
  return defineAction({
    group: "model",
    name,
    ...texts,
    intent: "update",
    rule: "model_write",
    target: kind,
    input: {
      beforeRef: optional(ref, "The attribute that it is put before; either this or `afterRef`."),
      afterRef: optional(ref, "The attribute that it is put after."),
    },
    output: written,
    errors: [],
    prepare: async ({ input }) => refuseOtherThanOne(input.beforeRef, input.afterRef),
    run: async ({ target, view, input }) => {
      // Orders are given out between those that are there, so that none of them may be missing.
      const { items } = await view.list("attribute", target.owner, { lookBack: true });
      const all = items.toSorted(byOrder);
      const neighbour = neighbourIn(all, input.beforeRef ?? input.afterRef);
      const others = all.filter(({ id }) => id !== target.id);
      const place = others.indexOf(neighbour) + (input.beforeRef ? 0 : 1);
      const stands = neighbour.id === target.id || all[place]?.id === target.id;
      const orders = stands ? [] : ordersAt(target, others, place, view.nextOrder);
      return { subject: subjectOf(target), changes: [...orders].flatMap(([one, order]) => update(one, { order })) };
    },
  });
}

/** The attribute that a ref names, or `not_found`. */
function neighbourIn(attributes: readonly Attribute[], ref: Ref | undefined): Attribute {
  const found = ref && attributes.find((one) => one[ref.scheme] === ref.value);
  if (found) return found;
  throw new Problem("not_found", `no attribute ${ref ? printRef(ref) : ""} beside it`);
}

function refuseOtherThanOne(before: Ref | undefined, after: Ref | undefined): void {
  if ((before === undefined) !== (after === undefined)) return;
  const detail = before ? "beforeRef and afterRef do not go together; give one of them" : "give beforeRef or afterRef";
  const errors = ["/beforeRef", "/afterRef"].map((pointer) => ({ pointer, detail }));
  throw new Problem("bad_parameters", detail, { errors });
}

const entityAttributeDelete = defineAction({
  group: "model",
  name: "entity_attribute_delete",
  title: "Delete entity attribute",
  description:
    "Deletes an attribute of an entity and takes it out of the primary key and of business keys, which the answer tells.",
  intent: "delete",
  rule: "model_write",
  target: attribute,
  input: {},
  output: deleted,
  errors: [],
  example: { modelRef: "key:crm", entityRef: "key:customer", attributeRef: "key:code" },
  run: async ({ target, within, view }) => {
    const without = (ids: readonly string[]) => ids.filter((id) => id !== target.id);
    const { items: businessKeys } = await view.list("business_key", undefined, { lookBack: true });
    const inKeys = businessKeys.filter((b) => b.participants.includes(target.id));
    return {
      subject: subjectOf(target),
      changes: [
        remove(target, false),
        ...update(within, { primaryKey: without(within.primaryKey) }),
        ...inKeys.flatMap((b) => update(b, { participants: without(b.participants) })),
      ],
      removed: [
        ...primaryKeyRow(within, [target]),
        ...removedRows("business_key", inKeys).map((row) => ({ ...row, remains: true as const })),
      ],
    };
  },
});

/** The `entity_attribute_*` actions. */
export const entityAttributeActions = [
  createAttribute("entity_attribute_create", entity, {
    title: "Create entity attribute",
    description: "Creates an attribute of an entity, after those it has.",
    example: {
      modelRef: "key:crm",
      entityRef: "key:customer",
      attributeKey: "code",
      type: "key:string",
      optional: false,
    },
  }),
  getObject("entity_attribute_get", attribute, attributeRows, {
    title: "Get entity attribute",
    description: "Reads one attribute of an entity.",
    example: { modelRef: "key:crm", entityRef: "key:customer", attributeRef: "key:code" },
  }),
  listAttributes("entity_attribute_list", entity, {
    title: "List entity attributes",
    description:
      "Lists the attributes of an entity in declared order, or with `sort=key` by key. An attribute that nobody makes, moves or deletes while pages are read is on exactly one of them.",
    example: { modelRef: "key:crm", entityRef: "key:customer" },
  }),
  updateKey("entity_attribute_update_key", attribute, attributeKey, {
    title: "Change attribute key",
    description: "Gives an attribute of an entity another key; it stays in the primary key.",
    rule: "model_write",
    example: { modelRef: "key:crm", entityRef: "key:customer", attributeRef: "key:code", value: "number" },
  }),
  updateField("entity_attribute_update_name", attribute, "name", {
    title: "Rename attribute",
    description: "Changes or clears the name of an attribute of an entity.",
    rule: "model_write",
    value: clearing(singleLine, "The new name; leave it out to clear it."),
    example: { modelRef: "key:crm", entityRef: "key:customer", attributeRef: "key:code", value: "Code" },
  }),
  updateField("entity_attribute_update_description", attribute, "description", {
    title: "Describe attribute",
    description: "Changes or clears the description of an attribute of an entity.",
    rule: "model_write",
    value: clearing(markdown, "The new description; leave it out to clear it."),
    example: {
      modelRef: "key:crm",
      entityRef: "key:customer",
      attributeRef: "key:code",
      value: "Unique per customer.",
    },
  }),
  updateAttributeType("entity_attribute_update_type", attribute, {
    title: "Change attribute type",
    description: "Gives an attribute of an entity another type.",
    example: { modelRef: "key:crm", entityRef: "key:customer", attributeRef: "key:code", value: "key:integer" },
  }),
  updateField("entity_attribute_update_optional", attribute, "optional", {
    title: "Make attribute optional",
    description: "Says whether a record may leave an attribute of an entity out.",
    rule: "model_write",
    value: required(flag, "true for optional, false for required."),
    example: { modelRef: "key:crm", entityRef: "key:customer", attributeRef: "key:code", value: true },
  }),
  updateField("entity_attribute_update_constraints", attribute, "constraints", {
    ...newConstraints,
    rule: "model_write",
    title: "Constrain attribute",
    description:
      "Changes or clears the constraints of an attribute of an entity: the new object takes the place of the old one as a whole.",
    example: {
      modelRef: "key:crm",
      entityRef: "key:customer",
      attributeRef: "key:code",
      value: { pattern: "^[A-Z]{3}$" },
    },
  }),
  updateProperty("entity_attribute_update_property", attribute, {
    group: "model",
    rule: "model_write",
    example: { modelRef: "key:crm", entityRef: "key:customer", attributeRef: "key:code" },
  }),
  deleteProperty("entity_attribute_delete_property", attribute, {
    group: "model",
    rule: "model_write",
    example: { modelRef: "key:crm", entityRef: "key:customer", attributeRef: "key:code" },
  }),
  moveAttribute("entity_attribute_move", attribute, entityAttributeRef, {
    title: "Move entity attribute",
    description:
      "Puts an attribute of an entity before or after another one, in lists, exports and copies; one that stands there already stays.",
    example: { modelRef: "key:crm", entityRef: "key:order", attributeRef: "key:date", beforeRef: "key:number" },
  }),
  entityAttributeDelete,
] as const satisfies readonly Action[];

const relationshipAttributeDelete = defineAction({
  group: "model",
  name: "relationship_attribute_delete",
  title: "Delete relationship attribute",
  description: "Deletes an attribute of a relationship.",
  intent: "delete",
  rule: "model_write",
  target: relationshipAttribute,
  input: {},
  output: deleted,
  errors: [],
  example: { modelRef: "key:crm", relationshipRef: "key:places", attributeRef: "key:channel" },
  run: async ({ target }) => ({ subject: subjectOf(target), changes: [remove(target, false)], removed: [] }),
});

/** The `relationship_attribute_*` actions. */
export const relationshipAttributeActions = [
  createAttribute("relationship_attribute_create", relationship, {
    title: "Create relationship attribute",
    description: "Creates an attribute of a relationship, after those it has.",
    example: {
      modelRef: "key:crm",
      relationshipRef: "key:places",
      attributeKey: "channel",
      type: "key:string",
      optional: false,
    },
  }),
  getObject("relationship_attribute_get", relationshipAttribute, attributeRows, {
    title: "Get relationship attribute",
    description: "Reads one attribute of a relationship.",
    example: { modelRef: "key:crm", relationshipRef: "key:places", attributeRef: "key:channel" },
  }),
  listAttributes("relationship_attribute_list", relationship, {
    title: "List relationship attributes",
    description:
      "Lists the attributes of a relationship in declared order, or with `sort=key` by key. An attribute that nobody makes, moves or deletes while pages are read is on exactly one of them.",
    example: { modelRef: "key:crm", relationshipRef: "key:places" },
  }),
  updateKey("relationship_attribute_update_key", relationshipAttribute, attributeKey, {
    title: "Change attribute key",
    description: "Gives an attribute of a relationship another key.",
    rule: "model_write",
    example: { modelRef: "key:crm", relationshipRef: "key:places", attributeRef: "key:channel", value: "medium" },
  }),
  updateField("relationship_attribute_update_name", relationshipAttribute, "name", {
    title: "Rename attribute",
    description: "Changes or clears the name of an attribute of a relationship.",
    rule: "model_write",
    value: clearing(singleLine, "The new name; leave it out to clear it."),
    example: { modelRef: "key:crm", relationshipRef: "key:places", attributeRef: "key:channel", value: "Channel" },
  }),
  updateField("relationship_attribute_update_description", relationshipAttribute, "description", {
    title: "Describe attribute",
    description: "Changes or clears the description of an attribute of a relationship.",
    rule: "model_write",
    value: clearing(markdown, "The new description; leave it out to clear it."),
    example: {
      modelRef: "key:crm",
      relationshipRef: "key:places",
      attributeRef: "key:channel",
      value: "Shop, telephone or web.",
    },
  }),
  updateAttributeType("relationship_attribute_update_type", relationshipAttribute, {
    title: "Change attribute type",
    description: "Gives an attribute of a relationship another type.",
    example: { modelRef: "key:crm", relationshipRef: "key:places", attributeRef: "key:channel", value: "key:integer" },
  }),
  updateField("relationship_attribute_update_optional", relationshipAttribute, "optional", {
    title: "Make attribute optional",
    description: "Says whether a record may leave an attribute of a relationship out.",
    rule: "model_write",
    value: required(flag, "true for optional, false for required."),
    example: { modelRef: "key:crm", relationshipRef: "key:places", attributeRef: "key:channel", value: true },
  }),
  updateField("relationship_attribute_update_constraints", relationshipAttribute, "constraints", {
    ...newConstraints,
    rule: "model_write",
    title: "Constrain attribute",
    description:
      "Changes or clears the constraints of an attribute of a relationship: the new object takes the place of the old one as a whole.",
    example: {
      modelRef: "key:crm",
      relationshipRef: "key:places",
      attributeRef: "key:channel",
      value: { enum: ["web", "shop"] },
    },
  }),
  updateProperty("relationship_attribute_update_property", relationshipAttribute, {
    group: "model",
    rule: "model_write",
    example: { modelRef: "key:crm", relationshipRef: "key:places", attributeRef: "key:channel" },
  }),
  deleteProperty("relationship_attribute_delete_property", relationshipAttribute, {
    group: "model",
    rule: "model_write",
    example: { modelRef: "key:crm", relationshipRef: "key:places", attributeRef: "key:channel" },
  }),
  moveAttribute("relationship_attribute_move", relationshipAttribute, relationshipAttributeRef, {
    title: "Move relationship attribute",
    description:
      "Puts an attribute of a relationship before or after another one, in lists, exports and copies; one that stands there already stays.",
    example: { modelRef: "key:crm", relationshipRef: "key:places", attributeRef: "key:channel", afterRef: "key:since" },
  }),
  relationshipAttributeDelete,
] as const satisfies readonly Action[];
