import { useStore } from "@xyflow/react";
import { createContext, type ReactNode, use, useSyncExternalStore } from "react";
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

/** How much of a diagram is drawn: all of it, names alone, or boxes. */
type Detail = "full" | "names" | "boxes";

/** The zoom below which attributes are left out. */
const NAMES_BELOW = 0.6;
/** The zoom below which names are left out too. */
export const BOXES_BELOW = 0.3;

const findDetailLevel = (zoom: number): Detail =>
  zoom < BOXES_BELOW ? "boxes" : zoom < NAMES_BELOW ? "names" : "full";

const DetailContext = createContext<Detail>("full");

/** Tells what is inside how much to draw; only where a bound of the zoom is passed, it is drawn anew. */
export function DetailByZoom({ children }: { readonly children: ReactNode }): ReactNode {
  const detail = useStore(({ transform }) => findDetailLevel(transform[2]));
  return <DetailContext value={detail}>{children}</DetailContext>;
}

/** How much is drawn at the zoom of now. */
export function useDetail(): Detail {
  return use(DetailContext);
}
