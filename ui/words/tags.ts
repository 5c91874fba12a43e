import { tags as en } from "./en/tags.ts";
import { tags as fr } from "./fr/tags.ts";
import { wordsOf } from "./language.ts";

/** The words of the screens of tags. */
export const useTagsWords = wordsOf("tags", { en, fr });
