import { compare as en } from "./en/compare.ts";
import { compare as fr } from "./fr/compare.ts";
import { wordsOf } from "./language.ts";

/** The words of comparisons. */
export const useCompareWords = wordsOf("compare", { en, fr });
