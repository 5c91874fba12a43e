import type { Ambient } from "../actions/call.ts";
import { createRetryBudget, type RetryBudget } from "./retry-budget.ts";

/** Sleeps between repeats, and pays for them. */
export interface Waiting {
  /** Full jitter: anything up to 20 ms doubled with each repeat, at most one second. */
  pause(repeats: number): Promise<void>;
  readonly budget: RetryBudget;
}

/** `budget` is that of the process, where several calls share it. */
export function createWaiting(
  ambient: Pick<Ambient, "random" | "sleep">,
  budget: RetryBudget = createRetryBudget(),
): Waiting {
  return { pause: (repeats) => ambient.sleep(ambient.random() * Math.min(1_000, 20 * 2 ** repeats)), budget };
}
