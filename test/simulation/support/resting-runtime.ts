import type { Runtime } from "../../../shared/actions/contract/call.ts";

/** An runtime before a schedule begins, or after it ended: nothing takes time. `now` in milliseconds since the epoch. */
export function restingRuntime(now: () => number): Runtime {
  let ids = 0;
  return {
    now: () => Math.floor(now()),
    newId: () => `ffffffff-ffff-7fff-8fff-${(ids++).toString(16).padStart(12, "0")}`,
    random: () => 0.5,
    sleep: async () => undefined,
  };
}
