import { setImmediate } from "node:timers/promises";
import type { Runtime } from "../../../shared/actions/contract/call.ts";
import { realRuntime } from "../../support/runtime.ts";

export type VirtualTime = ReturnType<typeof createVirtualTime>;

/** Looks at the event loop before time goes on: who was woken has to come to sleep again. */
const LOOKS = 3;

/** Creates time that goes on only where everybody sleeps, from `start` on (ISO 8601). Ids and chance are real. */
export function createVirtualTime(start = "2027-03-01T12:00:00Z") {
  let now = Date.parse(start);
  let outside = 0;
  let sleepers: { readonly due: number; readonly wake: () => void }[] = [];

  const wakeNext = () => {
    const due = Math.min(...sleepers.map((one) => one.due));
    now = Math.max(now, due);
    const woken = sleepers.filter((one) => one.due <= due);
    sleepers = sleepers.filter((one) => one.due > due);
    for (const { wake } of woken) wake();
  };

  const runtime: Runtime = {
    ...realRuntime,
    now: () => Math.floor(now),
    sleep: (ms, over) =>
      new Promise((resolve) => {
        const one = { due: now + ms, wake: resolve };
        sleepers.push(one);
        over?.addEventListener("abort", () => {
          sleepers = sleepers.filter((other) => other !== one);
          resolve();
        });
      }),
  };
  return {
    runtime,
    /** Waits for work outside the simulation, such as a real table. The simulated clock does not advance. */
    outside: async <T>(work: () => Promise<T>): Promise<T> => {
      outside += 1;
      try {
        return await work();
      } finally {
        outside -= 1;
      }
    },
    /** Lets time go by until some work is done. */
    during: async <T>(work: Promise<T>): Promise<T> => {
      let over = false;
      const end = () => (over = true);
      work.then(end, end);
      for (let idle = 0; !over; idle++) {
        await setImmediate();
        if (outside > 0) idle = 0;
        if (idle < LOOKS || sleepers.length === 0) continue;
        wakeNext();
        idle = 0;
      }
      return work;
    },
  };
}
