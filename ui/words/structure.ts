import { structure as en } from "./en/structure.ts";
import { wordsOf } from "./language.ts";

/** The words of the screens of entities, relationships, types and their attributes. */
export const useStructureWords = wordsOf("structure", en, async () => (await import("./fr/structure.ts")).structure);
