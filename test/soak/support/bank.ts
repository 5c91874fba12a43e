import { type Defect, listDefects } from "./defect.ts";
import { CALL_DEFECTS } from "./defects-of-calls.ts";
import { COMMIT_DEFECTS } from "./defects-of-commits.ts";
import { FEATURE_DEFECTS } from "./defects-of-features.ts";
import { PUBLICATION_DEFECTS } from "./defects-of-publication.ts";
import { READ_DEFECTS } from "./defects-of-reads.ts";
import { WORKER_DEFECTS } from "./defects-of-workers.ts";

export const BANK: readonly Defect[] = [
  CALL_DEFECTS,
  COMMIT_DEFECTS,
  FEATURE_DEFECTS,
  PUBLICATION_DEFECTS,
  READ_DEFECTS,
  WORKER_DEFECTS,
].flatMap(listDefects);
