import type { Ambient } from "../shared/actions/call.ts";
import type { Seam } from "../shared/store/seam.ts";
import { sweep } from "../shared/store/sweep.ts";

/** How often the sweeper looks, in milliseconds; in the cloud a schedule does it. */
const EVERY_MS = 60_000;

/** Sweeps now and then until it is stopped; answers how to stop it, which waits for a round under way. */
export function startSweeper(seam: Seam, ambient: Ambient, log: (line: string) => void): () => Promise<void> {
  let stopped = false;
  let round: Promise<void> = Promise.resolve();
  const sweepOnce = async (): Promise<void> => {
    try {
      const swept = await sweep(seam, ambient, () => !stopped);
      if (swept.notes + swept.closed > 0) log(JSON.stringify({ level: "info", swept }));
    } catch (error) {
      // What is left stays noted, so the next round goes on.
      const reason = error instanceof Error ? error.name : "unknown";
      log(JSON.stringify({ level: "error", sweep: "failed", reason }));
    }
  };
  const timer = setInterval(() => {
    round = round.then(sweepOnce);
  }, EVERY_MS);
  round = sweepOnce();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await round;
  };
}
