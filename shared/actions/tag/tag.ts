import { globalTag, groupOfTag, model, tag, tagGroup } from "../../domain/kinds.ts";
import { createChange, deleteChange } from "../../domain/model/changes.ts";
import { optionalMember } from "../../domain/model/content.ts";
import type { GlobalTag, Tag } from "../../domain/model/objects.ts";
import { tagKey } from "../../domain/values/model-types.ts";
import { markdown, singleLine } from "../../domain/values/value-types.ts";
import { writtenOutput } from "../building/answers.ts";
import { defineUpdateField, defineUpdateKey, toSubject } from "../building/field-actions.ts";
import { defineDeleteProperty, defineUpdateProperty } from "../building/properties.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { clearableParam, optionalParam, requiredParam } from "../contract/params.ts";
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
      id: call.nextId(),
      key: input.key,
      revision: 0,
      owner: within.id,
      ...optionalMember("name", input.name),
      ...optionalMember("description", input.description),
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

const tagGlobalDelete = defineAction({
  group: "tag",
  name: "tag_global_delete",
  title: "Delete global tag",
  description: "Deletes a global tag, which is removed from all objects.",
  intent: "delete",
  rule: "tag_global_manage",
  target: globalTag,
  input: {},
  output: writtenOutput,
  errors: [],
  example: { tagRef: "key:privacy/personal" },
  // Links to the tag keep its id; every reader ignores them.
  run: async ({ target }) => ({ subject: toSubject(target), changes: [deleteChange(target, false)] }),
});

/** The `tag_global_*` actions. */
export const tagGlobalActions = [
  tagGlobalCreate,
  tagGlobalGet,
  defineUpdateKey("tag_global_update_key", globalTag, tagKey, {
    group: "tag",
    title: "Change global tag key",
    description: "Changes the key of a global tag in its group. Objects keep the tag.",
    rule: "tag_global_manage",
    example: { tagRef: "key:privacy/personal", value: "personal-data" },
  }),
  defineUpdateField("tag_global_update_name", globalTag, "name", {
    group: "tag",
    title: "Rename global tag",
    description: "Changes the name of a global tag.",
    rule: "tag_global_manage",
    value: requiredParam(singleLine, "The new name."),
    example: { tagRef: "key:privacy/personal", value: "Personal data" },
  }),
  defineUpdateField("tag_global_update_description", globalTag, "description", {
    group: "tag",
    title: "Describe global tag",
    description: "Changes or clears the description of a global tag.",
    rule: "tag_global_manage",
    value: clearableParam(markdown, "The new description; leave it out to clear it."),
    example: { tagRef: "key:privacy/personal", value: "Contains data about a person." },
  }),
  defineUpdateProperty("tag_global_update_property", globalTag, {
    group: "tag",
    rule: "tag_global_manage",
    example: { tagRef: "key:privacy/personal" },
  }),
  defineDeleteProperty("tag_global_delete_property", globalTag, {
    group: "tag",
    rule: "tag_global_manage",
    example: { tagRef: "key:privacy/personal" },
  }),
  tagGlobalDelete,
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
    const made: Tag = {
      kind: "tag",
      id: call.nextId(),
      key: input.key,
      revision: 0,
      ...optionalMember("name", input.name),
      ...optionalMember("description", input.description),
    };
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

const tagLocalDelete = defineAction({
  group: "tag",
  name: "tag_local_delete",
  title: "Delete local tag",
  description: "Deletes a tag of a model, which is removed from all objects of the model.",
  intent: "delete",
  rule: "tag_local_manage",
  target: tag,
  input: {},
  output: writtenOutput,
  errors: [],
  example: { modelRef: "key:crm", tagRef: "key:draft" },
  // Links to the tag keep its id; every reader ignores them.
  run: async ({ target }) => ({ subject: toSubject(target), changes: [deleteChange(target, false)] }),
});

/** The `tag_local_*` actions. */
export const tagLocalActions = [
  tagLocalCreate,
  tagLocalGet,
  defineUpdateKey("tag_local_update_key", tag, tagKey, {
    group: "tag",
    title: "Change local tag key",
    description: "Changes the key of a tag of a model. Objects keep the tag.",
    rule: "tag_local_manage",
    example: { modelRef: "key:crm", tagRef: "key:draft", value: "unfinished" },
  }),
  defineUpdateField("tag_local_update_name", tag, "name", {
    group: "tag",
    title: "Rename local tag",
    description: "Changes or clears the name of a tag of a model.",
    rule: "tag_local_manage",
    value: clearableParam(singleLine, "The new name; leave it out to clear it."),
    example: { modelRef: "key:crm", tagRef: "key:draft", value: "Draft" },
  }),
  defineUpdateField("tag_local_update_description", tag, "description", {
    group: "tag",
    title: "Describe local tag",
    description: "Changes or clears the description of a tag of a model.",
    rule: "tag_local_manage",
    value: clearableParam(markdown, "The new description; leave it out to clear it."),
    example: { modelRef: "key:crm", tagRef: "key:draft", value: "Not agreed yet." },
  }),
  defineUpdateProperty("tag_local_update_property", tag, {
    group: "tag",
    rule: "tag_local_manage",
    example: { modelRef: "key:crm", tagRef: "key:draft" },
  }),
  defineDeleteProperty("tag_local_delete_property", tag, {
    group: "tag",
    rule: "tag_local_manage",
    example: { modelRef: "key:crm", tagRef: "key:draft" },
  }),
  tagLocalDelete,
] as const satisfies readonly Action[];
