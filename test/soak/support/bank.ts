import type { Defect, Defects } from "./defect.ts";
import { CACHE_DEFECTS } from "./defects-of-cache.ts";
import { CALL_DEFECTS } from "./defects-of-calls.ts";
import { CLIENT_DEFECTS } from "./defects-of-clients.ts";
import { COMMIT_DEFECTS } from "./defects-of-commits.ts";
import { CONCURRENCY_DEFECTS } from "./defects-of-concurrency.ts";
import { FORMAT_DEFECTS } from "./defects-of-formats.ts";
import { HTTP_DEFECTS } from "./defects-of-http.ts";
import { IDENTITY_DEFECTS } from "./defects-of-identity.ts";
import { PUBLICATION_DEFECTS } from "./defects-of-publication.ts";
import { READ_DEFECTS } from "./defects-of-reads.ts";
import { RULE_DEFECTS } from "./defects-of-rules.ts";
import { SEARCH_DEFECTS } from "./defects-of-search.ts";
import { SNAPSHOT_DEFECTS } from "./defects-of-snapshots.ts";
import { STRUCTURE_DEFECTS } from "./defects-of-structure.ts";
import { TABLE_DEFECTS } from "./defects-of-table.ts";
import { VIEW_DEFECTS } from "./defects-of-views.ts";
import { WORKER_DEFECTS } from "./defects-of-workers.ts";

/** All planted defects. */
export const BANK: readonly Defect[] = [
  COMMIT_DEFECTS,
  PUBLICATION_DEFECTS,
  READ_DEFECTS,
  CALL_DEFECTS,
  CACHE_DEFECTS,
  STRUCTURE_DEFECTS,
  SNAPSHOT_DEFECTS,
  CONCURRENCY_DEFECTS,
  TABLE_DEFECTS,
  VIEW_DEFECTS,
  WORKER_DEFECTS,
  SEARCH_DEFECTS,
  RULE_DEFECTS,
  IDENTITY_DEFECTS,
  HTTP_DEFECTS,
  FORMAT_DEFECTS,
  CLIENT_DEFECTS,
].flatMap((defects: Defects) =>
  Object.entries(defects).map(
    ([
      name,
      {
        planted: [where, mutation],
        caughtBy,
      },
    ]) => ({ name, where, mutation, caughtBy }),
  ),
);
