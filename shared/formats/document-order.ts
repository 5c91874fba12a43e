import type { AttributeDocument, ModelDocument } from "../domain/document/document.ts";
import type { FormerPositions } from "../domain/document/read-document.ts";
import { compareByKey } from "../domain/model/content.ts";
import { sortPairsByRoleKey } from "../domain/refs.ts";

const LISTS = ["types", "entities", "relationships", "businessKeys", "localTags"] as const;

/** Returns the original indexes of the objects that `sortDocument` sorts. Returns undefined if all lists are sorted. */
export function findFormerPlaces(document: ModelDocument): FormerPositions | undefined {
  const places: Record<string, readonly number[]> = {};
  for (const list of LISTS) {
    const entries = document[list].map(({ key }, place) => ({ key, place })).sort(compareByKey);
    if (entries.some(({ place }, i) => place !== i)) places[list] = entries.map(({ place }) => place);
  }
  return Object.keys(places).length > 0 ? places : undefined;
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
