import { compare as en } from "./en/compare.ts";
import { wordsOf } from "./language.ts";

/** The words of comparisons. */
export const useCompareWords = wordsOf("compare", en, async () => (await import("./fr/compare.ts")).compare);
