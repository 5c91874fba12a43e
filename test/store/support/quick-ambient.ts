import { setImmediate } from "node:timers/promises";
import { ambientAt } from "../../support/ambient.ts";

/** A clock that pauses move on at once, so that waiting costs a test no time. */
export function quickAmbient(start = "2027-03-01T12:00:00Z"): ReturnType<typeof ambientAt> {
  const ambient = ambientAt(start);
  return {
    ...ambient,
    sleep: async (ms) => {
      ambient.advance(Math.ceil(ms));
      await setImmediate();
    },
  };
}
