import { model as en } from "./en/model.ts";
import { wordsOf } from "./language.ts";

/** The words of one model. */
export const useModelWords = wordsOf("model", en, async () => (await import("./fr/model.ts")).model);
