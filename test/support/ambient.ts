import { v7 } from "uuid";
import type { Ambient } from "../../shared/actions/call.ts";

/** Real time, ids and chance. */
export const realAmbient: Ambient = {
  now: () => Date.now(),
  newId: () => v7(),
  random: () => Math.random(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** A clock that the test moves; ids and chance are real. */
export function ambientAt(start: string): Ambient & { advance(ms: number): void } {
  let now = Date.parse(start);
  return {
    ...realAmbient,
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}
