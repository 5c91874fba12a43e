import type { Actions } from "../../../client/create-client.ts";
import { getObjectPath, type ObjectPath } from "../object-path.ts";

/** A search result with its location. */
export type Hit = Actions["model"]["search"]["output"]["items"][number];

const KINDS = [
  "model",
  "type",
  "entity",
  "relationship",
  "entityAttribute",
  "relationshipAttribute",
  "relationshipRole",
  "businessKey",
  "tag",
] as const;

type Location = Readonly<Record<string, string | undefined>>;

const getLocation = (hit: Hit): Location => hit.location as unknown as Location;

/** Returns the name of a search result, or its key if it has no name. */
export function getHitLabel(hit: Hit): string {
  return getLocation(hit)[`${hit.location.objectType}Label`] ?? getHitKey(hit);
}

/** Returns the key of a search result. */
export function getHitKey(hit: Hit): string {
  return getLocation(hit)[`${hit.location.objectType}Key`] ?? "";
}

/** Lists the labels of the owners, outermost first; empty for a model. */
export function listParentLabels(hit: Hit): readonly string[] {
  const location = getLocation(hit);
  return KINDS.filter((kind) => kind !== hit.location.objectType).flatMap((kind) => location[`${kind}Label`] ?? []);
}

/** Returns the page of a search result, with readable keys in the address. */
export function getHitPath(hit: Hit): ObjectPath {
  const { location } = hit;
  const toOptionalRef = (key: string | undefined) => (key === undefined ? undefined : `key:${key}`);
  return getObjectPath({
    modelRef: `key:${location.modelKey}`,
    typeRef: toOptionalRef(location.typeKey),
    entityRef: toOptionalRef(location.entityKey),
    relationshipRef: toOptionalRef(location.relationshipKey),
    attributeRef: toOptionalRef(location.entityAttributeKey ?? location.relationshipAttributeKey),
    roleKey: location.relationshipRoleKey,
    businessKeyKey: location.businessKeyKey,
    tagKey: location.tagKey,
  });
}

/** Counts search results by value, most frequent first. */
export function countByValue(
  hits: readonly Hit[],
  partOf: (one: Hit) => string,
): readonly { readonly value: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const one of hits) counts.set(partOf(one), (counts.get(partOf(one)) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}
