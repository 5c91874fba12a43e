import { tag as en } from "./en/tag.ts";
import { wordsOf } from "./language.ts";

/** The words of tags on objects. */
export const useTagWords = wordsOf("tag", en, async () => (await import("./fr/tag.ts")).tag);
