import { useSyncExternalStore } from "react";
import { useCaller } from "../../../api/rights.ts";

/** Something that the page remembers while it is open, and that components see change. */
export interface Memory<T> {
  /** A hook: what is remembered for the person who is signed in, empty at first and again for another person. */
  use(owner: string | undefined): T;
  /** Changes it, for one person. */
  change(owner: string | undefined, change: (before: T) => T): void;
}

/** Makes a memory that begins as `first` for every person anew. */
export function memoryOf<T>(first: T): Memory<T> {
  let kept: { readonly owner: string | undefined; readonly value: T } = { owner: undefined, value: first };
  const watchers = new Set<() => void>();
  const watch = (watcher: () => void): (() => void) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  };
  return {
    use: (owner) => {
      const { owner: whose, value } = useSyncExternalStore(watch, () => kept);
      return whose === owner ? value : first;
    },
    change: (owner, change) => {
      kept = { owner, value: change(kept.owner === owner ? kept.value : first) };
      for (const watcher of watchers) watcher();
    },
  };
}

/** Names the person who is signed in, for what the page remembers for them. */
export function useOwner(): string | undefined {
  const caller = useCaller();
  return caller && `${caller.issuer} ${caller.sub}`;
}
