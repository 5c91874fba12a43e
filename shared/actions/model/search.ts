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
import { createNamedSchema, describe, describeText } from "../building/answers.ts";
import { createOwnIdSchema } from "../building/ids.ts";
import { createListOutput, modelRead, pagingParams, toPage, toReading } from "../building/reads.ts";
import { findGlobalTag } from "../building/tags.ts";
import type { Action } from "../contract/action.ts";
import { mapConcurrently } from "../contract/concurrency.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam, requireParam } from "../contract/params.ts";
import type { ListedModel, SearchedTags, Searches } from "../contract/ports.ts";
import type { Store } from "../contract/store.ts";
import type { ReadView } from "../contract/view.ts";
import { requireRef } from "../pipeline/resolve.ts";

type MemberOf<K extends FoundKind> = `${K}${"Id" | "Key" | "Label"}`;

function createMemberSchemas<K extends FoundKind, S extends z.ZodMiniType>(
  kinds: readonly K[],
  toMember: (schema: z.ZodMiniString) => S,
): Record<MemberOf<K>, S> {
  const members = kinds.flatMap((kind) => {
    const id = createOwnIdSchema(`Id of the ${kind.replace(/[A-Z]/g, " $&").toLowerCase()}.`);
    return [[`${kind}Id`, id] as const, [`${kind}Key`, z.string()] as const, [`${kind}Label`, z.string()] as const];
  });
  // The names follow from the kinds that the loop goes through.
  return Object.fromEntries(members.map(([name, schema]) => [name, toMember(schema)])) as Record<MemberOf<K>, S>;
}

const KINDS_IN_MODELS = FOUND_KINDS.filter((kind) => kind !== "model");

const createFoundSchema = () =>
  createNamedSchema("FoundObject", {
    id: createOwnIdSchema("Id of the object."),
    location: describe(
      createNamedSchema("FoundLocation", {
        objectType: z.enum(FOUND_KINDS),
        ...createMemberSchemas(["model"], (schema) => schema),
        ...createMemberSchemas(KINDS_IN_MODELS, (schema) => z.optional(schema)),
      }),
      "Ids, keys and labels of the object and of the objects that contain it. A label is the name, or the key if there is no name.",
    ),
    path: describeText("Its location by keys, such as `crm/customer.email`."),
  });

const search = defineAction({
  ...modelRead,
  name: "search",
  title: "Search models",
  description:
    `Searches all models by tags, by text, by the constraints and the logical types of attributes, and by properties. ` +
    `It finds models, types, entities, relationships, their attributes and roles, business keys and local tags. ` +
    `Text is searched in keys, names and descriptions, ignoring case and accents; a blank text matches everything. ` +
    `Without conditions \`and\` finds everything and \`or\` nothing. ` +
    `Results are sorted by the key of the model, then types, entities, relationships, business keys and tags by key, each followed by its parts. ` +
    `The search includes every write that was answered before. ` +
    `The store of \`npm start\` has an index in its own file; ` +
    `after many writes the first search may wait for the index, and is \`out_of_time\` while it is built. ` +
    `In the cloud a process keeps an index of the data it has read, up to ${LIMITS.searchObjects} objects. ` +
    `A search then costs one read unit per model; ` +
    `data that is not read yet costs about 1,000 read units per 10,000 objects, and the time to read and index it. ` +
    `More objects are \`too_large\`, unless \`models\` names up to ${LIMITS.searchedModels} of the models. ` +
    `A search that runs out of time keeps the data it has read, so that it can be repeated.`,
  input: {
    filters: requireParam(searchFilters, "The conditions."),
    models: allowParam(
      createListType(modelRef, LIMITS.searchedModels),
      "The models to search; all that the caller may read unless given. A missing model is `not_found`.",
    ),
    fields: allowParam(searchFields, "The members to answer; the location in any case."),
    ...pagingParams,
  },
  output: createListOutput("The objects found, each with its location.", createFoundSchema),
  errors: ["not_found", "too_large"],
  example: { filters: { items: [{ type: "text", condition: "contains", value: "customer" }] }, fields: ["location"] },
  run: async ({ input, ports, tags, open }) => {
    const { operator, items: conditions } = input.filters;
    const searches = await ports.searches();
    const filters = await resolveFilterTags(input.filters, searches, { tags, open });
    const models = input.models?.length ? await openNamedModels(input.models, ports.store) : undefined;
    if (operator === "or" && conditions.length === 0)
      return toReading<FoundObject>({ items: [] }, (items) => ({ items }));
    const byTags = conditions.some(({ type }) => type === "tags");
    const globalTags = byTags ? (await loadSearchedTags(searches, await tags())).ids : new Set<string>();
    const terms = { filters, globalTags, page: toPage(input), ...(models && { models }) };
    const rows = await searches.find(terms, ports.store);
    return toReading(rows, (items) => ({ items: items.map(toFoundRow) }));
  },
});

function toFoundRow(row: FoundObject) {
  const location = toLocation(row);
  return { id: row.id, location, path: formatLocation(location) };
}

/** Returns the models of a search, each once, sorted by key. Throws `not_found` for a missing or hidden model. */
async function openNamedModels(refs: readonly Ref[], store: Store): Promise<readonly ListedModel[]> {
  const views = await mapConcurrently(refs, CONCURRENT_OPENS, (ref) => store.open(ref));
  const models = new Map(views.map(({ ledgerId: id, modelKey: key }) => [id, { id, key }]));
  return [...models.values()].sort(compareByKey);
}

const CONCURRENT_OPENS = 8;

export const searchActions = [search] as const satisfies readonly Action[];

interface TagLedgers {
  readonly tags: () => Promise<ReadView>;
  readonly open: (ref: Ref) => Promise<ReadView>;
}

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
  const resolveId = async (ref: Ref) => {
    if (ref.scheme === "id") return ref.value;
    if (ref.model !== undefined) return (await requireRef(await open(ref.model), tag, ref)).id;
    return findGlobalTagId(ref, memory, ledgers);
  };
  const ids = new Map<string, string>();
  const filters: SearchFilter<string>[] = [];
  for (const item of items) {
    if (item.type !== "tags" || !("value" in item)) {
      filters.push(item);
      continue;
    }
    const value: string[] = [];
    for (const ref of item.value) {
      const name = printRef(ref);
      const id = ids.get(name) ?? (await resolveId(ref));
      ids.set(name, id);
      value.push(id);
    }
    filters.push({ ...item, value });
  }
  return { operator, items: filters };
}

async function findGlobalTagId(ref: Ref, memory: Pick<Searches, "tags">, { tags }: TagLedgers): Promise<string> {
  const ledger = await tags();
  const id = (await loadSearchedTags(memory, ledger)).byKey.get(`${ref.group}/${ref.value}`);
  // A cached list may be outdated, so a missing tag is looked up in the confirmed ledger.
  const tagId = id ?? (await findGlobalTag(ref, ledger))?.tag.id;
  if (tagId !== undefined) return tagId;
  throw new Problem("not_found", `no ${globalTag.noun} ${printRef(ref)}`);
}

async function loadSearchedTags(memory: Pick<Searches, "tags">, ledger: ReadView): Promise<SearchedTags> {
  const entry = memory.tags;
  if (entry?.revision === ledger.revision) return entry;
  const tags = [...indexGlobalTags(await ledger.readObjects()).values()];
  const index = {
    revision: ledger.revision,
    byKey: new Map(tags.map((one) => [`${one.group.key}/${one.tag.key}`, one.tag.id])),
    ids: new Set(tags.map((one) => one.tag.id)),
  };
  memory.tags = index;
  return index;
}
