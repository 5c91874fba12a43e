import type { Actions } from "../../../client/create-client.ts";
import { getObjectPlace, type ObjectPlace } from "../object-place.ts";

/** One object that was found, with its place. */
export type Found = Actions["model"]["search"]["output"]["items"][number];

/** The sorts of a location from the outermost inwards. */
const INWARDS = [
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

const getLocation = (found: Found): Location => found.location as unknown as Location;

/** The label of what was found: its name, or its key where it has none. */
export function getFoundLabel(found: Found): string {
  return getLocation(found)[`${found.location.objectType}Label`] ?? getFoundKey(found);
}

/** The key of what was found. */
export function getFoundKey(found: Found): string {
  return getLocation(found)[`${found.location.objectType}Key`] ?? "";
}

/** The labels of what it lies in, outermost first; none of a model. */
export function listParentLabels(found: Found): readonly string[] {
  const location = getLocation(found);
  return INWARDS.filter((kind) => kind !== found.location.objectType).flatMap((kind) => location[`${kind}Label`] ?? []);
}

/** The page on which it is shown, by keys that people can read in the address. */
export function getFoundPlace(found: Found): ObjectPlace {
  const { location } = found;
  const ref = (key: string | undefined): string | undefined => (key === undefined ? undefined : `key:${key}`);
  return getObjectPlace({
    modelRef: `key:${location.modelKey}`,
    typeRef: ref(location.typeKey),
    entityRef: ref(location.entityKey),
    relationshipRef: ref(location.relationshipKey),
    attributeRef: ref(location.entityAttributeKey ?? location.relationshipAttributeKey),
    roleKey: location.relationshipRoleKey,
    businessKeyKey: location.businessKeyKey,
    tagKey: location.tagKey,
  });
}

/** How many of what was found are of each value, the most first. */
export function countByValue(
  found: readonly Found[],
  partOf: (one: Found) => string,
): readonly { readonly value: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const one of found) counts.set(partOf(one), (counts.get(partOf(one)) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}
