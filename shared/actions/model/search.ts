import * as z from "zod/mini";
import { globalTag, tag } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { compareByKey, indexGlobalTags } from "../../domain/model/content.ts";
import { Problem } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import { searchFields, searchFilters } from "../../domain/search/filter-types.ts";
import type { SearchFilter, SearchFilters } from "../../domain/search/filters.ts";
import { FOUND_KINDS, type FoundKind, type FoundObject, formatLocation, toLocation } from "../../domain/search/rows.ts";
import { modelRef } from "../../domain/values/ref-types.ts";
import { createListType } from "../../domain/values/value-types.ts";
import { namedObjectSchema } from "../building/answers.ts";
import { createListOutput, pagingParams, toPage, toReading } from "../building/reads.ts";
import { findGlobalTag } from "../building/tags.ts";
import type { Action } from "../contract/action.ts";
import { mapConcurrently } from "../contract/concurrency.ts";
import { defineAction } from "../contract/define-action.ts";
import { declareExpandedMember } from "../contract/expanded-members.ts";
import { optionalParam, requiredParam } from "../contract/params.ts";
import type { ListedModel, SearchedTags, Searches } from "../contract/ports.ts";
import type { Store } from "../contract/store.ts";
import type { ReadView } from "../contract/view.ts";
import { need } from "../pipeline/resolve.ts";

/** The members that tell one sort of object in a location. */
type MemberOf<K extends FoundKind> = `${K}${"Id" | "Key" | "Label"}`;

/** One schema for each member that tells one of the sorts. */
function createMemberSchemas<K extends FoundKind, S>(kinds: readonly K[], schema: () => S): Record<MemberOf<K>, S> {
  const names = kinds.flatMap((kind) => [`${kind}Id`, `${kind}Key`, `${kind}Label`]);
  // The names follow from the sorts that the loop goes through.
  return Object.fromEntries(names.map((name) => [name, schema()])) as Record<MemberOf<K>, S>;
}

/** Everything that lies in a model. */
const KINDS_IN_MODELS = FOUND_KINDS.filter((kind) => kind !== "model");

const foundSchema = () =>
  namedObjectSchema("FoundObject", {
    id: z.string(),
    location: namedObjectSchema("FoundLocation", {
      objectType: z.enum(FOUND_KINDS),
      ...createMemberSchemas(["model"], () => z.string()),
      ...createMemberSchemas(KINDS_IN_MODELS, () => z.optional(z.string())),
    }).check(
      z.describe("Ids, keys and labels of it and of what it lies in; a label is the name, or the key where none is."),
    ),
    path: pathSchema(),
  });

/** The member that tells a place in one text. */
const pathSchema = () =>
  declareExpandedMember(
    z.optional(z.string().check(z.describe("With `expand=keys` its place by keys, such as `crm/customer.email`."))),
    // The location as the row of an answer has it.
    ({ location }) => formatLocation(location as Readonly<Record<string, string>>),
  );

const search = defineAction({
  group: "model",
  name: "search",
  title: "Search models",
  description: `Finds what is in all models, by tags, by text, by the constraints of attributes and by properties: models, types, entities, relationships, their attributes and roles, business keys and local tags. Text is looked for in keys, names and descriptions, without regard to case and accents; a blank text matches everything. Without conditions \`and\` finds everything and \`or\` nothing. Sorted by the key of the model, then types, entities, relationships, business keys and tags by key, with what belongs to each behind it. It finds everything whose write was answered before. The store of \`npm start\` has an index in its own file; after many writes the first search may wait for it, and is \`out_of_time\` while it is built. In the cloud a process keeps an index of what it has read, up to ${LIMITS.searchObjects} objects: then a search costs a read unit for each model, and what is not read yet about 1,000 read units for 10,000 objects, and the time to read and index them. Models that hold more are \`too_large\`, unless up to ${LIMITS.searchedModels} of them are named in \`models\`. A search that runs out of time has kept what it read, so that it can be repeated.`,
  intent: "read",
  rule: "model_read",
  input: {
    filters: requiredParam(searchFilters, "What to look for."),
    models: optionalParam(
      createListType(modelRef, LIMITS.searchedModels),
      "The models to look into; all that the caller may read where none is named. One that is not there is `not_found`.",
    ),
    fields: optionalParam(searchFields, "What to show of what is found; the location, whatever is given."),
    ...pagingParams,
  },
  output: createListOutput("What was found, each with its place.", foundSchema),
  errors: ["not_found", "too_large"],
  example: { filters: { items: [{ type: "text", condition: "contains", value: "customer" }] }, fields: ["location"] },
  run: async ({ input, ports, tags, open }) => {
    const { operator, items: conditions } = input.filters;
    const searches = await ports.searches();
    const filters = await resolveFilterTags(input.filters, searches, { tags, open });
    const models = input.models?.length ? await openNamedModels(input.models, ports.store) : undefined;
    // Nothing can pass it.
    if (operator === "or" && conditions.length === 0)
      return toReading<FoundObject>({ items: [] }, (items) => ({ items }));
    const byTags = conditions.some(({ type }) => type === "tags");
    const globalTags = byTags ? (await loadSearchedTags(searches, await tags())).ids : new Set<string>();
    const terms = { filters, globalTags, page: toPage(input), ...(models && { models }) };
    const rows = await searches.find(terms, ports.store);
    return toReading(rows, (items) => ({ items: items.map((row) => ({ id: row.id, location: toLocation(row) })) }));
  },
});

/** The models that a search names, each once, sorted by key; `not_found` for one that is not there for the caller. */
async function openNamedModels(refs: readonly Ref[], store: Store): Promise<readonly ListedModel[]> {
  const views = await mapConcurrently(refs, CONCURRENT_OPENS, (ref) => store.open(ref));
  const models = new Map(views.map(({ ledgerId: id, modelKey: key }) => [id, { id, key }]));
  return [...models.values()].sort(compareByKey);
}

/** Models that are looked up at the same time. */
const CONCURRENT_OPENS = 8;

/** The `search` action. */
export const searchActions = [search] as const satisfies readonly Action[];

/** How the ledgers that tags live in are opened. */
interface TagLedgers {
  readonly tags: () => Promise<ReadView>;
  readonly open: (ref: Ref) => Promise<ReadView>;
}

/** The filters with the ids of the tags they name; a key that names none is `not_found`. */
async function resolveFilterTags(
  { operator, items }: SearchFilters,
  memory: Pick<Searches, "tags">,
  ledgers: TagLedgers,
): Promise<SearchFilters<string>> {
  const models = new Map<string, Promise<ReadView>>();
  const open = (value: string): Promise<ReadView> => {
    const opening = models.get(value) ?? ledgers.open({ scheme: "id", value });
    models.set(value, opening);
    return opening;
  };
  const idOf = async (ref: Ref): Promise<string> => {
    if (ref.scheme === "id") return ref.value;
    if (ref.model !== undefined) return (await need(await open(ref.model), tag, ref)).id;
    return findGlobalTagId(ref, memory, ledgers);
  };
  const known = new Map<string, string>();
  const filters: SearchFilter<string>[] = [];
  for (const item of items) {
    if (item.type !== "tags" || !("value" in item)) {
      filters.push(item);
      continue;
    }
    const value: string[] = [];
    for (const ref of item.value) {
      const name = printRef(ref);
      const id = known.get(name) ?? (await idOf(ref));
      known.set(name, id);
      value.push(id);
    }
    filters.push({ ...item, value });
  }
  return { operator, items: filters };
}

async function findGlobalTagId(ref: Ref, memory: Pick<Searches, "tags">, { tags }: TagLedgers): Promise<string> {
  const ledger = await tags();
  const id = (await loadSearchedTags(memory, ledger)).byKey.get(`${ref.group}/${ref.value}`);
  // That there is none is said only of a ledger that is asked once more at the end.
  const found = id ?? (await findGlobalTag(ref, ledger))?.tag.id;
  if (found !== undefined) return found;
  throw new Problem("not_found", `no ${globalTag.noun} ${printRef(ref)}`);
}

/** All global tags, from memory where their ledger has not changed since. */
async function loadSearchedTags(memory: Pick<Searches, "tags">, ledger: ReadView): Promise<SearchedTags> {
  const kept = memory.tags;
  if (kept?.revision === ledger.revision) return kept;
  const tags = [...indexGlobalTags(await ledger.readObjects()).values()];
  const read = {
    revision: ledger.revision,
    byKey: new Map(tags.map((one) => [`${one.group.key}/${one.tag.key}`, one.tag.id])),
    ids: new Set(tags.map((one) => one.tag.id)),
  };
  memory.tags = read;
  return read;
}
