/** An object of a document, as far as it tells which object on the other side it is. */
export interface Matchable {
  readonly id?: string;
  readonly key: string;
  readonly origin?: string;
  /** Of an object on the right: the key that it had on the left. */
  readonly renamedFrom?: string;
}

/** The way in which two objects were recognised as one. */
export type MatchedBy = "id" | "origin" | "renamedFrom" | "key" | "single";

/** One object on both sides. */
export interface Match<O> {
  readonly left: O;
  readonly right: O;
  readonly by: MatchedBy;
}

/** The objects of two lists: those that both have, and those that one has alone, each in the order of their list. */
export interface ListMatch<O> {
  readonly matches: readonly Match<O>[];
  readonly onlyLeft: readonly O[];
  readonly onlyRight: readonly O[];
}

/**
 * Matches the objects of two lists of one scope: by id, then by origin, by the key that the right one says it had, and by
 * key. Where several objects would do, none is matched. With `single`, the only object of the one list is at last
 * matched with the only object of the other.
 */
export function matchLists<O extends Matchable>(
  left: readonly O[],
  right: readonly O[],
  { single = false }: { readonly single?: boolean } = {},
): ListMatch<O> {
  const matches: Match<O>[] = [];
  const free = { left: new Set(left), right: new Set(right) };
  const take = (one: O, other: O, by: MatchedBy): void => {
    free.left.delete(one);
    free.right.delete(other);
    matches.push({ left: one, right: other, by });
  };
  const takeEqual = (by: MatchedBy, of: (object: O) => string | undefined): void => {
    for (const [one, other] of equal(free.left, free.right, of)) take(one, other, by);
  };
  takeEqual("id", ({ id }) => id);
  takeEqual("origin", ({ origin }) => origin);
  while (takeRenamed(free.left, free.right, take));
  takeEqual("key", ({ key }) => key);
  const [one, other] = [[...free.left], [...free.right]];
  const isSingle = single && left.length === 1 && right.length === 1;
  if (isSingle && one[0] && other[0]) take(one[0], other[0], "single");
  return { matches, onlyLeft: [...free.left], onlyRight: [...free.right] };
}

/** The pairs of objects that have a value in common which no other object of either side has. */
function equal<O>(
  left: ReadonlySet<O>,
  right: ReadonlySet<O>,
  of: (object: O) => string | undefined,
): readonly (readonly [O, O])[] {
  const [before, after] = [unique(left, of), unique(right, of)];
  return [...before].flatMap(([value, one]) => {
    const other = after.get(value);
    return one !== undefined && other !== undefined ? [[one, other] as const] : [];
  });
}

/** The objects by a value of theirs; undefined where several have it. */
function unique<O>(objects: ReadonlySet<O>, of: (object: O) => string | undefined): ReadonlyMap<string, O | undefined> {
  const found = new Map<string, O | undefined>();
  for (const object of objects) {
    const value = of(object);
    if (value !== undefined) found.set(value, found.has(value) ? undefined : object);
  }
  return found;
}

/**
 * Matches the objects that say what key they had, where no free object has the key they have now: once a rename is done,
 * what it says is no news. False where there was none, as one rename may make way for another.
 */
function takeRenamed<O extends Matchable>(
  left: ReadonlySet<O>,
  right: ReadonlySet<O>,
  take: (one: O, other: O, by: MatchedBy) => void,
): boolean {
  const before = unique(left, ({ key }) => key);
  const renamed = unique(right, ({ key, renamedFrom }) => (before.has(key) ? undefined : renamedFrom));
  let found = false;
  for (const [key, other] of renamed) {
    const one = before.get(key);
    if (!one || !other) continue;
    take(one, other, "renamedFrom");
    found = true;
  }
  return found;
}
