import { createContext, use, useSyncExternalStore } from "react";
import type { DiagramRelationship } from "../../../shared/diagram/diagram-graph.ts";

/** The relationship that a person points at or has chosen, beside what React draws. */
export interface Highlight {
  show(relationship: DiagramRelationship | undefined): void;
  now(): DiagramRelationship | undefined;
  watch(changed: () => void): () => void;
}

/** A highlight with nothing in it. */
export function createHighlight(): Highlight {
  let shown: DiagramRelationship | undefined;
  const watchers = new Set<() => void>();
  return {
    show: (relationship) => {
      if (shown === relationship) return;
      shown = relationship;
      for (const watcher of watchers) watcher();
    },
    now: () => shown,
    watch: (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
  };
}

export const HighlightContext = createContext<Highlight>(createHighlight());

/** True while the relationship is highlighted. */
export function useIsHighlighted(id: string): boolean {
  const highlight = use(HighlightContext);
  return useSyncExternalStore(highlight.watch, () => highlight.now()?.id === id);
}

/** The keys of the rows of an entity that the highlighted relationship joins by, each followed by a line break. */
export function useHighlightedRows(entity: string): string {
  const highlight = use(HighlightContext);
  return useSyncExternalStore(highlight.watch, () =>
    (highlight.now()?.ends ?? [])
      .filter((end) => end.entity === entity)
      .flatMap((end) => end.attributes.map((key) => `${key}\n`))
      .join(""),
  );
}
