import type { Defect } from "./defect.ts";
import { DEFECTS_OF_CALLS } from "./defects-of-calls.ts";
import { DEFECTS_OF_COMMITS } from "./defects-of-commits.ts";
import { DEFECTS_OF_MEMORY } from "./defects-of-memory.ts";
import { DEFECTS_OF_PUBLICATION } from "./defects-of-publication.ts";
import { DEFECTS_OF_READING } from "./defects-of-reading.ts";
import { DEFECTS_OF_SCHEDULES } from "./defects-of-schedules.ts";
import { DEFECTS_OF_SNAPSHOTS } from "./defects-of-snapshots.ts";
import { DEFECTS_OF_STRUCTURE } from "./defects-of-structure.ts";
import { DEFECTS_OF_THE_TABLE } from "./defects-of-the-table.ts";
import { DEFECTS_OF_VIEWS } from "./defects-of-views.ts";
import { DEFECTS_OF_WORKERS } from "./defects-of-workers.ts";

/** All planted defects. */
export const BANK: readonly Defect[] = [
  ...DEFECTS_OF_COMMITS,
  ...DEFECTS_OF_PUBLICATION,
  ...DEFECTS_OF_READING,
  ...DEFECTS_OF_CALLS,
  ...DEFECTS_OF_MEMORY,
  ...DEFECTS_OF_STRUCTURE,
  ...DEFECTS_OF_SNAPSHOTS,
  ...DEFECTS_OF_SCHEDULES,
  ...DEFECTS_OF_THE_TABLE,
  ...DEFECTS_OF_VIEWS,
  ...DEFECTS_OF_WORKERS,
];
