import * as z from "zod/mini";
import { type GlobalTags, given, globalTagsOf, type TagOfGroup } from "../domain/content.ts";
import type { Tag, Tagged } from "../domain/objects.ts";
import type { Ref } from "../domain/refs.ts";
import { namedObject } from "./named-object.ts";
import type { View } from "./store.ts";

/** A tag beside what it marks; `key` is `<group>/<tag>` for a global one, as refs write it. */
export interface ShownTag {
  readonly id: string;
  readonly key: string;
  readonly name?: string;
}

/** The member of a row that shows tags. */
export const tagMember = () => ({
  tags: z
    .array(namedObject("AttachedTag", { id: z.string(), key: z.string(), name: z.optional(z.string()) }))
    .check(z.describe("The tags it is marked with, sorted by key; a global one has the key `<group>/<tag>`.")),
});

/** Up to so many tags are looked up one by one; beyond, all there are are read. */
const FEW = 3;

/** Looks up the tags of some objects, and answers how to show those of each; tags that are gone are left out. */
export async function tagsOf(
  objects: readonly Tagged[],
  view: View,
  tags: () => Promise<View>,
): Promise<(object: Tagged) => { readonly tags: readonly ShownTag[] }> {
  const ids = (member: keyof Tagged) => [...new Set(objects.flatMap((object) => object[member] ?? []))];
  const [local, global] = await Promise.all([localTags(ids("tags"), view), globalTags(ids("globalTags"), tags)]);
  const shown = new Map<string, ShownTag>();
  for (const { id, key, name } of local) shown.set(id, { id, key, ...given("name", name) });
  for (const [id, { group, tag }] of global) {
    shown.set(id, { id, key: `${group.key}/${tag.key}`, ...given("name", tag.name) });
  }
  return ({ tags = [], globalTags = [] }) => ({
    tags: [...tags, ...globalTags].flatMap((id) => shown.get(id) ?? []).sort((a, b) => (a.key < b.key ? -1 : 1)),
  });
}

/** Tags of the model by their ids, and where there are many ids, others too. */
export async function localTags(ids: readonly string[], view: View): Promise<readonly Tag[]> {
  if (ids.length === 0) return [];
  if (ids.length > FEW) return (await view.list("tag")).items;
  const found = await Promise.all(ids.map((value) => view.find("tag", { scheme: "id", value })));
  return found.filter((tag) => tag !== undefined);
}

/** Global tags by id, with their groups; the ledger is not opened where none is asked for. */
export async function globalTags(ids: readonly string[], tags: () => Promise<View>): Promise<GlobalTags> {
  if (ids.length === 0) return new Map();
  const ledger = await tags();
  if (ids.length > FEW) return globalTagsOf(await ledger.objects());
  const found = await Promise.all(ids.map((value) => globalTagWith({ scheme: "id", value }, ledger)));
  return new Map(found.flatMap((one) => (one ? [[one.tag.id, one] as const] : [])));
}

/** The global tag a ref names, with its group. */
export async function globalTagWith(ref: Ref, ledger: View): Promise<TagOfGroup | undefined> {
  if (ref.group !== undefined) {
    const group = await ledger.find("tag_group", { scheme: "key", value: ref.group });
    const tag = group && (await ledger.find("global_tag", { scheme: "key", value: ref.value }, group.id));
    return tag && { tag, group };
  }
  const tag = await ledger.find("global_tag", ref);
  const group = tag && (await ledger.find("tag_group", { scheme: "id", value: tag.owner }));
  return group && { tag, group };
}
