import type { KindName } from "../../../../shared/domain/kinds.ts";
import type { Named, RefHolder, RefMarked, RefModel } from "./objects.ts";

/** An object by itself: its members, without those that have no value, and with the ids of the objects it names. */
export interface Image {
  readonly kind: KindName;
  readonly key: string;
  readonly members: Readonly<Record<string, unknown>>;
}

export function imagesOf(model: RefModel | undefined): ReadonlyMap<string, Image> {
  const images = new Map<string, Image>();
  if (!model) return images;
  const add = (kind: KindName, { id, key, ...members }: Named) => {
    const given = Object.entries({ key, ...members }).filter(([, value]) => value !== undefined);
    images.set(id, { kind, key, members: Object.fromEntries(given) });
  };
  const { revision: _, types, entities, relationships, businessKeys, localTags, ...own } = model;
  const holder = (kind: KindName, { attributes, ...fields }: RefHolder) => {
    add(kind, { ...fields, ...marksOf(fields) });
    for (const one of attributes) add("attribute", { ...one, ...marksOf(one), ...{ owner: fields.id } });
  };
  add("model", { ...own, ...marksOf(own) });
  for (const one of types) add("type", one);
  for (const one of localTags) add("tag", one);
  for (const one of entities) holder("entity", one);
  for (const one of relationships) holder("relationship", one);
  for (const one of businessKeys) add("business_key", one);
  return images;
}

/** The marks of an object as members, in one order; an object without marks has no members for them. */
function marksOf({ tags, globalTags }: RefMarked) {
  const sorted = (ids: readonly string[]) => (ids.length > 0 ? ids.toSorted() : undefined);
  return { tags: sorted(tags), globalTags: sorted(globalTags) };
}
