import { useStore } from "@xyflow/react";
import { createContext, type ReactNode, use } from "react";
import type { DiagramRelationship } from "../../../shared/diagram/diagram-graph.ts";
import { createWatchedValue } from "../../api/watched-value.ts";

/** Creates the state of the highlighted relationship, outside of React state. */
export const createHighlight = () => createWatchedValue<DiagramRelationship | undefined>(undefined);

export const HighlightContext = createContext(createHighlight());

/** Returns true while the relationship is highlighted. */
export function useIsHighlighted(id: string): boolean {
  return use(HighlightContext).useSelected((relationship) => relationship?.id === id);
}

/** Returns the attribute keys of an entity that the highlighted relationship joins, one per line. */
export function useHighlightedRows(entity: string): string {
  return use(HighlightContext).useSelected((relationship) =>
    (relationship?.ends ?? [])
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
