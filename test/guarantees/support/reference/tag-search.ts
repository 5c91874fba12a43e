import { type Asked, may, type RefAction } from "./action.ts";
import { PAGING, page } from "./lists.ts";
import { Refusal } from "./problem.ts";
import { globalTagRow, localTagRow } from "./tags.ts";
import { read } from "./texts.ts";

interface Filters {
  readonly operator?: string;
  readonly items?: readonly { readonly value: { readonly type: string; readonly id?: string } }[];
}

/** Ids of the models that are asked about, "" for the tags of groups; each once. */
function scopesOf({ input, person, state }: Asked): readonly string[] {
  const { items = [] } = (input.filters ?? {}) as Filters;
  const seesModels = person?.permissions.has("model_read") ?? false;
  if (items.length === 0) return ["", ...(seesModels ? state.models.keys() : [])];
  const named = [...new Set(items.map(({ value }) => (value.type === "model" ? String(value.id).toLowerCase() : "")))];
  if (!seesModels && named.some((id) => id !== "")) throw new Refusal("not_allowed");
  const missing = named.filter((id) => id !== "" && !state.models.has(id));
  if (missing.length > 0) throw new Refusal("not_found", { mentions: missing.map((id) => `id:${id}`) });
  return named;
}

type Row = ReturnType<typeof localTagRow> | ReturnType<typeof globalTagRow>;

function found(asked: Asked): readonly Row[] {
  const { models, tags } = asked.state;
  return scopesOf(asked).flatMap((id): readonly Row[] => {
    const model = models.get(id);
    if (model) return model.localTags.map((tag) => localTagRow(tag, model));
    return tags.groups.flatMap((group) => group.tags.map((tag) => globalTagRow(tag, group)));
  });
}

/** `tag_search`: a tag has one scope, so that those that fit two are none. */
export const TAG_SEARCH: RefAction = read(
  { filters: may("TagSearchFilters"), ...PAGING },
  (asked) => {
    const { operator = "and", items = [] } = (asked.input.filters ?? {}) as Filters;
    const rows = found(asked);
    const fits = operator === "or" || items.length === 0 || scopesOf(asked).length === 1;
    const placed = (fits ? rows : []).map((row) => ({ row, key: `${row.key} ${row.id}` }));
    return page(asked, placed, (shown) => ({ items: shown.map(({ row }) => row) }));
  },
  "signed_in",
);
