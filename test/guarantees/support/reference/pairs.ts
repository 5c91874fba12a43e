import type { RefModel, RefRelationship } from "./objects.ts";

/** The key pairs of a relationship whose attributes are both there; undefined for none. */
export function livingPairs({ keyPairs = [] }: Pick<RefRelationship, "keyPairs">, { entities }: RefModel) {
  const there = new Set(entities.flatMap(({ attributes }) => attributes.map(({ id }) => id)));
  const pairs = keyPairs.filter((pair) => pair.every((id) => there.has(id)));
  return pairs.length > 0 ? pairs : undefined;
}

/** Pairs in the order of these roles, in the order of the keys of the roles. */
export function pairsByKey<T>(
  roles: readonly { readonly key: string }[],
  pairs: readonly (readonly T[])[] | undefined,
) {
  const [a, b] = roles.map(({ key }) => key);
  return pairs?.map((pair) => (String(b) < String(a) ? pair.toReversed() : [...pair]));
}
