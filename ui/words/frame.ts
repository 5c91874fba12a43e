import { frame as en } from "./en/frame.ts";
import { wordsOf } from "./language.ts";

/** The words of the frame and of the parts. */
export const useFrameWords = wordsOf("frame", en, async () => (await import("./fr/frame.ts")).frame);
