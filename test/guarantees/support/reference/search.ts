import { type Filters, scanned } from "../../../store/support/search-scan.ts";
import type { Body } from "../../../support/world.ts";
import { type Asked, may, need, needNamed, type RefAction } from "./action.ts";
import { documentOf } from "./document.ts";
import { PAGING, page } from "./lists.ts";
import type { RefModel } from "./objects.ts";
import { Refusal } from "./problem.ts";
import { named } from "./state.ts";
import { globalTags } from "./tag-links.ts";
import { spellings, tagName } from "./tag-refs.ts";

/** The filters with every tag named by its id; `not_found` where a key leads nowhere. */
function byIds({ operator, items = [] }: Filters, { state }: Asked): Filters {
  const missing: string[] = [];
  const idOf = (ref: string): string => {
    const { id, key, group, model: ofModel } = tagName(ref) ?? {};
    if (id !== undefined) return `id:${id}`;
    const model = ofModel === undefined ? undefined : state.models.get(ofModel);
    const found =
      ofModel === undefined
        ? globalTags(state.tags).find(({ shown }) => shown === `${group}/${key}`)
        : model?.localTags.find((tag) => tag.key === key);
    if (!found) missing.push(...spellings(ref), ...(ofModel !== undefined && !model ? [`id:${ofModel}`] : []));
    return `id:${found?.id}`;
  };
  const known = items.map(({ value, ...one }) => ({
    ...one,
    ...(value !== undefined && {
      value: Array.isArray(value) && one.type === "tags" ? value.map(idOf) : value,
    }),
  }));
  if (missing.length > 0) throw new Refusal("not_found", { mentions: missing });
  return { ...(operator && { operator }), items: known };
}

/** Ends each part of a place; it comes before every character of a key. */
const END = "\n";

/**
 * The sort key of each object of a model: the model, types, entities, relationships, business keys and tags by their keys,
 * behind each the objects inside it: attributes in declared order, roles as they were made, which ids of the reference tell.
 */
function placesIn(model: RefModel): ReadonlyMap<string, string> {
  const places = new Map([[model.id, "0"]]);
  const listed = (rank: number, all: readonly { readonly id: string; readonly key: string }[]): void => {
    for (const { id, key } of all) places.set(id, `${rank}${END}${key}`);
  };
  listed(1, model.types);
  listed(2, model.entities);
  listed(3, model.relationships);
  listed(4, model.businessKeys);
  listed(5, model.localTags);
  const behind = (owner: string, id: string, place: string) => places.set(id, `${places.get(owner)}${END}${place}`);
  for (const { id, attributes } of [...model.entities, ...model.relationships]) {
    for (const one of attributes) behind(id, one.id, `b${rising(one.order)}`);
  }
  for (const { id, roles } of model.relationships) for (const one of roles) behind(id, one.id, `a${one.id}`);
  return places;
}

/** A number as a text; texts come in the order of their numbers, of which none reaches a million million. */
const rising = (order: number): string => (order + 1e12).toFixed(9).padStart(30, "0");

/** `search`. */
export const SEARCH: RefAction = {
  rule: "model_read",
  writes: false,
  params: {
    ...{ filters: need("SearchFilters"), models: may("List<ModelRef>"), fields: may("SearchFields") },
    ...PAGING,
  },
  run: (asked) => {
    const { models, tags } = asked.state;
    const filters = byIds(asked.input.filters as Filters, asked);
    const known = tags.groups.flatMap((group) => group.tags.map((tag) => ({ ...tag, group })));
    const given = asked.input.models as readonly string[] | undefined;
    const refs = given?.length ? given : undefined;
    const missing = refs?.filter((ref) => !named(models.values(), ref)) ?? [];
    if (missing.length > 0) throw new Refusal("not_found", { mentions: missing });
    const chosen = refs ? new Set(refs.map((ref) => needNamed(models.values(), ref))) : models.values();
    const rows = [...chosen].flatMap((model) => {
      const places = placesIn(model);
      const document: Body = documentOf(model, () => tags);
      return scanned([document], known, filters).map((row: Body) => ({
        row,
        key: `${model.key}${END}${places.get(row.id)}`,
      }));
    });
    return page(asked, rows, (shown) => ({ items: shown.map(({ row }) => row) }));
  },
};
