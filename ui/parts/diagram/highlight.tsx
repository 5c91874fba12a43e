import { useStore } from "@xyflow/react";
import { createContext, type ReactNode, use, useSyncExternalStore } from "react";
import type { DiagramRelationship } from "../../../shared/diagram/diagram-graph.ts";

/** The highlighted relationship, stored outside of React state. */
export interface Highlight {
  show(relationship: DiagramRelationship | undefined): void;
  getShown(): DiagramRelationship | undefined;
  watch(changed: () => void): () => void;
}

/** Creates an empty highlight. */
export function createHighlight(): Highlight {
  let shown: DiagramRelationship | undefined;
  const watchers = new Set<() => void>();
  return {
    show: (relationship) => {
      if (shown === relationship) return;
      shown = relationship;
      for (const watcher of watchers) watcher();
    },
    getShown: () => shown,
    watch: (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
  };
}

export const HighlightContext = createContext<Highlight>(createHighlight());

/** Returns true while the relationship is highlighted. */
export function useIsHighlighted(id: string): boolean {
  const highlight = use(HighlightContext);
  return useSyncExternalStore(highlight.watch, () => highlight.getShown()?.id === id);
}

/** Returns the attribute keys of an entity that the highlighted relationship joins, one per line. */
export function useHighlightedRows(entity: string): string {
  const highlight = use(HighlightContext);
  return useSyncExternalStore(highlight.watch, () =>
    (highlight.getShown()?.ends ?? [])
      .filter((end) => end.entity === entity)
      .flatMap((end) => end.attributes.map((key) => `${key}\n`))
      .join(""),
  );
}

type Detail = "full" | "names" | "boxes";

const NAMES_BELOW = 0.6;
export const BOXES_BELOW = 0.3;

const findDetailLevel = (zoom: number): Detail =>
  zoom < BOXES_BELOW ? "boxes" : zoom < NAMES_BELOW ? "names" : "full";

const DetailContext = createContext<Detail>("full");

/** Provides the level of detail; its content renders again only when the level changes. */
export function DetailByZoom({ children }: { readonly children: ReactNode }): ReactNode {
  const detail = useStore(({ transform }) => findDetailLevel(transform[2]));
  return <DetailContext value={detail}>{children}</DetailContext>;
}

/** Returns the level of detail at the current zoom. */
export function useDetail(): Detail {
  return use(DetailContext);
}
