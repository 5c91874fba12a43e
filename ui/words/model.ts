import { model as en } from "./en/model.ts";
import { model as fr } from "./fr/model.ts";
import { wordsOf } from "./language.ts";

/** The words of one model. */
export const useModelWords = wordsOf("model", { en, fr });
