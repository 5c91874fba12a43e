import { useSyncExternalStore } from "react";

/** A value outside of React that components read. */
export type WatchedValue<T> = ReturnType<typeof createWatchedValue<T>>;

/** Creates a value whose readers render again when it changes. */
export function createWatchedValue<T>(first: T) {
  let value = first;
  const watchers = new Set<() => void>();
  const watch = (watcher: () => void) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  };
  return {
    get: (): T => value,
    set: (next: T) => {
      if (Object.is(value, next)) return;
      value = next;
      for (const watcher of watchers) watcher();
    },
    /** Hook that returns what `select` reads from the value. */
    useSelected: <S>(select: (value: T) => S): S => useSyncExternalStore(watch, () => select(value)),
  };
}
