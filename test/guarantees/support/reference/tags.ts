import { need, type RefAction } from "./action.ts";
import { PAGING, page } from "./lists.ts";
import type { RefModel, RefTag, RefTagGroup, RefTags } from "./objects.ts";
import { described, get, getBy, readBy, TEXTS, textActions, writeBy } from "./texts.ts";
import { drop, made, removed, requireFree } from "./writes.ts";

const modelRef = need("ModelRef");
const onLocal = { modelRef, tagRef: need("LocalTagRef") };
const onGlobal = { tagRef: need("GlobalTagRef") };
const onGroup = { tagGroupRef: need("TagGroupRef") };

const groupRow = ({ tags: _, ...group }: RefTagGroup) => group;

const localTagRow = (tag: RefTag, model: RefModel) => ({
  ...tag,
  model: { id: model.id, key: model.key },
  tagScopeRef: { type: "model", id: model.id },
});

const globalTagRow = (tag: RefTag, group: RefTagGroup) => ({
  ...tag,
  group: { id: group.id, key: group.key },
  groupId: group.id,
  tagScopeRef: { type: "global" },
});

/** The tags of groups and of these models, as `tag_search` lists them. */
export function listTags({ groups }: RefTags, models: Iterable<RefModel> = []) {
  const global = groups.flatMap((group) => group.tags.map((tag) => globalTagRow(tag, group)));
  const local = [...models].flatMap((model) => model.localTags.map((tag) => localTagRow(tag, model)));
  const place = ({ key, id }: RefTag) => `${key} ${id}`;
  return { items: [...global, ...local].sort((a, b) => (place(a) < place(b) ? -1 : 1)) };
}

export const LOCAL_TAG_ACTIONS: Readonly<Record<string, RefAction>> = {
  "tag/tag_local_create": writeBy(
    "tag_local_manage",
    { modelRef, key: need("TagKey"), ...TEXTS },
    ({ model, input, newId }) => {
      const tag: RefTag = { id: newId(), key: String(input.key), ...described(input) };
      requireFree(model.localTags, tag.key);
      return made(model, "tag", tag, () => model.localTags.push(tag));
    },
  ),
  "tag/tag_local_get": get(onLocal, ({ model, localTag }) => localTagRow(localTag, model)),
  ...textActions("tag/tag_local", {
    rule: "tag_local_manage",
    params: onLocal,
    kind: "tag",
    keyType: "TagKey",
    objectOf: ({ localTag }) => localTag,
    siblingsOf: ({ model }) => model.localTags,
  }),
  "tag/tag_local_delete": writeBy("tag_local_manage", onLocal, ({ model, localTag }) =>
    removed(model, "tag", localTag, () => drop(model.localTags, localTag)),
  ),
};

export const TAG_GROUP_ACTIONS: Readonly<Record<string, RefAction>> = {
  "tag/tag_group_create": {
    ...writeBy("tag_group_manage", { key: need("TagGroupKey"), ...TEXTS }, ({ state: { tags }, input, newId }) => {
      const group: RefTagGroup = { id: newId(), key: String(input.key), ...described(input), tags: [] };
      requireFree(tags.groups, group.key);
      return made(tags, "tag_group", group, () => tags.groups.push(group));
    }),
    ledger: "tags",
  },
  "tag/tag_group_get": getBy("signed_in", onGroup, ({ group }) => groupRow(group)),
  "tag/tag_group_list": {
    ...readBy("signed_in", PAGING, (asked) =>
      page(asked, asked.state.tags.groups, (rows) => ({ items: rows.map(groupRow) })),
    ),
    ledger: "tags",
  },
  ...textActions("tag/tag_group", {
    rule: "tag_group_manage",
    params: onGroup,
    kind: "tag_group",
    keyType: "TagGroupKey",
    objectOf: ({ group }) => group,
    siblingsOf: ({ state }) => state.tags.groups,
    ledgerOf: ({ state }) => state.tags,
  }),
  "tag/tag_group_delete": writeBy("tag_group_manage", onGroup, ({ state: { tags }, group }) =>
    removed(tags, "tag_group", group, () => drop(tags.groups, group)),
  ),
};

export const GLOBAL_TAG_ACTIONS: Readonly<Record<string, RefAction>> = {
  "tag/tag_global_create": writeBy(
    "tag_global_manage",
    { groupRef: need("TagGroupRef"), key: need("TagKey"), ...TEXTS },
    ({ state: { tags }, group, input, newId }) => {
      const tag: RefTag = { id: newId(), key: String(input.key), ...described(input) };
      requireFree(group.tags, tag.key);
      return made(tags, "global_tag", tag, () => group.tags.push(tag));
    },
  ),
  "tag/tag_global_get": getBy("signed_in", onGlobal, ({ globalTag, group }) => globalTagRow(globalTag, group)),
  ...textActions("tag/tag_global", {
    rule: "tag_global_manage",
    params: onGlobal,
    kind: "global_tag",
    keyType: "TagKey",
    objectOf: ({ globalTag }) => globalTag,
    siblingsOf: ({ group }) => group.tags,
    ledgerOf: ({ state }) => state.tags,
    hasName: true,
  }),
  "tag/tag_global_delete": writeBy("tag_global_manage", onGlobal, ({ state: { tags }, globalTag, group }) =>
    removed(tags, "global_tag", globalTag, () => drop(group.tags, globalTag)),
  ),
};
