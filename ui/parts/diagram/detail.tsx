import { useStore } from "@xyflow/react";
import { createContext, type ReactNode, use } from "react";

/** How much of a diagram is drawn: all of it, names alone, or boxes. */
export type Detail = "full" | "names" | "boxes";

/** The zoom below which attributes are left out. */
const NAMES_BELOW = 0.6;
/** The zoom below which names are left out too. */
export const BOXES_BELOW = 0.3;

const detailAt = (zoom: number): Detail => (zoom < BOXES_BELOW ? "boxes" : zoom < NAMES_BELOW ? "names" : "full");

const DetailContext = createContext<Detail>("full");

/** Tells what is inside how much to draw; only where a bound of the zoom is passed, it is drawn anew. */
export function DetailByZoom({ children }: { readonly children: ReactNode }): ReactNode {
  const detail = useStore(({ transform }) => detailAt(transform[2]));
  return <DetailContext value={detail}>{children}</DetailContext>;
}

/** How much is drawn at the zoom of now. */
export function useDetail(): Detail {
  return use(DetailContext);
}
