import { ref as en } from "./en/ref.ts";
import { wordsOf } from "./language.ts";

/** The words of fields for refs. */
export const useRefWords = wordsOf("ref", en, async () => (await import("./fr/ref.ts")).ref);
