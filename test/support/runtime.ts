import type { Runtime } from "../../shared/actions/contract/call.ts";
import { runtime as realAmbient } from "../../shared/service/runtime.ts";

export { realAmbient };

/** A clock that the test moves; ids and chance are real. */
export function ambientAt(start: string): Runtime & { advance(ms: number): void } {
  let now = Date.parse(start);
  return {
    ...realAmbient,
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}
