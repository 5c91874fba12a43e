/** Mutants that change no answer, grouped by the reason. Each has the form in which a run prints it. */
export const EQUIVALENT: Readonly<Record<string, readonly string[]>> = {};
