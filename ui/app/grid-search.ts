import type { GridView } from "../parts/grid/grid-view.ts";
import { type Reader, text } from "./search-params.ts";

/** The texts sought in columns, by the id of the column. */
const soughtIn: Reader<Readonly<Record<string, string>>> = (given) => {
  if (typeof given !== "object" || given === null) return undefined;
  const texts = Object.entries(given).filter(([, value]) => typeof value === "string" && value !== "");
  return texts.length > 0 ? Object.fromEntries(texts) : undefined;
};

/** The readers of what a grid has in the address; a screen spreads them among its own. */
export const gridSearch = { q: text, in: soughtIn, sort: text } satisfies Record<keyof GridView, Reader<unknown>>;
