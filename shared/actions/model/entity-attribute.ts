import { remove, update } from "../../domain/change.ts";
import { attribute, entity } from "../../domain/kinds.ts";
import { entityAttributeRef } from "../../domain/ref-types.ts";
import { attributeKey, flag, markdown, singleLine } from "../../domain/value-types.ts";
import { subjectOf, updateField, updateKey } from "../building/field-actions.ts";
import { deleteProperty, updateProperty } from "../building/property-actions.ts";
import { getObject } from "../building/reads.ts";
import { removedRows } from "../building/removed.ts";
import { deleted } from "../building/written.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { clearing, required } from "../contract/params.ts";
import { attributeRows, createAttribute, newConstraints, updateAttributeType } from "./attribute.ts";
import { listAttributes } from "./attribute-list.ts";
import { moveAttribute } from "./attribute-move.ts";
import { primaryKeyRow } from "./removed-keys.ts";

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
