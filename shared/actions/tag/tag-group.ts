import { tagGroupFields } from "../../domain/fields/model-fields.ts";
import { tagGroup } from "../../domain/kinds.ts";
import { createChange, deleteChange } from "../../domain/model/changes.ts";
import type { TagGroup } from "../../domain/model/objects.ts";
import { tagGroupKey } from "../../domain/values/model-types.ts";
import { markdown, singleLine } from "../../domain/values/value-types.ts";
import { namedObjectSchema, writtenOutput } from "../building/answers.ts";
import { createDescribed, createKindActions, toSubject } from "../building/field-actions.ts";
import { createListOutput, pagingParams, toPage, toReading } from "../building/reads.ts";
import { createRowShape, toRow } from "../building/rows.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { optionalParam, requiredParam } from "../contract/params.ts";
import { tagGlobalActions, tagLocalActions } from "./tag.ts";
import { tagSearch } from "./tag-search.ts";

const groupSchema = () => namedObjectSchema("TagGroup", createRowShape(tagGroupFields));

const toGroupRow = (one: TagGroup) => toRow(one, tagGroupFields);

const tagGroupCreate = defineAction({
  group: "tag",
  name: "tag_group_create",
  title: "Create tag group",
  description: "Creates a group for global tags.",
  intent: "create",
  rule: "tag_group_manage",
  ledger: "tags",
  input: {
    key: requiredParam(tagGroupKey, "The key of the new group."),
    name: optionalParam(singleLine, "Its name."),
    description: optionalParam(markdown, "The purpose of its tags."),
  },
  output: writtenOutput,
  errors: ["key_taken"],
  example: { key: "retention", name: "Retention" },
  run: async ({ input, call }) => {
    const made: TagGroup = { kind: "tag_group", ...createDescribed(call, input.key, input) };
    return { subject: toSubject(made), changes: [createChange(made)] };
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
  output: { mediaType: "application/json", description: "The tag group.", schema: groupSchema },
  errors: [],
  example: { tagGroupRef: "key:privacy" },
  run: async ({ target }) => ({ body: toGroupRow(target) }),
});

const tagGroupList = defineAction({
  group: "tag",
  name: "tag_group_list",
  title: "List tag groups",
  description: "Lists all tag groups, sorted by key.",
  intent: "read",
  rule: "signed_in",
  ledger: "tags",
  input: pagingParams,
  output: createListOutput("The tag groups.", groupSchema),
  errors: [],
  example: {},
  run: async ({ view, input }) =>
    toReading(await view.list("tag_group", undefined, toPage(input)), (groups) => ({ items: groups.map(toGroupRow) })),
});

const tagGroupDelete = defineAction({
  group: "tag",
  name: "tag_group_delete",
  title: "Delete tag group",
  description: "Deletes a tag group with all its tags, which are removed from all objects.",
  intent: "delete",
  rule: "tag_group_manage",
  target: tagGroup,
  input: {},
  output: writtenOutput,
  errors: [],
  example: { tagGroupRef: "key:privacy" },
  run: async ({ target, view }) => {
    const { items: tags } = await view.list("global_tag", target.id, { limit: 1, lookBack: true });
    return { subject: toSubject(target), changes: [deleteChange(target, tags.length > 0)] };
  },
});

const actions = createKindActions(tagGroup, {
  group: "tag",
  rule: "tag_group_manage",
  one: "a tag group",
  example: { tagGroupRef: "key:privacy" },
});

/** The actions of the group `tag`, except `maintenance_rebuild_caches`. */
export const tagActions = [
  tagGroupCreate,
  tagGroupGet,
  tagGroupList,
  actions.updateKey("tag_group_update_key", tagGroupKey, "confidentiality", ", and so the refs of its tags"),
  actions.updateName("tag_group_update_name", "Confidentiality"),
  actions.updateDescription("tag_group_update_description", "Who may see which data."),
  actions.updateProperty("tag_group_update_property"),
  actions.deleteProperty("tag_group_delete_property"),
  tagGroupDelete,
  ...tagGlobalActions,
  ...tagLocalActions,
  tagSearch,
] as const satisfies readonly Action[];
