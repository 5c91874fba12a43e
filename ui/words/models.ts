import { models as en } from "./en/models.ts";
import { wordsOf } from "./language.ts";

/** The words of the list of models. */
export const useModelsWords = wordsOf("models", en, async () => (await import("./fr/models.ts")).models);
