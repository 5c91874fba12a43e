import { byKey } from "../domain/content.ts";
import type { AttributeDocument, ModelDocument } from "../domain/document.ts";
import type { FormerPlaces } from "../domain/document-properties.ts";
import { pairsByRoleKey } from "../domain/key-pairs.ts";

const LISTS = ["types", "entities", "relationships", "businessKeys", "localTags"] as const;

/** The places that `sorted` takes the objects of a document's lists from; undefined where all are in order already. */
export function formerPlaces(document: ModelDocument): FormerPlaces | undefined {
  const places: Record<string, readonly number[]> = {};
  for (const list of LISTS) {
    const keyed = document[list].map(({ key }, place) => ({ key, place })).sort(byKey);
    if (keyed.some(({ place }, i) => place !== i)) places[list] = keyed.map(({ place }) => place);
  }
  return Object.keys(places).length > 0 ? places : undefined;
}

/**
 * A document with its lists in the order of exports. Tag groups stay as the source has them, because later findings name
 * their places; nothing that is made of them depends on their order.
 */
export function sorted(document: ModelDocument): ModelDocument {
  const { types, entities, relationships, businessKeys, localTags } = document;
  return {
    ...withSortedTags(document),
    types: types.toSorted(byKey),
    entities: entities.toSorted(byKey).map((e) => ({ ...withSortedTags(e), attributes: attributesOf(e) })),
    relationships: relationships.toSorted(byKey).map((r) => ({
      ...withSortedTags(r),
      roles: r.roles.toSorted(byKey),
      ...(r.keyPairs && { keyPairs: pairsByRoleKey(r.roles, r.keyPairs) }),
      attributes: attributesOf(r),
    })),
    businessKeys: businessKeys.toSorted(byKey),
    localTags: localTags.toSorted(byKey),
  };
}

function attributesOf({ attributes }: { readonly attributes: readonly AttributeDocument[] }) {
  return attributes.map(withSortedTags);
}

function withSortedTags<D extends { readonly tags?: readonly string[] }>(document: D): D {
  return document.tags ? { ...document, tags: document.tags.toSorted() } : document;
}
