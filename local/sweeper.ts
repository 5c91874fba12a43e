import type { Runtime } from "../shared/actions/contract/call.ts";
import { sweep } from "../shared/store/sweep/sweep.ts";
import type { ServiceTable } from "./start.ts";

/** Milliseconds between two rounds; in the cloud a schedule starts them. */
const EVERY_MS = 60_000;

/** Sweeps now and then until it is stopped; answers how to stop it, which waits for a round under way. */
export function startSweeper(
  connector: Pick<ServiceTable, "connect" | "deleteExpired">,
  ambient: Runtime,
  log: (line: string) => void,
): () => Promise<void> {
  const table = connector.connect(Number.POSITIVE_INFINITY);
  let stopped = false;
  let round: Promise<void> = Promise.resolve();
  const sweepOnce = async (): Promise<void> => {
    try {
      const swept = await sweep(table, ambient, () => !stopped);
      const expired = await deleteExpired(connector, ambient, () => !stopped);
      if (swept.notes + swept.closed + expired > 0) log(JSON.stringify({ level: "info", swept, expired }));
    } catch (error) {
      // The notes that are left stay, so the next round goes on.
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

/** Deletes all items whose time is over, a part at a time; answers how many. */
async function deleteExpired(
  connector: Pick<ServiceTable, "deleteExpired">,
  ambient: Runtime,
  goesOn: () => boolean,
): Promise<number> {
  let all = 0;
  for (let some = 1; some > 0 && goesOn(); all += some) {
    some = await connector.deleteExpired(Math.floor(ambient.now() / 1_000));
  }
  return all;
}
