import { grid as en } from "./en/grid.ts";
import { wordsOf } from "./language.ts";

/** The words of the grid. */
export const useGridWords = wordsOf("grid", en, async () => (await import("./fr/grid.ts")).grid);
