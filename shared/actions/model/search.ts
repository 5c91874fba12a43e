import * as z from "zod/mini";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import { searchFields, searchFilters } from "../../domain/search/filter-types.ts";
import { rowTest, type SearchFilters } from "../../domain/search/filters.ts";
import { FOUND_KINDS, type FoundKind, locationOf, pathIn, type SearchRow } from "../../domain/search/rows.ts";
import { listOutput, pageOf, paging, readingOf } from "../building/lists.ts";
import { namedObject } from "../building/named-object.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { declareExpanding } from "../contract/expanding.ts";
import { optional, required } from "../contract/params.ts";
import type { SearchMemory } from "../contract/search-cache.ts";
import type { Store, Summary } from "../contract/store.ts";
import type { Page, Rows } from "../contract/view.ts";
import { MODELS_AT_ONCE, searchedModels } from "./searched-models.ts";
import { filtersById, searchedTags, type TagLedgers } from "./searched-tags.ts";

/** The members that tell one sort of object in a location. */
type MemberOf<K extends FoundKind> = `${K}${"Id" | "Key" | "Label"}`;

/** One schema for each member that tells one of the sorts. */
function members<K extends FoundKind, S>(kinds: readonly K[], schema: () => S): Record<MemberOf<K>, S> {
  const names = kinds.flatMap((kind) => [`${kind}Id`, `${kind}Key`, `${kind}Label`]);
  // The names follow from the sorts that the loop goes through.
  return Object.fromEntries(names.map((name) => [name, schema()])) as Record<MemberOf<K>, S>;
}

/** Everything that lies in a model. */
const BELOW = FOUND_KINDS.filter((kind) => kind !== "model");

const found = () =>
  namedObject("FoundObject", {
    id: z.string(),
    location: namedObject("FoundLocation", {
      objectType: z.enum(FOUND_KINDS),
      ...members(["model"], () => z.string()),
      ...members(BELOW, () => z.optional(z.string())),
    }).check(
      z.describe("Ids, keys and labels of it and of what it lies in; a label is the name, or the key where none is."),
    ),
    path: pathMember(),
  });

/** The member that tells a place in one text. */
const pathMember = () =>
  declareExpanding(
    z.optional(z.string().check(z.describe("With `expand=keys` its place by keys, such as `crm/customer.email`."))),
    // The location as the row of an answer has it.
    ({ location }) => pathIn(location as Readonly<Record<string, string>>),
  );

const search = defineAction({
  group: "model",
  name: "search",
  title: "Search models",
  description: `Finds what is in all models, by tags, by text, by the constraints of attributes and by properties: models, types, entities, relationships, their attributes and roles, business keys and local tags. Text is looked for in keys, names and descriptions, without regard to case and accents; a blank text matches everything. Without conditions \`and\` finds everything and \`or\` nothing. Sorted by the key of the model, then types, entities, relationships, business keys and tags by key, with what belongs to each behind it. It finds everything whose write was answered before. What a process has read of a model it keeps until the model changes, for up to ${LIMITS.searchObjects} objects; then a search costs a read unit for each model. What it has not read takes about a second and 1,000 read units for 10,000 objects. A search that runs out of time has kept what it read, so that it can be repeated.`,
  intent: "read",
  rule: "model_read",
  input: {
    filters: required(searchFilters, "What to look for."),
    fields: optional(searchFields, "What to show of what is found; the location, whatever is given."),
    ...paging,
  },
  output: listOutput("What was found, each with its place.", found),
  errors: ["not_found"],
  example: { filters: { items: [{ type: "text", condition: "contains", value: "customer" }] }, fields: ["location"] },
  run: async ({ input, ports, tags, open }) => {
    const page = pageOf(input);
    const memory = (await ports.searches()).begin();
    const rows = await rowsThatPass(await testOf(input.filters, memory, { tags, open }), page, memory, ports.store);
    return readingOf(rows, (items) => ({ items: items.map((row) => ({ id: row.id, location: locationOf(row) })) }));
  },
});

type RowTest = (row: SearchRow) => boolean;

/** The test of rows that the filters amount to; undefined where nothing can pass it. */
async function testOf(filters: SearchFilters, memory: SearchMemory, ledgers: TagLedgers): Promise<RowTest | undefined> {
  if (filters.operator === "or" && filters.items.length === 0) return undefined;
  const byId = await filtersById(filters, memory, ledgers);
  const byTags = filters.items.some(({ type }) => type === "tags");
  const globalTags = byTags ? (await searchedTags(memory, await ledgers.tags())).ids : new Set<string>();
  return rowTest(byId, globalTags);
}

/** Ends the key of the model in a cursor; it sorts below every character of a key. */
const END = "\n";
/** Fewest bytes of one row of an answer. */
const ROW_BYTES = 150;

/** Goes through the models in the order of their keys until a page is full. */
async function rowsThatPass(
  passes: RowTest | undefined,
  { after = "", limit = Number.POSITIVE_INFINITY }: Page,
  memory: SearchMemory,
  store: Store,
): Promise<Rows<SearchRow>> {
  if (!passes) return { items: [] };
  const [firstKey = "", ...rest] = after.split(END);
  const firstPlace = rest.join(END);
  const models = (await store.models()).items.filter(({ key }) => key >= firstKey);
  const rows: { readonly model: Summary; readonly row: SearchRow }[] = [];
  for (let at = 0; at < models.length && rows.length <= limit; at += MODELS_AT_ONCE) {
    const some = models.slice(at, at + MODELS_AT_ONCE);
    const ids = some.map(({ id }) => id);
    const searched = await searchedModels(ids, memory, store);
    for (const model of some) {
      // The model was listed under that key, whatever its key is now: so a page goes on where the one before ended.
      const from = model.key === firstKey ? firstPlace : "";
      for (const row of searched.get(model.id)?.rows ?? [])
        if (row.place > from && passes(row)) rows.push({ model, row });
    }
    if (rows.length * ROW_BYTES > LIMITS.inflatedResponseBytes && limit === Number.POSITIVE_INFINITY) throw tooMany();
  }
  const last = rows[limit - 1];
  return {
    items: rows.slice(0, limit).map(({ row }) => row),
    ...(rows.length > limit && last && { next: `${last.model.key}${END}${last.row.place}` }),
  };
}

function tooMany(): Problem {
  return new Problem("result_too_large", "more was found than one answer may hold; ask for less with limit");
}

/** The `search` action. */
export const searchActions = [search] as const satisfies readonly Action[];
