import { tagGroupFields } from "../../domain/fields/model-fields.ts";
import { tagGroup } from "../../domain/kinds.ts";
import { createChange, deleteChange } from "../../domain/model/changes.ts";
import { optionalMember } from "../../domain/model/content.ts";
import type { TagGroup } from "../../domain/model/objects.ts";
import { tagGroupKey } from "../../domain/values/model-types.ts";
import { markdown, singleLine } from "../../domain/values/value-types.ts";
import { subjectOf, updateField, updateKey } from "../building/field-actions.ts";
import { listOutput, pageOf, paging, readingOf } from "../building/reads.ts";
import { namedObject, written } from "../building/answers.ts";
import { deleteProperty, updateProperty } from "../building/properties.ts";
import { rowOf, rowShape } from "../building/rows.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { clearing, optional, required } from "../contract/params.ts";
import { tagGlobalActions, tagLocalActions } from "./tag.ts";
import { tagSearch } from "./tag-search.ts";

const row = () => namedObject("TagGroup", rowShape(tagGroupFields));

const shown = (one: TagGroup) => rowOf(one, tagGroupFields);

const tagGroupCreate = defineAction({
  group: "tag",
  name: "tag_group_create",
  title: "Create tag group",
  description: "Creates a group that global tags can be made in.",
  intent: "create",
  rule: "tag_group_manage",
  ledger: "tags",
  input: {
    key: required(tagGroupKey, "The key of the new group."),
    name: optional(singleLine, "Its name."),
    description: optional(markdown, "What its tags are for."),
  },
  output: written,
  errors: ["key_taken"],
  example: { key: "retention", name: "Retention" },
  run: async ({ input, call }) => {
    const made: TagGroup = {
      kind: "tag_group",
      id: call.nextId(),
      key: input.key,
      revision: 0,
      ...optionalMember("name", input.name),
      ...optionalMember("description", input.description),
    };
    return { subject: subjectOf(made), changes: [createChange(made)] };
  },
});

const tagGroupGet = defineAction({
  group: "tag",
  name: "tag_group_get",
  title: "Get tag group",
  description: "Reads one tag group; `tag_search` finds its tags.",
  intent: "read",
  rule: "signed_in",
  target: tagGroup,
  input: {},
  output: { mediaType: "application/json", description: "The tag group.", schema: row },
  errors: [],
  example: { tagGroupRef: "key:privacy" },
  run: async ({ target }) => ({ body: shown(target) }),
});

const tagGroupList = defineAction({
  group: "tag",
  name: "tag_group_list",
  title: "List tag groups",
  description: "Lists all tag groups, sorted by key.",
  intent: "read",
  rule: "signed_in",
  ledger: "tags",
  input: paging,
  output: listOutput("The tag groups.", row),
  errors: [],
  example: {},
  run: async ({ view, input }) =>
    readingOf(await view.list("tag_group", undefined, pageOf(input)), (groups) => ({ items: groups.map(shown) })),
});

const tagGroupDelete = defineAction({
  group: "tag",
  name: "tag_group_delete",
  title: "Delete tag group",
  description: "Deletes a tag group with all its tags, which are taken from everything they mark.",
  intent: "delete",
  rule: "tag_group_manage",
  target: tagGroup,
  input: {},
  output: written,
  errors: [],
  example: { tagGroupRef: "key:privacy" },
  run: async ({ target, view }) => {
    const { items: tags } = await view.list("global_tag", target.id, { limit: 1, lookBack: true });
    return { subject: subjectOf(target), changes: [deleteChange(target, tags.length > 0)] };
  },
});

/** The actions of the group `tag`, except `maintenance_rebuild_caches`. */
export const tagActions = [
  tagGroupCreate,
  tagGroupGet,
  tagGroupList,
  updateKey("tag_group_update_key", tagGroup, tagGroupKey, {
    group: "tag",
    title: "Change tag group key",
    description: "Gives a tag group another key, which the refs of its tags then have too.",
    rule: "tag_group_manage",
    example: { tagGroupRef: "key:privacy", value: "confidentiality" },
  }),
  updateField("tag_group_update_name", tagGroup, "name", {
    group: "tag",
    title: "Rename tag group",
    description: "Changes or clears the name of a tag group.",
    rule: "tag_group_manage",
    value: clearing(singleLine, "The new name; leave it out to clear it."),
    example: { tagGroupRef: "key:privacy", value: "Confidentiality" },
  }),
  updateField("tag_group_update_description", tagGroup, "description", {
    group: "tag",
    title: "Describe tag group",
    description: "Changes or clears the description of a tag group.",
    rule: "tag_group_manage",
    value: clearing(markdown, "The new description; leave it out to clear it."),
    example: { tagGroupRef: "key:privacy", value: "Who may see what." },
  }),
  updateProperty("tag_group_update_property", tagGroup, {
    group: "tag",
    rule: "tag_group_manage",
    example: { tagGroupRef: "key:privacy" },
  }),
  deleteProperty("tag_group_delete_property", tagGroup, {
    group: "tag",
    rule: "tag_group_manage",
    example: { tagGroupRef: "key:privacy" },
  }),
  tagGroupDelete,
  ...tagGlobalActions,
  ...tagLocalActions,
  tagSearch,
] as const satisfies readonly Action[];
