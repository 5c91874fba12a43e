import type { AnyObject, Relationship } from "../../domain/objects.ts";
import type { View } from "../contract/view.ts";

type Shown = Pick<AnyObject, "id" | "key"> & Partial<Pick<Relationship, "roles" | "keyPairs">>;

/**
 * Looks up the attributes that the key pairs of some relationships name, and answers each without the pairs of attributes
 * that are gone. Relationships without key pairs cost nothing, others one read for each entity that they join.
 */
export async function withLivingPairs(
  relationships: readonly Shown[],
  view: View,
): Promise<<O extends Shown>(object: O) => O> {
  const paired = relationships.filter(({ keyPairs }) => keyPairs);
  const entities = new Set(paired.flatMap(({ roles = [] }) => roles.map(({ entity }) => entity)));
  const lists = await Promise.all([...entities].map((id) => view.list("attribute", id)));
  const living = new Set(lists.flatMap(({ items }) => items.map(({ id }) => id)));
  return (object) => {
    if (!object.keyPairs) return object;
    const { keyPairs, ...others } = object;
    const left = keyPairs.filter((pair) => pair.every((id) => living.has(id)));
    // Without pairs, the object has no such member.
    return (left.length > 0 ? { ...object, keyPairs: left } : others) as typeof object;
  };
}
