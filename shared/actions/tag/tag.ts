import { globalTag, groupOfTag, model, tag, tagGroup } from "../../domain/kinds.ts";
import { createChange } from "../../domain/model/changes.ts";
import type { GlobalTag, Tag } from "../../domain/model/objects.ts";
import { tagKey } from "../../domain/values/model-types.ts";
import { markdown, singleLine } from "../../domain/values/value-types.ts";
import { writtenOutput } from "../building/answers.ts";
import { createDescribed, createKindActions, defineUpdateField, toSubject } from "../building/field-actions.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { optionalParam, requiredParam } from "../contract/params.ts";
import { need } from "../pipeline/resolve.ts";
import { tagSchema, toGlobalTagRow, toLocalTagRow } from "./tag-row.ts";

const tagGlobalCreate = defineAction({
  group: "tag",
  name: "tag_global_create",
  title: "Create global tag",
  description: "Creates a tag in a group, for all models.",
  intent: "create",
  rule: "tag_global_manage",
  within: groupOfTag,
  input: {
    key: requiredParam(tagKey, "The key of the new tag, unique in its group."),
    name: optionalParam(singleLine, "Its name."),
    description: optionalParam(markdown, "Its meaning for the objects that have it."),
  },
  output: writtenOutput,
  errors: ["key_taken"],
  example: { groupRef: "key:privacy", key: "secret", name: "Secret" },
  run: async ({ within, input, call }) => {
    const made: GlobalTag = {
      kind: "global_tag",
      ...createDescribed(call, input.key, input),
      owner: within.id,
    };
    return { subject: toSubject(made), changes: [createChange(made)] };
  },
});

const tagGlobalGet = defineAction({
  group: "tag",
  name: "tag_global_get",
  title: "Get global tag",
  description: "Reads one global tag with its group.",
  intent: "read",
  rule: "signed_in",
  target: globalTag,
  input: {},
  output: { mediaType: "application/json", description: "The global tag.", schema: tagSchema },
  errors: [],
  example: { tagRef: "key:privacy/personal" },
  run: async ({ target, view }) => {
    const group = await need(view, tagGroup, { scheme: "id", value: target.owner });
    return { body: toGlobalTagRow({ tag: target, group }) };
  },
});

const personal = { tagRef: "key:privacy/personal" };
const globalActions = createKindActions(globalTag, {
  group: "tag",
  rule: "tag_global_manage",
  one: "a global tag",
  example: personal,
});

/** The `tag_global_*` actions. */
export const tagGlobalActions = [
  tagGlobalCreate,
  tagGlobalGet,
  globalActions.updateKey("tag_global_update_key", tagKey, "personal-data", " in its group. Objects keep the tag"),
  defineUpdateField("tag_global_update_name", globalTag, "name", {
    group: "tag",
    title: "Rename global tag",
    description: "Changes the name of a global tag.",
    rule: "tag_global_manage",
    value: requiredParam(singleLine, "The new name."),
    example: { ...personal, value: "Personal data" },
  }),
  globalActions.updateDescription("tag_global_update_description", "Contains data about a person."),
  globalActions.updateProperty("tag_global_update_property"),
  globalActions.deleteProperty("tag_global_delete_property"),
  // Links to the tag keep its id; every reader ignores them.
  globalActions.delete("tag_global_delete", "Deletes a global tag, which is removed from all objects.", writtenOutput),
] as const satisfies readonly Action[];

const tagLocalCreate = defineAction({
  group: "tag",
  name: "tag_local_create",
  title: "Create local tag",
  description: "Creates a tag of one model.",
  intent: "create",
  rule: "tag_local_manage",
  within: model,
  input: {
    key: requiredParam(tagKey, "The key of the new tag, unique in its model."),
    name: optionalParam(singleLine, "Its name."),
    description: optionalParam(markdown, "Its meaning for the objects that have it."),
  },
  output: writtenOutput,
  errors: ["key_taken"],
  example: { modelRef: "key:crm", key: "outdated", name: "Outdated" },
  run: async ({ input, call }) => {
    const made: Tag = { kind: "tag", ...createDescribed(call, input.key, input) };
    return { subject: toSubject(made), changes: [createChange(made)] };
  },
});

const tagLocalGet = defineAction({
  group: "tag",
  name: "tag_local_get",
  title: "Get local tag",
  description: "Reads one tag of a model.",
  intent: "read",
  rule: "model_read",
  target: tag,
  input: {},
  output: { mediaType: "application/json", description: "The local tag.", schema: tagSchema },
  errors: [],
  example: { modelRef: "key:crm", tagRef: "key:draft" },
  run: async ({ target, view }) => ({ body: toLocalTagRow(target, view) }),
});

const localActions = createKindActions(tag, {
  group: "tag",
  rule: "tag_local_manage",
  called: "local tag",
  one: "a tag of a model",
  example: { modelRef: "key:crm", tagRef: "key:draft" },
});

/** The `tag_local_*` actions. */
export const tagLocalActions = [
  tagLocalCreate,
  tagLocalGet,
  localActions.updateKey("tag_local_update_key", tagKey, "unfinished", ". Objects keep the tag"),
  localActions.updateName("tag_local_update_name", "Draft"),
  localActions.updateDescription("tag_local_update_description", "Not agreed yet."),
  localActions.updateProperty("tag_local_update_property"),
  localActions.deleteProperty("tag_local_delete_property"),
  // Links to the tag keep its id; every reader ignores them.
  localActions.delete(
    "tag_local_delete",
    "Deletes a tag of a model, which is removed from all objects of the model.",
    writtenOutput,
  ),
] as const satisfies readonly Action[];
