import { globalTag, tag } from "../../domain/kinds.ts";
import type { Tagged } from "../../domain/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import type { Requirement } from "../contract/store.ts";
import type { View } from "../contract/view.ts";
import { globalTagWith, tagsOfOne } from "./tags-shown.ts";

/**
 * A link to a tag: the member of the object that holds it, and the objects that have to be there still at the commit.
 */
export interface TagLink {
  readonly member: keyof Tagged;
  readonly id: string;
  readonly requires: readonly Requirement[];
}

/** The tag a ref names among those of the model and the global ones; `not_found` when there is none. */
export async function tagLinkOf(ref: Ref, view: View, tags: () => Promise<View>): Promise<TagLink> {
  const local = ref.group === undefined ? await view.find("tag", ref) : undefined;
  // The model's own log guards the tags that belong to it.
  if (local) return { member: "tags", id: local.id, requires: [] };
  const isGlobal = ref.scheme === "id" || ref.group !== undefined;
  const ledger = isGlobal ? await tags() : undefined;
  const found = ledger && (await globalTagWith(ref, ledger));
  if (!ledger || !found) throw noTag(ref, view);
  const requires = [found.tag, found.group].map((object) => ({ view: ledger, object }));
  return { member: "globalTags", id: found.tag.id, requires };
}

function noTag(ref: Ref, { modelKey }: View): Problem {
  const [noun, place] = ref.group === undefined ? [tag.noun, ` in the model ${modelKey}`] : [globalTag.noun, ""];
  if (ref.scheme === "key") return new Problem("not_found", `no ${noun} ${printRef(ref)}${place}`);
  return new Problem("not_found", `no tag ${printRef(ref)}${place} or in a group`);
}

/** The tag links of an object, without those to tags that are gone. */
export async function liveTagLinks(
  { tags: local = [], globalTags: global = [] }: Tagged,
  view: View,
  tags: () => Promise<View>,
): Promise<Required<Tagged>> {
  const [ofModel, ofGroups] = await Promise.all([
    living(
      local,
      async () => idsOf(await tagsOfOne.local(local, view)),
      async () => idsOf((await view.list("tag", undefined, { lookBack: true })).items),
    ),
    living(
      global,
      async () => new Set((await tagsOfOne.global(global, tags)).keys()),
      async () => idsOf((await (await tags()).list("global_tag", undefined, { lookBack: true })).items),
    ),
  ]);
  return { tags: ofModel, globalTags: ofGroups };
}

type Look = () => Promise<ReadonlySet<string>>;

/** The ids of tags that are there; where one is missing, those a closer look finds, since a dropped link never comes back. */
async function living(ids: readonly string[], look: Look, lookCloser: Look): Promise<readonly string[]> {
  const found = await look();
  const isThere = ids.every((id) => found.has(id)) ? found : await lookCloser();
  return ids.filter((id) => isThere.has(id));
}

function idsOf(objects: readonly { readonly id: string }[]): ReadonlySet<string> {
  return new Set(objects.map(({ id }) => id));
}
