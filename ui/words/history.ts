import { history as en } from "./en/history.ts";
import { wordsOf } from "./language.ts";

/** The words of a model's history. */
export const useHistoryWords = wordsOf("history", en, async () => (await import("./fr/history.ts")).history);
