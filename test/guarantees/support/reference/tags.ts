import { need, type RefAction } from "./action.ts";
import { PAGING, page } from "./lists.ts";
import type { RefModel, RefTag, RefTagGroup, RefTags } from "./objects.ts";
import { described, read, TEXTS, textActions, write } from "./texts.ts";
import { made, removed, requireFree } from "./writes.ts";

const modelRef = need("ModelRef");
const onLocal = { modelRef, tagRef: need("LocalTagRef") };
const onGlobal = { tagRef: need("GlobalTagRef") };
const onGroup = { tagGroupRef: need("TagGroupRef") };

const groupRow = ({ tags: _, ...group }: RefTagGroup) => group;

/** A tag of a model, as every action of the group answers it. */
const localTagRow = (tag: RefTag, model: RefModel) => ({
  ...tag,
  model: { id: model.id, key: model.key },
  tagScopeRef: { type: "model", id: model.id },
});

/** A tag of a group. */
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

/** The `tag_local_*` actions. */
export const LOCAL_TAG_ACTIONS: Readonly<Record<string, RefAction>> = {
  "tag/tag_local_create": write(
    { modelRef, key: need("TagKey"), ...TEXTS },
    ({ model, input, newId }) => {
      const tag: RefTag = { id: newId(), key: String(input.key), ...described(input) };
      requireFree(model.localTags, tag.key);
      return made(model, "tag", tag, () => model.localTags.push(tag));
    },
    "tag_local_manage",
  ),
  "tag/tag_local_get": read(onLocal, ({ model, localTag }) => ({ does: "read", body: localTagRow(localTag, model) })),
  ...textActions("tag/tag_local", {
    rule: "tag_local_manage",
    params: onLocal,
    kind: "tag",
    keyType: "TagKey",
    objectOf: ({ localTag }) => localTag,
    siblingsOf: ({ model }) => model.localTags,
  }),
  "tag/tag_local_delete": write(
    onLocal,
    ({ model, localTag }) =>
      removed(model, "tag", localTag, () => {
        model.localTags = model.localTags.filter((tag) => tag !== localTag);
      }),
    "tag_local_manage",
  ),
};

/** The `tag_group_*` actions. */
export const TAG_GROUP_ACTIONS: Readonly<Record<string, RefAction>> = {
  "tag/tag_group_create": {
    ...write(
      { key: need("TagGroupKey"), ...TEXTS },
      ({ state: { tags }, input, newId }) => {
        const group: RefTagGroup = { id: newId(), key: String(input.key), ...described(input), tags: [] };
        requireFree(tags.groups, group.key);
        return made(tags, "tag_group", group, () => tags.groups.push(group));
      },
      "tag_group_manage",
    ),
    ledger: "tags",
  },
  "tag/tag_group_get": read(onGroup, ({ group }) => ({ does: "read", body: groupRow(group) }), "signed_in"),
  "tag/tag_group_list": {
    ...read(
      PAGING,
      (asked) => page(asked, asked.state.tags.groups, (rows) => ({ items: rows.map(groupRow) })),
      "signed_in",
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
  "tag/tag_group_delete": write(
    onGroup,
    ({ state: { tags }, group }) =>
      removed(tags, "tag_group", group, () => {
        tags.groups = tags.groups.filter((one) => one !== group);
      }),
    "tag_group_manage",
  ),
};

/** The `tag_global_*` actions. */
export const GLOBAL_TAG_ACTIONS: Readonly<Record<string, RefAction>> = {
  "tag/tag_global_create": write(
    { groupRef: need("TagGroupRef"), key: need("TagKey"), ...TEXTS },
    ({ state: { tags }, group, input, newId }) => {
      const tag: RefTag = { id: newId(), key: String(input.key), ...described(input) };
      requireFree(group.tags, tag.key);
      return made(tags, "global_tag", tag, () => group.tags.push(tag));
    },
    "tag_global_manage",
  ),
  "tag/tag_global_get": read(
    onGlobal,
    ({ globalTag, group }) => ({ does: "read", body: globalTagRow(globalTag, group) }),
    "signed_in",
  ),
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
  "tag/tag_global_delete": write(
    onGlobal,
    ({ state: { tags }, globalTag, group }) =>
      removed(tags, "global_tag", globalTag, () => {
        group.tags = group.tags.filter((tag) => tag !== globalTag);
      }),
    "tag_global_manage",
  ),
};
