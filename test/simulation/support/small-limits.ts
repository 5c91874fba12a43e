import { LIMITS, SWEEP } from "../../../shared/domain/limits.ts";

/** Limits that a schedule of a hundred calls reaches; they must be set before anything reads them. */
Object.assign(LIMITS, {
  transactionItems: 14,
  objectsPerCall: 30,
  objectsPerJob: 200,
  logBytes: 700,
  blobChunkBytes: 2_100,
  snapshotCommits: 6,
  jobLeaseMs: 20_000,
  // 32 objects at 1,000 a second.
  callStagingMs: 32,
});
Object.assign(SWEEP, { generationMs: 90_000, secondLookMs: 60_000, stagingMs: 40_000 });
