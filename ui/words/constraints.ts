import { constraints as en } from "./en/constraints.ts";
import { wordsOf } from "./language.ts";

/** The words of the constraints of attributes. */
export const useConstraintWords = wordsOf(
  "constraints",
  en,
  async () => (await import("./fr/constraints.ts")).constraints,
);
