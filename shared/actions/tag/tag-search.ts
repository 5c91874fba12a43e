import type { Principal } from "../../domain/accounts/principal.ts";
import { indexGlobalTags } from "../../domain/model/content.ts";
import { Problem } from "../../domain/problems.ts";
import { type TagScope, type TagSearchFilters, tagSearchFilters } from "../../domain/search/filter-types.ts";
import { createListOutput, findOrUndefined, pagingParams, toPage, toReading } from "../building/reads.ts";
import { mapConcurrently } from "../contract/concurrency.ts";
import { defineAction } from "../contract/define-action.ts";
import { optionalParam } from "../contract/params.ts";
import { mayRun } from "../contract/rules.ts";
import type { Store } from "../contract/store.ts";
import type { Page, ReadView, Rows } from "../contract/view.ts";
import { type TagRow, tagSchema, toGlobalTagRow, toLocalTagRow } from "./tag-row.ts";

/** The action `tag_search`. */
export const tagSearch = defineAction({
  group: "tag",
  name: "tag_search",
  title: "Search tags",
  description:
    "Lists tags, sorted by key: those of the scopes in the filters, otherwise all. Local tags are part of their model, so they require the permission model_read. Without filters every model is searched.",
  intent: "read",
  rule: "signed_in",
  input: {
    filters: optionalParam(tagSearchFilters, "Conditions for the tags; all tags unless given."),
    ...pagingParams,
  },
  output: createListOutput("The tags.", tagSchema),
  errors: ["not_allowed", "not_found"],
  example: { filters: { items: [{ type: "scopeRef", condition: "is", value: { type: "global" } }] } },
  run: async ({ input, call, ports, tags }) => {
    const page = toPage(input);
    const scopes = await resolveScopes(input.filters, call.principal, ports.store);
    const found = await mapConcurrently(scopes, CONCURRENT_SCOPES, (scope) =>
      listTagsInScope(scope, ports.store, tags),
    );
    // No tag has two scopes.
    const none = input.filters?.operator === "and" && scopes.length > 1 && input.filters.scopes.length > 0;
    return toReading(selectPage(none ? [] : found.flat(), page), (items) => ({ items }));
  },
});

/** A scope to search. A model in the list of models may be deleted meanwhile; a model in the filters must exist. */
type SearchedScope = TagScope & { readonly named: boolean };

/** Returns the scopes to search, each once: those in the filters, otherwise all that the caller may see. */
async function resolveScopes(
  filters: TagSearchFilters | undefined,
  principal: Principal | undefined,
  store: Store,
): Promise<readonly SearchedScope[]> {
  const named = filters?.scopes ?? [];
  const seesModels = mayRun({ rule: "model_read" }, principal);
  if (named.length > 0) {
    if (!seesModels && named.some(({ type }) => type === "model")) {
      throw new Problem("not_allowed", "You need the permission model_read to search the tags of a model");
    }
    const once = new Map(named.map((scope) => [scope.type === "model" ? scope.id : "", { ...scope, named: true }]));
    return [...once.values()];
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
  const looking = listLocalTags(scope.id, store);
  return scope.named ? looking : ((await findOrUndefined(looking)) ?? []);
}

/** The maximum number of reads of a model that changes during the search. */
const MAX_READS = 20;

async function listLocalTags(value: string, store: Store): Promise<readonly TagRow[]> {
  for (let reads = 0; reads < MAX_READS; reads++) {
    const view = await store.open({ scheme: "id", value });
    const { items } = await view.list("tag");
    if (await store.confirm(view)) return items.map((tag) => toLocalTagRow(tag, view));
  }
  throw new Problem("unavailable", `The tags of the model ${value} change too often; try again`);
}

/** The number of scopes that are searched at the same time. */
const CONCURRENT_SCOPES = 8;

/** Returns the sort key of a row: by key, then by id. The space sorts before all characters of tag keys. */
const toSortKey = ({ key, id }: TagRow): string => `${key} ${id}`;

function selectPage(rows: readonly TagRow[], { after = "", limit = rows.length }: Page): Rows<TagRow> {
  const sorted = rows
    .map((row) => ({ row, sortKey: toSortKey(row) }))
    .filter(({ sortKey }) => sortKey > after)
    .sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1));
  const last = sorted[limit - 1];
  const items = sorted.slice(0, limit).map(({ row }) => row);
  return { items, ...(sorted.length > limit && last && { next: last.sortKey }) };
}
