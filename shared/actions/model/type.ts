import { sourcedFields } from "../../domain/fields/model-fields.ts";
import { model, type } from "../../domain/kinds.ts";
import { createChange, deleteChange } from "../../domain/model/changes.ts";
import type { Type } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { markdown, singleLine, typeKey } from "../../domain/values/value-types.ts";
import { deletedOutput } from "../building/answers.ts";
import { createDescribed, createKindActions, modelWrite, toSubject } from "../building/field-actions.ts";
import { createKindRows } from "../building/rows.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam, requireParam } from "../contract/params.ts";

const rows = createKindRows("Type", sourcedFields);

const typeCreate = defineAction({
  ...modelWrite,
  name: "type_create",
  title: "Create type",
  description: "Creates a type for attributes of the model.",
  intent: "create",
  within: model,
  input: {
    typeKey: requireParam(typeKey, "The key of the new type."),
    name: allowParam(singleLine, "Its name."),
    description: allowParam(markdown, "Its meaning."),
  },
  errors: ["key_taken"],
  example: { modelRef: "key:crm", typeKey: "string", name: "Text" },
  run: async ({ input, call }) => {
    const newType: Type = { kind: "type", ...createDescribed(call, input.typeKey, input) };
    return { subject: toSubject(newType), changes: [createChange(newType)] };
  },
});

const NAMED_USES = 5;

const typeDelete = defineAction({
  ...modelWrite,
  name: "type_delete",
  title: "Delete type",
  description: "Deletes a type that no attribute of the model uses.",
  intent: "delete",
  target: type,
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
    return { subject: toSubject(target), changes: [deleteChange(target, false)], removals: [] };
  },
});

const actions = createKindActions(type, {
  prefix: "type",
  group: "model",
  rule: "model_write",
  one: "a type",
  example: { modelRef: "key:crm", typeRef: "key:string" },
});

export const typeActions = [
  typeCreate,
  actions.get(rows, "Reads one type."),
  actions.list(rows, "types", "Lists the types of a model, sorted by key."),
  actions.updateKey(typeKey, "text", ". Attributes keep the type, because they refer to it by id"),
  actions.updateName("Text"),
  actions.updateDescription("Any text."),
  ...actions.properties,
  typeDelete,
] as const satisfies readonly Action[];
