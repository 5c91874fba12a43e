import type { Runtime } from "../../shared/actions/contract/call.ts";
import { runtime as realRuntime } from "../../shared/service/runtime.ts";

export { realRuntime };

/** A clock that the test moves; ids and chance are real. */
export function runtimeAt(start: string): Runtime & { advance(ms: number): void } {
  let now = Date.parse(start);
  return {
    ...realRuntime,
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}
