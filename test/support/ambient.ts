import { ambient as realAmbient } from "../../functions/ambient.ts";
import type { Ambient } from "../../shared/actions/contract/call.ts";

export { realAmbient };

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
