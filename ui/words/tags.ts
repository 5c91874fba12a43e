import { tags as en } from "./en/tags.ts";
import { wordsOf } from "./language.ts";

/** The words of the screens of tags. */
export const useTagsWords = wordsOf("tags", en, async () => (await import("./fr/tags.ts")).tags);
