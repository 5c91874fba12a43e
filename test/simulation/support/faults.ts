/** Fault of a request, or of its process: it dies before or after the table has the request, or stands still. */
export type Fault = (typeof FAULTS)[number] | "dead" | "dead-after" | "frozen";

// Without an answer: `unsent` never reaches the table, `unheard` does, `late` does later. `half` takes the first rows.
export const FAULTS = ["unsent", "unheard", "late", "throttled", "conflict", "half"] as const;
