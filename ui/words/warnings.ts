import { warnings as en } from "./en/warnings.ts";
import { wordsOf } from "./language.ts";

/** The words of the warnings of imports and exports, by their codes. */
export const useWarningsWords = wordsOf("warnings", en, async () => (await import("./fr/warnings.ts")).warnings);
