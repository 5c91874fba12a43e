import { useCallback } from "react";
import type { JsonObject } from "../form/pointer.ts";
import { memoryOf, useOwner } from "./memory.ts";

/** A run of this session, without its secrets and without its answer. */
export interface PastRun {
  readonly number: number;
  readonly action: string;
  readonly title: string;
  readonly payload: JsonObject;
  readonly hadSecrets: boolean;
  readonly at: number;
  readonly dryRun: boolean;
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  readonly ok: boolean;
  /** The entity tag of its answer. */
  readonly etag?: string | undefined;
}

const KEPT = 50;
const runs = memoryOf<readonly PastRun[]>([]);

/** The runs of the person since the page was opened, the last one first. */
export function useRuns() {
  const owner = useOwner();
  const all = runs.use(owner);
  const note = useCallback(
    (run: Omit<PastRun, "number">) =>
      runs.change(owner, (before) => [{ ...run, number: (before[0]?.number ?? 0) + 1 }, ...before].slice(0, KEPT)),
    [owner],
  );
  const forget = useCallback(() => runs.change(owner, () => []), [owner]);
  return { runs: all, note, forget };
}
