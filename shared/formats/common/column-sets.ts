import type { AttributeDocument, BusinessKeyDocument } from "../../domain/document/document.ts";
import { toLegalKeys } from "./legal-key.ts";
import { appendPath, type SourcePath, toOrigin } from "./source-path.ts";

/** Removes sets that equal an earlier set. The order inside a set does not matter. */
export function removeEqualSets(sets: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...Map.groupBy(sets, toSetId).values()].flatMap((group) => group.slice(0, 1));
}

/** Returns true when each set in `some` is also in `others`. */
export function areSetsAmong(sets: readonly (readonly string[])[], others: readonly (readonly string[])[]): boolean {
  return new Set(sets.map(toSetId)).isSubsetOf(new Set(others.map(toSetId)));
}

function toSetId(set: readonly string[]) {
  return [...new Set(set)].sort().join("\n");
}

/** Creates a fast test whether columns include a unique set. */
export function createUniquenessTest(sets: readonly (readonly string[])[]): (keys: Iterable<string>) => boolean {
  const counts = new Map<string, number>();
  const distinctSets = removeEqualSets(sets);
  for (const key of distinctSets.flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
  const count = (key: string) => counts.get(key) ?? 0;
  const byRarestKey = Map.groupBy(distinctSets, (set) =>
    set.reduce((rarestKey, key) => (count(key) < count(rarestKey) ? key : rarestKey), set[0] ?? ""),
  );
  return (keys) => {
    const keySet = new Set(keys);
    for (const key of keySet) if (byRarestKey.get(key)?.some((set) => set.every((one) => keySet.has(one)))) return true;
    return false;
  };
}

/** The unique sets of a table that become business keys. */
export interface BusinessKeySource {
  readonly entity: string;
  readonly sets: readonly (readonly string[])[];
  readonly columns: ReadonlyMap<string, AttributeDocument>;
  readonly path: SourcePath;
}

/** Creates one business key for each distinct set. */
export function createBusinessKeys(sources: readonly BusinessKeySource[]): readonly BusinessKeyDocument[] {
  const drafts = sources.flatMap(({ entity, sets, columns, path }) => {
    const names = new Map([...columns].map(([name, attribute]) => [attribute.key, name]));
    return removeEqualSets(sets).map((set) => ({
      ...{ entity, set, path: appendPath(path, ...set.map((one) => names.get(one) ?? one)) },
    }));
  });
  const keys = toLegalKeys(drafts.map(({ entity, set }) => [entity, ...set].join("_")));
  return drafts.map(({ entity, set, path }, i) => ({
    key: keys[i] ?? entity,
    entity: `key:${entity}`,
    participants: set.map((attribute) => `key:${attribute}`),
    ...toOrigin(path),
  }));
}
