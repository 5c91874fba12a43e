import { runner as en } from "./en/runner.ts";
import { wordsOf } from "./language.ts";

/** The words of the action runner. */
export const useRunnerWords = wordsOf("runner", en, async () => (await import("./fr/runner.ts")).runner);
