import { useRef, useState } from "react";

/** The rows of a grid that are chosen, by their ids. */
export interface Choice {
  readonly ids: ReadonlySet<string>;
  /** Chooses a row or lets it go; with Shift all rows since the last one. */
  toggle(id: string, shiftKey: boolean): void;
  /** Chooses all of the shown rows, or none. */
  toggleAll(): void;
  clear(): void;
}

/** Keeps which rows are chosen; `shown` are the ids of the rows in their order. */
export function useChoice(shown: readonly string[]): Choice {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | undefined>(undefined);
  return {
    ids,
    toggle: (id, shiftKey) => {
      const next = new Set(ids);
      const isChosen = !ids.has(id);
      const [from, to] = [last.current === undefined ? -1 : shown.indexOf(last.current), shown.indexOf(id)];
      const range = shiftKey && from >= 0 ? shown.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
      for (const one of range) isChosen ? next.add(one) : next.delete(one);
      last.current = id;
      setIds(next);
    },
    toggleAll: () => setIds(shown.every((id) => ids.has(id)) ? new Set() : new Set(shown)),
    clear: () => setIds(new Set()),
  };
}
