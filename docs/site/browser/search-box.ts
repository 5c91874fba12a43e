import MiniSearch from "minisearch";
import { type Findable, SEARCH_OPTIONS, search } from "../search.ts";

/** Most pages that are shown for one search. */
const SHOWN = 12;

const box = document.querySelector<HTMLInputElement>("#search");
const list = document.querySelector<HTMLElement>("#found");
const root = document.documentElement.dataset.root ?? "";

let index: Promise<MiniSearch<Findable>> | undefined;

/** The index, fetched once, when somebody searches. */
async function loaded(): Promise<MiniSearch<Findable>> {
  const answer = await fetch(`${root}search-index.json`);
  return MiniSearch.loadJSON(await answer.text(), SEARCH_OPTIONS);
}

async function show(): Promise<void> {
  if (!box || !list) return;
  index ??= loaded();
  const words = box.value.trim();
  const found = words === "" ? [] : search(await index, words).slice(0, SHOWN);
  // Another letter may have been typed while the index was fetched.
  if (words !== box.value.trim()) return;
  list.replaceChildren(
    ...found.map(({ id, page, heading }) => {
      const link = document.createElement("a");
      link.href = `${root}${id}`;
      link.textContent = heading === page ? page : `${page}: ${heading}`;
      return link;
    }),
  );
  if (words !== "" && found.length === 0) list.textContent = "Nothing found.";
}

box?.addEventListener("input", () => void show());
// A result may lie on the page that is open, which then stays.
list?.addEventListener("click", () => list.replaceChildren());
