import { LIMITS } from "../limits.ts";

/** An object of one scope of keys that gets another key. */
export interface Rename<O> {
  readonly object: O;
  readonly from: string;
  readonly to: string;
}

/** A rename as it is made; `isWay` where it only makes way for another one. */
export interface RenameInTurn<O> extends Rename<O> {
  readonly isWay?: true;
}

/**
 * The renames of one scope in an order in which each key is free when it is given. Where keys go round in a circle, or are still
 * held by others of the scope, which go later, one gets a key that nobody has for a moment.
 */
export function renamesInTurn<O>(
  renames: readonly Rename<O>[],
  others: ReadonlyMap<string, O>,
): readonly RenameInTurn<O>[] {
  const holders = new Map([...others, ...renames.map(({ object, from }) => [from, object] as const)]);
  const used = new Set([...holders.keys(), ...renames.map(({ to }) => to)]);
  const done: RenameInTurn<O>[] = [];
  const rename = (one: RenameInTurn<O>): void => {
    holders.delete(one.from);
    holders.set(one.to, one.object);
    done.push(one);
  };
  let waiting = renames.toSorted((a, b) => (a.to < b.to ? -1 : 1));
  while (waiting.length > 0) {
    const free = waiting.filter(({ to }) => !holders.has(to));
    if (free.length > 0) {
      for (const one of free) rename(one);
      waiting = waiting.filter((one) => !free.includes(one));
      continue;
    }
    const [first] = waiting;
    const holder = first && holders.get(first.to);
    if (!first || !holder) throw new Error("no rename waits");
    const way = freeKey(first.to, used);
    rename({ object: holder, from: first.to, to: way, isWay: true });
    waiting = waiting.map((one) => (one.object === holder ? { ...one, from: way } : one));
  }
  return done;
}

/** A key like another one that nobody has. */
function freeKey(key: string, used: Set<string>): string {
  for (let n = 2; ; n++) {
    const tail = `_${n}`;
    const made = key.slice(0, LIMITS.keyCharacters - tail.length) + tail;
    if (used.has(made)) continue;
    used.add(made);
    return made;
  }
}
