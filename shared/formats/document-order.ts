import type { AttributeDocument, ModelDocument } from "../domain/document/document.ts";
import type { FormerPositions } from "../domain/document/read-document.ts";
import { compareByKey } from "../domain/model/content.ts";
import { sortPairsByRoleKey } from "../domain/refs.ts";

const LISTS = ["types", "entities", "relationships", "businessKeys", "localTags"] as const;

/** Returns the original indexes of the objects that `sortDocument` sorts. Returns undefined if all lists are sorted. */
export function findFormerPositions(document: ModelDocument): FormerPositions | undefined {
  const positions: Record<string, readonly number[]> = {};
  for (const list of LISTS) {
    const entries = document[list].map(({ key }, index) => ({ key, index })).sort(compareByKey);
    if (entries.some(({ index }, i) => index !== i)) positions[list] = entries.map(({ index }) => index);
  }
  return Object.keys(positions).length > 0 ? positions : undefined;
}

/** Sorts the lists of a document as in exports. Tag groups stay, because diagnostics refer to their indexes. */
export function sortDocument(document: ModelDocument): ModelDocument {
  const { types, entities, relationships, businessKeys, localTags } = document;
  return {
    ...sortTags(document),
    types: types.toSorted(compareByKey),
    entities: entities.toSorted(compareByKey).map((e) => ({ ...sortTags(e), attributes: sortAttributeTags(e) })),
    relationships: relationships.toSorted(compareByKey).map((r) => ({
      ...sortTags(r),
      roles: r.roles.toSorted(compareByKey),
      ...(r.keyPairs && { keyPairs: sortPairsByRoleKey(r.roles, r.keyPairs) }),
      attributes: sortAttributeTags(r),
    })),
    businessKeys: businessKeys.toSorted(compareByKey),
    localTags: localTags.toSorted(compareByKey),
  };
}

function sortAttributeTags({ attributes }: { readonly attributes: readonly AttributeDocument[] }) {
  return attributes.map(sortTags);
}

function sortTags<D extends { readonly tags?: readonly string[] }>(document: D): D {
  return document.tags ? { ...document, tags: document.tags.toSorted() } : document;
}
