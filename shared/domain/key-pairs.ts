/** Two attributes that a join follows: one of the entity in the first role, one of that in the second. */
export type KeyPair = readonly [first: string, second: string];

/** Pairs in the order of these two roles as pairs in the order of the roles' keys, which is that of documents. */
export function pairsByRoleKey(roles: readonly { readonly key: string }[], pairs: readonly KeyPair[]): KeyPair[] {
  const [a, b] = roles;
  const turns = a !== undefined && b !== undefined && b.key < a.key;
  return pairs.map(([first, second]) => (turns ? [second, first] : [first, second]));
}
