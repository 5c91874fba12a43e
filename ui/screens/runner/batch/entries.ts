import { useMemo } from "react";
import type { JsonObject } from "../form/pointer.ts";
import { memoryOf, useOwner } from "../run/memory.ts";
import { type BatchEntry, movedEntry } from "./batch-call.ts";

const entries = memoryOf<readonly BatchEntry[]>([]);

/** The batch that is being collected, and what changes it. */
export function useEntries() {
  const owner = useOwner();
  const all = entries.use(owner);
  const change = useMemo(
    () => ({
      add: (entry: Omit<BatchEntry, "id">) =>
        entries.change(owner, (before) => [
          ...before,
          { ...entry, id: Math.max(0, ...before.map(({ id }) => id)) + 1 },
        ]),
      move: (from: number, to: number) => entries.change(owner, (before) => movedEntry(before, from, to)),
      remove: (id: number) => entries.change(owner, (before) => before.filter((one) => one.id !== id)),
      edit: (id: number, payload: JsonObject) =>
        entries.change(owner, (before) => before.map((one) => (one.id === id ? { ...one, payload } : one))),
      clear: () => entries.change(owner, () => []),
    }),
    [owner],
  );
  return { entries: all, ...change };
}
