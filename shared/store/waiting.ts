import type { Ambient } from "../actions/call.ts";

/** Sleeps between repeats. */
export interface Waiting {
  /** Full jitter: anything up to 20 ms doubled with each repeat, at most one second. */
  pause(repeats: number): Promise<void>;
}

export function createWaiting(ambient: Pick<Ambient, "random" | "sleep">): Waiting {
  return { pause: (repeats) => ambient.sleep(ambient.random() * Math.min(1_000, 20 * 2 ** repeats)) };
}
