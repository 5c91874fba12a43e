import { byKey } from "../domain/content.ts";
import type { AttributeDocument, ModelDocument } from "../domain/document.ts";
import { pairsByRoleKey } from "../domain/key-pairs.ts";

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
