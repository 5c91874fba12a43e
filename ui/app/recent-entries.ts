import { useRouter } from "@tanstack/react-router";
import { foldedText } from "../parts/grid/grid-view.ts";
import { useSearchWords } from "../words/search.ts";
import type { PaletteGroup } from "./palette-source.ts";
import { recentPlaces } from "./recent-places.ts";

/** Finds the pages that were left last by their titles. */
export function useRecentEntries(typed: string): PaletteGroup {
  const say = useSearchWords();
  const router = useRouter();
  const entries = recentPlaces()
    .filter(({ title }) => foldedText(title).includes(foldedText(typed)))
    .map(({ href, title }) => ({ id: `recent ${href}`, label: title, run: () => router.history.push(href) }));
  return { title: say("paletteRecent"), entries: typed === "" ? entries : entries.slice(0, 3) };
}
