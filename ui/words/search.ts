import { search as en } from "./en/search.ts";
import { search as fr } from "./fr/search.ts";
import { wordsOf } from "./language.ts";

/** The words of the search. */
export const useSearchWords = wordsOf("search", { en, fr });
