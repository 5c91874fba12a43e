import MiniSearch, { type Options } from "minisearch";
import type { Section } from "./markdown.ts";

/** A section of a page as the search knows it. */
export interface Findable {
  /** Path on the site, with the anchor. */
  readonly id: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** What the search shows of a section that it found. */
export type Found = Pick<Findable, "id" | "page" | "heading">;

/** How sections are indexed and sought; the page that searches needs the same. */
export const SEARCH_OPTIONS: Options<Findable> = {
  fields: ["page", "heading", "text"],
  storeFields: ["page", "heading"],
  searchOptions: { boost: { page: 4, heading: 3 }, combineWith: "AND", prefix: true, fuzzy: 0.15 },
};

/** The index of all sections, as JSON for the page that searches. */
export function searchIndex(pages: ReadonlyMap<string, readonly Section[]>): string {
  const index = new MiniSearch<Findable>(SEARCH_OPTIONS);
  for (const [place, sections] of pages) {
    const page = sections[0]?.heading ?? place;
    index.addAll(sections.map(({ heading, anchor, text }) => ({ id: `${place}#${anchor}`, page, heading, text })));
  }
  return JSON.stringify(index);
}

/** The best section of each page that has all words, or words that begin so or nearly; best first. */
export function search(index: MiniSearch<Findable>, words: string): readonly Found[] {
  const found = new Map<string, Found>();
  for (const { id, page, heading } of index.search(words)) {
    if (!found.has(page)) found.set(page, { id: String(id), page: String(page), heading: String(heading) });
  }
  return [...found.values()];
}
