import * as z from "zod/mini";
import { globalTag, tag } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type GlobalTags, type GroupedTag, indexGlobalTags, optionalMember } from "../../domain/model/content.ts";
import type { ObjectByKind, Tag, Tagged } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import type { Requirement } from "../contract/store.ts";
import type { ReadView } from "../contract/view.ts";
import { namedObjectSchema } from "./answers.ts";

/** A tag as the row of a tagged object shows it; `key` is `<group>/<tag>` for a global one, as refs write it. */
export interface ShownTag {
  readonly id: string;
  readonly key: string;
  readonly name?: string;
}

/** The member of a row that shows tags. */
export const createTagMember = () => ({
  tags: z
    .array(namedObjectSchema("AttachedTag", { id: z.string(), key: z.string(), name: z.optional(z.string()) }))
    .check(z.describe("The tags it is marked with, sorted by key; a global one has the key `<group>/<tag>`.")),
});

/** Up to so many tags of many objects are looked up one by one; where they have more, all tags are read. */
const MAX_SINGLE_READS = 3;
/** All tags of one object are looked up one by one, so that the cost does not grow with the tags of the model. */
const MAX_SINGLE_READS_OF_ONE = LIMITS.tagsPerObject;

/** Looks up the tags of some objects, and answers how to show those of each; tags that are gone are left out. */
export async function prepareTags(
  objects: readonly Tagged[],
  view: ReadView,
  tags: () => Promise<ReadView>,
): Promise<(object: Tagged) => { readonly tags: readonly ShownTag[] }> {
  const ids = (member: keyof Tagged) => [...new Set(objects.flatMap((object) => object[member] ?? []))];
  const few = objects.length === 1 ? MAX_SINGLE_READS_OF_ONE : MAX_SINGLE_READS;
  const [local, global] = await Promise.all([
    readLocalTags(ids("tags"), view, few),
    readGlobalTags(ids("globalTags"), tags, few),
  ]);
  const shown = new Map<string, ShownTag>();
  for (const { id, key, name } of local) shown.set(id, { id, key, ...optionalMember("name", name) });
  for (const [id, { group, tag }] of global) {
    shown.set(id, { id, key: `${group.key}/${tag.key}`, ...optionalMember("name", tag.name) });
  }
  return ({ tags = [], globalTags = [] }) => ({
    tags: [...tags, ...globalTags].flatMap((id) => shown.get(id) ?? []).sort((a, b) => (a.key < b.key ? -1 : 1)),
  });
}

/** The tags of one object, as `tagsOf` has those of many: those of the model, and global ones with their groups. */
export const readTagsOfOne = {
  local: (ids: readonly string[], view: ReadView): Promise<readonly Tag[]> =>
    readLocalTags(ids, view, MAX_SINGLE_READS_OF_ONE),
  global: (ids: readonly string[], tags: () => Promise<ReadView>): Promise<GlobalTags> =>
    readGlobalTags(ids, tags, MAX_SINGLE_READS_OF_ONE),
};

/** The tags of the model with these ids; where there are many ids, other tags too. */
async function readLocalTags(ids: readonly string[], view: ReadView, few: number): Promise<readonly Tag[]> {
  if (ids.length === 0) return [];
  return ids.length > few ? (await view.list("tag")).items : readByIds(view, "tag", ids);
}

/** The rows of a list that cost no more than looking up one id. */
const ROWS_PER_ID = 4;

/** The tags with these ids: from a short list where that has all tags, otherwise one by one. */
async function readByIds<N extends "tag" | "global_tag">(
  view: ReadView,
  kind: N,
  ids: readonly string[],
): Promise<readonly ObjectByKind[N][]> {
  if (ids.length > MAX_SINGLE_READS) {
    const { items, next } = await view.list(kind, undefined, { limit: ids.length * ROWS_PER_ID });
    if (next === undefined) return items.filter(({ id }) => ids.includes(id));
  }
  const found = await Promise.all(ids.map((value) => view.find(kind, { scheme: "id", value })));
  return found.filter((tag) => tag !== undefined);
}

/** Global tags by id, with their groups; the ledger is not opened where none is asked for. */
export async function readGlobalTags(
  ids: readonly string[],
  tags: () => Promise<ReadView>,
  few = MAX_SINGLE_READS,
): Promise<GlobalTags> {
  if (ids.length === 0) return new Map();
  const ledger = await tags();
  if (ids.length > few) return indexGlobalTags(await ledger.readObjects());
  const living = await readByIds(ledger, "global_tag", ids);
  const owners = [...new Set(living.map(({ owner }) => owner))];
  const groups = await Promise.all(owners.map((value) => ledger.find("tag_group", { scheme: "id", value })));
  const byId = new Map(groups.map((group) => [group?.id, group]));
  return new Map(
    living.flatMap((tag) => {
      const group = byId.get(tag.owner);
      return group ? [[tag.id, { tag, group }] as const] : [];
    }),
  );
}

/** The global tag a ref names, with its group. */
export async function findGlobalTag(ref: Ref, ledger: ReadView): Promise<GroupedTag | undefined> {
  if (ref.group !== undefined) {
    const group = await ledger.find("tag_group", { scheme: "key", value: ref.group });
    const tag = group && (await ledger.find("global_tag", { scheme: "key", value: ref.value }, group.id));
    return tag && { tag, group };
  }
  const tag = await ledger.find("global_tag", ref);
  const group = tag && (await ledger.find("tag_group", { scheme: "id", value: tag.owner }));
  return group && { tag, group };
}

/**
 * A link to a tag: the member of the object that holds it, and the objects that have to be there still at the commit.
 */
export interface TagLink {
  readonly member: keyof Tagged;
  readonly id: string;
  readonly requires: readonly Requirement[];
}

/** The tag a ref names among those of the model and the global ones; `not_found` when there is none. */
export async function findTagLink(ref: Ref, view: ReadView, tags: () => Promise<ReadView>): Promise<TagLink> {
  const local = ref.group === undefined ? await view.find("tag", ref) : undefined;
  // The model's own log guards the tags that belong to it.
  if (local) return { member: "tags", id: local.id, requires: [] };
  const isGlobal = ref.scheme === "id" || ref.group !== undefined;
  const ledger = isGlobal ? await tags() : undefined;
  const found = ledger && (await findGlobalTag(ref, ledger));
  if (!ledger || !found) throw createNoTagProblem(ref, view);
  const requires = [found.tag, found.group].map((object) => ({ view: ledger, object }));
  return { member: "globalTags", id: found.tag.id, requires };
}

function createNoTagProblem(ref: Ref, { modelKey }: ReadView): Problem {
  const [noun, place] = ref.group === undefined ? [tag.noun, ` in the model ${modelKey}`] : [globalTag.noun, ""];
  if (ref.scheme === "key") return new Problem("not_found", `no ${noun} ${printRef(ref)}${place}`);
  return new Problem("not_found", `no tag ${printRef(ref)}${place} or in a group`);
}

/** The tag links of an object, without those to tags that are gone. */
export async function listLiveTagLinks(
  { tags: local = [], globalTags: global = [] }: Tagged,
  view: ReadView,
  tags: () => Promise<ReadView>,
): Promise<Required<Tagged>> {
  const [ofModel, ofGroups] = await Promise.all([
    filterExisting(
      local,
      async () => toIdSet(await readTagsOfOne.local(local, view)),
      async () => toIdSet((await view.list("tag", undefined, { lookBack: true })).items),
    ),
    filterExisting(
      global,
      async () => new Set((await readTagsOfOne.global(global, tags)).keys()),
      async () => toIdSet((await (await tags()).list("global_tag", undefined, { lookBack: true })).items),
    ),
  ]);
  return { tags: ofModel, globalTags: ofGroups };
}

type Look = () => Promise<ReadonlySet<string>>;

/** The ids of tags that are there; where one is missing, those a closer look finds, since a dropped link never comes back. */
async function filterExisting(ids: readonly string[], look: Look, lookCloser: Look): Promise<readonly string[]> {
  const found = await look();
  const isThere = ids.every((id) => found.has(id)) ? found : await lookCloser();
  return ids.filter((id) => isThere.has(id));
}

function toIdSet(objects: readonly { readonly id: string }[]): ReadonlySet<string> {
  return new Set(objects.map(({ id }) => id));
}
