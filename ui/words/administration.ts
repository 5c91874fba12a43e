import { administration as en } from "./en/administration.ts";
import { wordsOf } from "./language.ts";

/** The words of the administration. */
export const useAdministrationWords = wordsOf(
  "administration",
  en,
  async () => (await import("./fr/administration.ts")).administration,
);
