import { setImmediate } from "node:timers/promises";
import { runtimeAt } from "../../support/runtime.ts";

/** A clock that pauses move on at once, so that waiting costs a test no time. */
export function quickRuntime(start = "2027-03-01T12:00:00Z"): ReturnType<typeof runtimeAt> {
  const runtime = runtimeAt(start);
  return {
    ...runtime,
    sleep: async (ms) => {
      runtime.advance(Math.ceil(ms));
      await setImmediate();
    },
  };
}
