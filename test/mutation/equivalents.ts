/** Mutants that behave like the original, each with the reason. Their keys are the lines that a run prints. */
export const EQUIVALENT: Readonly<Record<string, string>> = {};
