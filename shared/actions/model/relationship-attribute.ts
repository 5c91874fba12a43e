import { remove } from "../../domain/change.ts";
import { relationship, relationshipAttribute } from "../../domain/kinds.ts";
import { relationshipAttributeRef } from "../../domain/ref-types.ts";
import { attributeKey, flag, markdown, singleLine } from "../../domain/value-types.ts";
import { subjectOf, updateField, updateKey } from "../building/field-actions.ts";
import { deleteProperty, updateProperty } from "../building/property-actions.ts";
import { getObject } from "../building/reads.ts";
import { deleted } from "../building/written.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { clearing, required } from "../contract/params.ts";
import { attributeRows, createAttribute, newConstraints, updateAttributeType } from "./attribute.ts";
import { listAttributes } from "./attribute-list.ts";
import { moveAttribute } from "./attribute-move.ts";

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
