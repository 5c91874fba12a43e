import type { CandidateFormat } from "../actions/contract/ports.ts";

/** The marks by which a source looks like one written in a format: what it is, how sure that is, and why. */
export type Marks = Omit<CandidateFormat, "format">;
