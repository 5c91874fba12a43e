/**
 * The faults that befall one request:
 * - `unsent`: it never reaches the table, and nobody hears of it; `unheard`: it does, and nobody hears of it;
 * - `late`: given up without an answer, it reaches the table after that;
 * - `throttled`, `conflict`: refused, and certainly not done; `half`: of a batch only the first rows are taken;
 * - `dead`, `dead-after`: the process dies before or after the table has it; `frozen`: the process stands still.
 */
export type Fault = (typeof FAULTS)[number] | "dead" | "dead-after" | "frozen";

/** The faults of requests; those of processes are apart. */
export const FAULTS = ["unsent", "unheard", "late", "throttled", "conflict", "half"] as const;
