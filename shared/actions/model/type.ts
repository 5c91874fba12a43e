import { sourcedFields } from "../../domain/fields/model-fields.ts";
import { model, type } from "../../domain/kinds.ts";
import { createChange, deleteChange } from "../../domain/model/changes.ts";
import { optionalMember } from "../../domain/model/content.ts";
import type { Type } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { markdown, singleLine, typeKey } from "../../domain/values/value-types.ts";
import { deletedOutput, writtenOutput } from "../building/answers.ts";
import { defineUpdateField, defineUpdateKey, toSubject } from "../building/field-actions.ts";
import { defineDeleteProperty, defineUpdateProperty } from "../building/properties.ts";
import { defineGetObject, defineListObjects } from "../building/reads.ts";
import { createKindRows } from "../building/rows.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { clearableParam, optionalParam, requiredParam } from "../contract/params.ts";

const rows = createKindRows("Type", sourcedFields);

const typeCreate = defineAction({
  group: "model",
  name: "type_create",
  title: "Create type",
  description: "Creates a type for attributes of the model.",
  intent: "create",
  rule: "model_write",
  within: model,
  input: {
    typeKey: requiredParam(typeKey, "The key of the new type."),
    name: optionalParam(singleLine, "Its name."),
    description: optionalParam(markdown, "Its meaning."),
  },
  output: writtenOutput,
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
    return { subject: toSubject(made), changes: [createChange(made)] };
  },
});

/** The number of attributes in an error message. */
const NAMED_USES = 5;

const typeDelete = defineAction({
  group: "model",
  name: "type_delete",
  title: "Delete type",
  description: "Deletes a type that no attribute of the model uses.",
  intent: "delete",
  rule: "model_write",
  target: type,
  input: {},
  output: deletedOutput,
  errors: ["still_used"],
  example: { modelRef: "key:crm", typeRef: "key:unused" },
  run: async ({ target, view }) => {
    const { entities, relationships, attributes } = await view.readContent(true);
    const uses = [...entities, ...relationships].flatMap((e) =>
      (attributes.get(e.id) ?? []).filter((a) => a.type === target.id).map((a) => `${e.key}.${a.key}`),
    );
    if (uses.length > 0) {
      const names = uses.slice(0, NAMED_USES).join(", ") + (uses.length > NAMED_USES ? ", …" : "");
      throw new Problem(
        "still_used",
        `Cannot delete type ${target.key}: ${uses.length} attribute(s) use it: ${names}. Give them another type first`,
      );
    }
    return { subject: toSubject(target), changes: [deleteChange(target, false)], removed: [] };
  },
});

/** The `type_*` actions. */
export const typeActions = [
  typeCreate,
  defineGetObject("type_get", type, rows, {
    title: "Get type",
    description: "Reads one type.",
    example: { modelRef: "key:crm", typeRef: "key:string" },
  }),
  defineListObjects("type_list", type, model, rows, {
    title: "List types",
    description: "Lists the types of a model, sorted by key.",
    items: "The types.",
    example: { modelRef: "key:crm" },
  }),
  defineUpdateKey("type_update_key", type, typeKey, {
    title: "Change type key",
    description: "Changes the key of a type. Attributes keep the type, because they refer to it by id.",
    rule: "model_write",
    example: { modelRef: "key:crm", typeRef: "key:string", value: "text" },
  }),
  defineUpdateField("type_update_name", type, "name", {
    title: "Rename type",
    description: "Changes or clears the name of a type.",
    rule: "model_write",
    value: clearableParam(singleLine, "The new name; leave it out to clear it."),
    example: { modelRef: "key:crm", typeRef: "key:string", value: "Text" },
  }),
  defineUpdateField("type_update_description", type, "description", {
    title: "Describe type",
    description: "Changes or clears the description of a type.",
    rule: "model_write",
    value: clearableParam(markdown, "The new description; leave it out to clear it."),
    example: { modelRef: "key:crm", typeRef: "key:string", value: "Any text." },
  }),
  defineUpdateProperty("type_update_property", type, {
    group: "model",
    rule: "model_write",
    example: { modelRef: "key:crm", typeRef: "key:string" },
  }),
  defineDeleteProperty("type_delete_property", type, {
    group: "model",
    rule: "model_write",
    example: { modelRef: "key:crm", typeRef: "key:string" },
  }),
  typeDelete,
] as const satisfies readonly Action[];
