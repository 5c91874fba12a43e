import { search as en } from "./en/search.ts";
import { wordsOf } from "./language.ts";

/** The words of the search. */
export const useSearchWords = wordsOf("search", en, async () => (await import("./fr/search.ts")).search);
