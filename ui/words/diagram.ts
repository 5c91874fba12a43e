import { diagram as en } from "./en/diagram.ts";
import { wordsOf } from "./language.ts";

/** The words of the diagram. */
export const useDiagramWords = wordsOf("diagram", en, async () => (await import("./fr/diagram.ts")).diagram);
