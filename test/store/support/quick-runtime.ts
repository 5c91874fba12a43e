import { setImmediate } from "node:timers/promises";
import { ambientAt } from "../../support/runtime.ts";

/** A clock that pauses move on at once, so that waiting costs a test no time. */
export function quickAmbient(start = "2027-03-01T12:00:00Z"): ReturnType<typeof ambientAt> {
  const runtime = ambientAt(start);
  return {
    ...runtime,
    sleep: async (ms) => {
      runtime.advance(Math.ceil(ms));
      await setImmediate();
    },
  };
}
