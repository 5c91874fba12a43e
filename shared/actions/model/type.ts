import { sourcedFields } from "../../domain/fields/model-fields.ts";
import { model, type } from "../../domain/kinds.ts";
import { createChange, deleteChange } from "../../domain/model/changes.ts";
import { optionalMember } from "../../domain/model/content.ts";
import type { Type } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { markdown, singleLine, typeKey } from "../../domain/values/value-types.ts";
import { deleted, written } from "../building/answers.ts";
import { subjectOf, updateField, updateKey } from "../building/field-actions.ts";
import { deleteProperty, updateProperty } from "../building/properties.ts";
import { getObject, listObjects } from "../building/reads.ts";
import { rowsOf } from "../building/rows.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { clearing, optional, required } from "../contract/params.ts";

const rows = rowsOf("Type", sourcedFields);

const typeCreate = defineAction({
  group: "model",
  name: "type_create",
  title: "Create type",
  description: "Creates a type that attributes of the model can have.",
  intent: "create",
  rule: "model_write",
  within: model,
  input: {
    typeKey: required(typeKey, "The key of the new type."),
    name: optional(singleLine, "Its name."),
    description: optional(markdown, "What it means."),
  },
  output: written,
  errors: ["key_taken"],
  example: { modelRef: "key:crm", typeKey: "string", name: "Text" },
  run: async ({ input, call }) => {
    const made: Type = {
      kind: "type",
      id: call.nextId(),
      key: input.typeKey,
      revision: 0,
      ...optionalMember("name", input.name),
      ...optionalMember("description", input.description),
    };
    return { subject: subjectOf(made), changes: [createChange(made)] };
  },
});

/** How many attributes a refusal names. */
const NAMED_USES = 5;

const typeDelete = defineAction({
  group: "model",
  name: "type_delete",
  title: "Delete type",
  description: "Deletes a type that no attribute of the model has.",
  intent: "delete",
  rule: "model_write",
  target: type,
  input: {},
  output: deleted,
  errors: ["still_used"],
  example: { modelRef: "key:crm", typeRef: "key:unused" },
  run: async ({ target, view }) => {
    const { entities, relationships, attributes } = await view.content(true);
    const uses = [...entities, ...relationships].flatMap((e) =>
      (attributes.get(e.id) ?? []).filter((a) => a.type === target.id).map((a) => `${e.key}.${a.key}`),
    );
    if (uses.length > 0) {
      const named = uses.slice(0, NAMED_USES).join(", ") + (uses.length > NAMED_USES ? ", …" : "");
      throw new Problem(
        "still_used",
        `the type ${target.key} is used by ${uses.length} attribute(s): ${named}; give them another type first`,
      );
    }
    return { subject: subjectOf(target), changes: [deleteChange(target, false)], removed: [] };
  },
});

/** The `type_*` actions. */
export const typeActions = [
  typeCreate,
  getObject("type_get", type, rows, {
    title: "Get type",
    description: "Reads one type.",
    example: { modelRef: "key:crm", typeRef: "key:string" },
  }),
  listObjects("type_list", type, model, rows, {
    title: "List types",
    description: "Lists the types of a model, sorted by key.",
    items: "The types.",
    example: { modelRef: "key:crm" },
  }),
  updateKey("type_update_key", type, typeKey, {
    title: "Change type key",
    description: "Gives a type another key; attributes keep it, because they refer to it by id.",
    rule: "model_write",
    example: { modelRef: "key:crm", typeRef: "key:string", value: "text" },
  }),
  updateField("type_update_name", type, "name", {
    title: "Rename type",
    description: "Changes or clears the name of a type.",
    rule: "model_write",
    value: clearing(singleLine, "The new name; leave it out to clear it."),
    example: { modelRef: "key:crm", typeRef: "key:string", value: "Text" },
  }),
  updateField("type_update_description", type, "description", {
    title: "Describe type",
    description: "Changes or clears the description of a type.",
    rule: "model_write",
    value: clearing(markdown, "The new description; leave it out to clear it."),
    example: { modelRef: "key:crm", typeRef: "key:string", value: "Any text." },
  }),
  updateProperty("type_update_property", type, {
    group: "model",
    rule: "model_write",
    example: { modelRef: "key:crm", typeRef: "key:string" },
  }),
  deleteProperty("type_delete_property", type, {
    group: "model",
    rule: "model_write",
    example: { modelRef: "key:crm", typeRef: "key:string" },
  }),
  typeDelete,
] as const satisfies readonly Action[];
