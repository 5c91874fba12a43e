import * as z from "zod/mini";
import { globalTag, tag } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type GlobalTags, type GroupedTag, includeMember, indexGlobalTags } from "../../domain/model/content.ts";
import type { ObjectByKind, Tag, TagIds } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import type { Requirement } from "../contract/store.ts";
import type { ReadView } from "../contract/view.ts";
import { createNamedSchema, describeList } from "./answers.ts";
import { createOwnIdSchema } from "./ids.ts";

/** Tag in the row of a tagged object. `key` is `<group>/<tag>` for a global tag, as in refs. */
export interface ShownTag {
  readonly id: string;
  readonly key: string;
  readonly name?: string;
}

/** Creates the row member with tags. */
export const createTagMember = () => ({
  tags: describeList(
    createNamedSchema("AttachedTag", {
      id: createOwnIdSchema("Id of the tag."),
      key: z.string(),
      name: z.optional(z.string()),
    }),
    "The tags of the object, sorted by key; a global tag has the key `<group>/<tag>`.",
  ),
});

/** Up to this many tags of several objects are read one by one; otherwise all tags are read. */
const MAX_SINGLE_READS = 3;
/** Reads tags one by one, so that the cost is independent of the number in the model. */
const MAX_SINGLE_READS_OF_ONE = LIMITS.tagsPerObject;

/** Reads the tags of objects, and returns the function that adds them to a row. */
export async function prepareTags(
  objects: readonly TagIds[],
  view: ReadView,
  tags: () => Promise<ReadView>,
): Promise<(object: TagIds) => { readonly tags: readonly ShownTag[] }> {
  if (!objects.some(({ tags, globalTags }) => (tags ?? globalTags) !== undefined)) return () => ({ tags: [] });
  const collectIds = (member: keyof TagIds) => [...new Set(objects.flatMap((object) => object[member] ?? []))];
  const few = objects.length === 1 ? MAX_SINGLE_READS_OF_ONE : MAX_SINGLE_READS;
  const [local, global] = await Promise.all([
    readLocalTags(collectIds("tags"), view, few),
    readGlobalTags(collectIds("globalTags"), tags, few),
  ]);
  const tagsById = new Map<string, ShownTag>();
  for (const { id, key, name } of local) tagsById.set(id, { id, key, ...includeMember("name", name) });
  for (const [id, { group, tag }] of global) {
    tagsById.set(id, { id, key: `${group.key}/${tag.key}`, ...includeMember("name", tag.name) });
  }
  return ({ tags = [], globalTags = [] }) => ({
    tags: [...tags, ...globalTags].flatMap((id) => tagsById.get(id) ?? []).sort((a, b) => (a.key < b.key ? -1 : 1)),
  });
}

export const readTagsOfOne = {
  local: (ids: readonly string[], view: ReadView): Promise<readonly Tag[]> =>
    readLocalTags(ids, view, MAX_SINGLE_READS_OF_ONE),
  global: (ids: readonly string[], tags: () => Promise<ReadView>): Promise<GlobalTags> =>
    readGlobalTags(ids, tags, MAX_SINGLE_READS_OF_ONE),
};

async function readLocalTags(ids: readonly string[], view: ReadView, few: number): Promise<readonly Tag[]> {
  if (ids.length === 0) return [];
  return ids.length > few ? (await view.list("tag")).items : readByIds(view, "tag", ids);
}

/** Rows of a list that cost as much as one lookup by id. */
const ROWS_PER_ID = 4;

/** Reads tags by ids: from a short list if it contains all tags, otherwise one by one. */
async function readByIds<N extends "tag" | "global_tag">(
  view: ReadView,
  kind: N,
  ids: readonly string[],
): Promise<readonly ObjectByKind[N][]> {
  if (ids.length > MAX_SINGLE_READS) {
    const { items, next } = await view.list(kind, undefined, { limit: ids.length * ROWS_PER_ID });
    if (next === undefined) return items.filter(({ id }) => ids.includes(id));
  }
  const tags = await Promise.all(ids.map((value) => view.find(kind, { scheme: "id", value })));
  return tags.filter((tag) => tag !== undefined);
}

/** Reads global tags by id, with their groups. Opens the ledger only if there are ids. */
export async function readGlobalTags(
  ids: readonly string[],
  tags: () => Promise<ReadView>,
  few = MAX_SINGLE_READS,
): Promise<GlobalTags> {
  if (ids.length === 0) return new Map();
  const ledger = await tags();
  if (ids.length > few) return indexGlobalTags(await ledger.readObjects());
  const liveTags = await readByIds(ledger, "global_tag", ids);
  const owners = [...new Set(liveTags.map(({ owner }) => owner))];
  const groups = await Promise.all(owners.map((value) => ledger.find("tag_group", { scheme: "id", value })));
  const byId = new Map(groups.map((group) => [group?.id, group]));
  return new Map(
    liveTags.flatMap((tag) => {
      const group = byId.get(tag.owner);
      return group ? [[tag.id, { tag, group }] as const] : [];
    }),
  );
}

/** Finds the global tag of a ref, with its group. */
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

/** Link to a tag: the member that contains it, and objects that must exist when committing. */
export interface TagLink {
  readonly member: keyof TagIds;
  readonly id: string;
  readonly requires: readonly Requirement[];
}

/** Finds the local or global tag of a ref. Throws `not_found`. */
export async function findTagLink(ref: Ref, view: ReadView, tags: () => Promise<ReadView>): Promise<TagLink> {
  const local = ref.group === undefined ? await view.find("tag", ref) : undefined;
  // The log of the model protects its local tags.
  if (local) return { member: "tags", id: local.id, requires: [] };
  const isGlobal = ref.scheme === "id" || ref.group !== undefined;
  const ledger = isGlobal ? await tags() : undefined;
  const match = ledger && (await findGlobalTag(ref, ledger));
  if (!ledger || !match) throw createNoTagProblem(ref, view);
  const requires = [match.tag, match.group].map((object) => ({ view: ledger, object }));
  return { member: "globalTags", id: match.tag.id, requires };
}

function createNoTagProblem(ref: Ref, { modelKey }: ReadView): Problem {
  const [noun, scope] = ref.group === undefined ? [tag.noun, ` in the model ${modelKey}`] : [globalTag.noun, ""];
  if (ref.scheme === "key") return new Problem("not_found", `no ${noun} ${printRef(ref)}${scope}`);
  return new Problem("not_found", `no tag ${printRef(ref)}${scope} or in a group`);
}

/** Returns the tag links of an object, without links to deleted tags. */
export async function listLiveTagLinks(
  { tags: local = [], globalTags: global = [] }: TagIds,
  view: ReadView,
  tags: () => Promise<ReadView>,
): Promise<Required<TagIds>> {
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

/** Returns the ids of existing tags. Checks a missing one again, because a dropped link is lost forever. */
async function filterExisting(ids: readonly string[], look: Look, lookCloser: Look): Promise<readonly string[]> {
  const hits = await look();
  const isThere = ids.every((id) => hits.has(id)) ? hits : await lookCloser();
  return ids.filter((id) => isThere.has(id));
}

function toIdSet(objects: readonly { readonly id: string }[]): ReadonlySet<string> {
  return new Set(objects.map(({ id }) => id));
}
