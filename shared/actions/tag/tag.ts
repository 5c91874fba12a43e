import * as z from "zod/mini";
import type { Principal } from "../../domain/accounts/principal.ts";
import { tagGroupFields } from "../../domain/fields/model-fields.ts";
import { globalTag, groupOfTag, model, tag, tagGroup } from "../../domain/kinds.ts";
import { createChange, deleteChange } from "../../domain/model/changes.ts";
import { type GroupedTag, includeMember, indexGlobalTags, omitUndefined } from "../../domain/model/content.ts";
import type { GlobalTag, Tag, TagGroup } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { type TagScope, type TagSearchFilters, tagSearchFilters } from "../../domain/search/filter-types.ts";
import { parseStoredJson } from "../../domain/text/json-values.ts";
import { tagGroupKey, tagKey } from "../../domain/values/model-types.ts";
import { type Properties, properties } from "../../domain/values/properties.ts";
import { markdown, singleLine, uri } from "../../domain/values/value-types.ts";
import { createNamedSchema, describe, writtenOutput } from "../building/answers.ts";
import { createDescribed, createKindActions, defineUpdateField, toSubject } from "../building/field-actions.ts";
import { createOwnIdSchema } from "../building/ids.ts";
import { createListOutput, findOrUndefined, pagingParams, selectPage, toPage, toReading } from "../building/reads.ts";
import { createKindRows, type KindRows, toRow } from "../building/rows.ts";
import { type Action, mayRun } from "../contract/action.ts";
import { mapConcurrently } from "../contract/concurrency.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam, requireParam } from "../contract/params.ts";
import type { Store } from "../contract/store.ts";
import type { ReadView } from "../contract/view.ts";
import { requireRef } from "../pipeline/resolve.ts";

const createIdentitySchema = () =>
  createNamedSchema("IdAndKey", { id: createOwnIdSchema("Id of the group or model."), key: z.string() });

const createTagSchema = () =>
  createNamedSchema("Tag", {
    id: createOwnIdSchema("Id of the tag."),
    key: z.string(),
    group: describe(z.optional(createIdentitySchema()), "The group of a global tag."),
    groupId: z.optional(createOwnIdSchema("Id of that group.")),
    model: describe(z.optional(createIdentitySchema()), "The model of a local tag."),
    tagScopeRef: describe(
      createNamedSchema("TagScopeRef", {
        type: z.enum(["global", "model"]),
        id: z.optional(createOwnIdSchema("Id of the model.")),
      }),
      "The scope of its use.",
    ),
    name: z.optional(z.string()),
    description: z.optional(z.string()),
    properties: z.optional(properties.schema()),
    origin: describe(z.optional(uri.schema()), "The origin of a local tag."),
  });

type TagRow = z.infer<ReturnType<typeof createTagSchema>>;

type Texts = Pick<Tag, "name" | "description" | "properties">;

function toTagTexts({ name, description, properties: json }: Texts) {
  const properties = json === undefined ? undefined : parseStoredJson<Properties>(json);
  return omitUndefined({ name, description, properties });
}

function toGlobalTagRow({ tag, group }: GroupedTag): TagRow {
  return {
    id: tag.id,
    key: tag.key,
    group: { id: group.id, key: group.key },
    groupId: group.id,
    tagScopeRef: { type: "global" },
    ...toTagTexts(tag),
  };
}

function toLocalTagRow(tag: Tag, { ledgerId: modelId, modelKey }: ReadView): TagRow {
  return {
    id: tag.id,
    key: tag.key,
    model: { id: modelId, key: modelKey },
    tagScopeRef: { type: "model", id: modelId },
    ...toTagTexts(tag),
    ...includeMember("origin", tag.origin),
  };
}

const tagGlobalCreate = defineAction({
  group: "tag",
  name: "tag_global_create",
  title: "Create global tag",
  description: "Creates a tag in a group, for all models.",
  intent: "create",
  rule: "tag_global_manage",
  within: groupOfTag,
  input: {
    key: requireParam(tagKey, "The key of the new tag, unique in its group."),
    name: allowParam(singleLine, "Its name."),
    description: allowParam(markdown, "Its meaning for the objects that have it."),
  },
  output: writtenOutput,
  errors: ["key_taken"],
  example: { groupRef: "key:privacy", key: "secret", name: "Secret" },
  run: async ({ within, input, call }) => {
    const newTag: GlobalTag = {
      kind: "global_tag",
      ...createDescribed(call, input.key, input),
      owner: within.id,
    };
    return { subject: toSubject(newTag), changes: [createChange(newTag)] };
  },
});

const globalTagRows: KindRows<ReturnType<typeof createTagSchema>, GlobalTag> = {
  schema: createTagSchema,
  prepare: async (_, view) => async (tag) =>
    toGlobalTagRow({ tag, group: await requireRef(view, tagGroup, { scheme: "id", value: tag.owner }) }),
};

const personal = { tagRef: "key:privacy/personal" };
const globalActions = createKindActions(globalTag, {
  prefix: "tag_global",
  group: "tag",
  rule: "tag_global_manage",
  readRule: "signed_in",
  one: "a global tag",
  example: personal,
});

const tagGlobalActions = [
  tagGlobalCreate,
  globalActions.get(globalTagRows, "Reads one global tag with its group."),
  globalActions.updateKey(tagKey, "personal-data", " in its group. Objects keep the tag"),
  defineUpdateField("tag_global_update_name", globalTag, "name", {
    group: "tag",
    title: "Rename global tag",
    description: "Changes the name of a global tag.",
    rule: "tag_global_manage",
    value: requireParam(singleLine, "The new name."),
    example: { ...personal, value: "Personal data" },
  }),
  globalActions.updateDescription("Contains data about a person."),
  ...globalActions.properties,
  // Links to the tag keep its id; every reader ignores them.
  globalActions.delete("Deletes a global tag, which is removed from all objects.", writtenOutput),
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
    key: requireParam(tagKey, "The key of the new tag, unique in its model."),
    name: allowParam(singleLine, "Its name."),
    description: allowParam(markdown, "Its meaning for the objects that have it."),
  },
  output: writtenOutput,
  errors: ["key_taken"],
  example: { modelRef: "key:crm", key: "outdated", name: "Outdated" },
  run: async ({ input, call }) => {
    const newTag: Tag = { kind: "tag", ...createDescribed(call, input.key, input) };
    return { subject: toSubject(newTag), changes: [createChange(newTag)] };
  },
});

const localTagRows: KindRows<ReturnType<typeof createTagSchema>, Tag> = {
  schema: createTagSchema,
  prepare: async (_, view) => (target) => toLocalTagRow(target, view),
};

const localActions = createKindActions(tag, {
  prefix: "tag_local",
  group: "tag",
  rule: "tag_local_manage",
  noun: "local tag",
  one: "a tag of a model",
  example: { modelRef: "key:crm", tagRef: "key:draft" },
});

const tagLocalActions = [
  tagLocalCreate,
  localActions.get(localTagRows, "Reads one tag of a model.", "local tag"),
  localActions.updateKey(tagKey, "unfinished", ". Objects keep the tag"),
  localActions.updateName("Draft"),
  localActions.updateDescription("Not agreed yet."),
  ...localActions.properties,
  // Links to the tag keep its id; every reader ignores them.
  localActions.delete("Deletes a tag of a model, which is removed from all objects of the model.", writtenOutput),
] as const satisfies readonly Action[];

const tagSearch = defineAction({
  group: "tag",
  name: "tag_search",
  title: "Search tags",
  description:
    "Lists tags, sorted by key: those of the scopes in the filters, otherwise all. " +
    "Local tags are part of their model, so they require the permission model_read. " +
    "Without filters every model is searched.",
  intent: "read",
  rule: "signed_in",
  input: {
    filters: allowParam(tagSearchFilters, "Conditions for the tags; all tags unless given."),
    ...pagingParams,
  },
  output: createListOutput("The tags.", createTagSchema),
  errors: ["not_allowed", "not_found"],
  example: { filters: { items: [{ type: "scopeRef", condition: "is", value: { type: "global" } }] } },
  run: async ({ input, call, ports, tags }) => {
    const page = toPage(input);
    const scopes = await resolveScopes(input.filters, call.principal, ports.store);
    const lists = await mapConcurrently(scopes, CONCURRENT_SCOPES, (scope) =>
      listTagsInScope(scope, ports.store, tags),
    );
    // No tag has two scopes.
    const none = input.filters?.operator === "and" && scopes.length > 1 && input.filters.scopes.length > 0;
    const rows = none ? [] : lists.flat().sort((a, b) => (toSortKey(a) < toSortKey(b) ? -1 : 1));
    return toReading(selectPage(rows, page, toSortKey), (items) => ({ items }));
  },
});

/** Scope to search. A listed model may be deleted meanwhile; a model in the filters must exist. */
type SearchedScope = TagScope & { readonly named: boolean };

async function resolveScopes(
  filters: TagSearchFilters | undefined,
  principal: Principal | undefined,
  store: Store,
): Promise<readonly SearchedScope[]> {
  const scopes = filters?.scopes ?? [];
  const seesModels = mayRun({ rule: "model_read" }, principal);
  if (scopes.length > 0) {
    if (!seesModels && scopes.some(({ type }) => type === "model")) {
      throw new Problem("not_allowed", "You need the permission model_read to search the tags of a model");
    }
    const byId = new Map(scopes.map((scope) => [scope.type === "model" ? scope.id : "", { ...scope, named: true }]));
    return [...byId.values()];
  }
  const models = seesModels ? (await store.listModels()).items : [];
  return [
    { type: "global", named: false },
    ...models.map(({ id }): SearchedScope => ({ type: "model", id, named: false })),
  ];
}

async function listTagsInScope(
  scope: SearchedScope,
  store: Store,
  tags: () => Promise<ReadView>,
): Promise<readonly TagRow[]> {
  if (scope.type === "global")
    return [...indexGlobalTags(await (await tags()).readObjects()).values()].map(toGlobalTagRow);
  const lookup = listLocalTags(scope.id, store);
  return scope.named ? lookup : ((await findOrUndefined(lookup)) ?? []);
}

const MAX_READS = 20;

async function listLocalTags(value: string, store: Store): Promise<readonly TagRow[]> {
  for (let reads = 0; reads < MAX_READS; reads++) {
    const view = await store.open({ scheme: "id", value });
    const { items } = await view.list("tag");
    if (await store.confirm(view)) return items.map((tag) => toLocalTagRow(tag, view));
  }
  throw new Problem("unavailable", `The tags of the model ${value} change too often; try again`);
}

const CONCURRENT_SCOPES = 8;

/** Returns the sort key of a row: by key, then by id. The space sorts before all characters of tag keys. */
const toSortKey = ({ key, id }: TagRow) => `${key} ${id}`;

const groupRows = createKindRows("TagGroup", tagGroupFields);

const tagGroupCreate = defineAction({
  group: "tag",
  name: "tag_group_create",
  title: "Create tag group",
  description: "Creates a group for global tags.",
  intent: "create",
  rule: "tag_group_manage",
  ledger: "tags",
  input: {
    key: requireParam(tagGroupKey, "The key of the new group."),
    name: allowParam(singleLine, "Its name."),
    description: allowParam(markdown, "The purpose of its tags."),
  },
  output: writtenOutput,
  errors: ["key_taken"],
  example: { key: "retention", name: "Retention" },
  run: async ({ input, call }) => {
    const newGroup: TagGroup = { kind: "tag_group", ...createDescribed(call, input.key, input) };
    return { subject: toSubject(newGroup), changes: [createChange(newGroup)] };
  },
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
  output: createListOutput("The tag groups.", groupRows.schema),
  errors: [],
  example: {},
  run: async ({ view, input }) =>
    toReading(await view.list("tag_group", undefined, toPage(input)), (groups) => ({
      items: groups.map((one) => toRow(one, tagGroupFields)),
    })),
});

const tagGroupDelete = defineAction({
  group: "tag",
  name: "tag_group_delete",
  title: "Delete tag group",
  description: "Deletes a tag group with all its tags, which are removed from all objects.",
  intent: "delete",
  rule: "tag_group_manage",
  target: tagGroup,
  output: writtenOutput,
  errors: [],
  example: { tagGroupRef: "key:privacy" },
  run: async ({ target, view }) => {
    const { items: tags } = await view.list("global_tag", target.id, { limit: 1, lookBack: true });
    return { subject: toSubject(target), changes: [deleteChange(target, tags.length > 0)] };
  },
});

const actions = createKindActions(tagGroup, {
  prefix: "tag_group",
  group: "tag",
  rule: "tag_group_manage",
  readRule: "signed_in",
  one: "a tag group",
  example: { tagGroupRef: "key:privacy" },
});

/** The actions of the group `tag`, except `maintenance_rebuild_caches`. */
export const tagActions = [
  tagGroupCreate,
  actions.get(groupRows, "Reads one tag group; `tag_search` finds its tags."),
  tagGroupList,
  actions.updateKey(tagGroupKey, "confidentiality", ", and so the refs of its tags"),
  actions.updateName("Confidentiality"),
  actions.updateDescription("Who may see which data."),
  ...actions.properties,
  tagGroupDelete,
  ...tagGlobalActions,
  ...tagLocalActions,
  tagSearch,
] as const satisfies readonly Action[];
