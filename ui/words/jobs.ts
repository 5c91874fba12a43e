import { jobs as en } from "./en/jobs.ts";
import { wordsOf } from "./language.ts";

/** The words of the jobs. */
export const useJobsWords = wordsOf("jobs", en, async () => (await import("./fr/jobs.ts")).jobs);
