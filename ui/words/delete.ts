import { deleting as en } from "./en/delete.ts";
import { wordsOf } from "./language.ts";

/** The words of deleting. */
export const useDeleteWords = wordsOf("delete", en, async () => (await import("./fr/delete.ts")).deleting);
