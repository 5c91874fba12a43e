import { claimOf, type ModelHistory } from "./checker-history.ts";
import { logFaults, orderFaults, orderOf } from "./checker-order.ts";
import { replayFaults } from "./checker-replay.ts";
import { twinFaults } from "./checker-twins.ts";

/**
 * Everything in a history that one copy of the model, changed by one call at a time, cannot have shown: revisions twice
 * or missing, writes lost or out of order, reads that are stale or from the future, refusals without a reason. The log
 * gives the order of the writes, so sorting is all that is searched.
 */
export function violations(history: ModelHistory): readonly string[] {
  const claimed = history.ops.map((op) => ({ op, claim: claimOf(op) }));
  const order = orderOf(history, claimed);
  return [
    ...logFaults(history, claimed),
    ...orderFaults(claimed, order),
    ...twinFaults(claimed),
    ...replayFaults(history, claimed, order),
  ];
}
