import { setImmediate } from "node:timers/promises";
import type { Runtime } from "../../../shared/actions/contract/call.ts";
import { realAmbient } from "../../support/ambient.ts";

/** Time that goes on only where everybody sleeps. Ids and chance are real. */
export interface VirtualTime {
  readonly ambient: Runtime;
  /** Waits for something outside, such as a real table, during which no time goes by. */
  outside<T>(work: () => Promise<T>): Promise<T>;
  /** Lets time go by until some work is done. */
  during<T>(work: Promise<T>): Promise<T>;
}

/** Looks at the event loop before time goes on: who was woken has to come to sleep again. */
const LOOKS = 3;

/** A clock that begins at `start`, ISO 8601. */
export function createVirtualTime(start = "2027-03-01T12:00:00Z"): VirtualTime {
  let now = Date.parse(start);
  let outside = 0;
  let sleepers: { readonly due: number; readonly wake: () => void }[] = [];

  const wakeNext = (): void => {
    const due = Math.min(...sleepers.map((one) => one.due));
    now = Math.max(now, due);
    const woken = sleepers.filter((one) => one.due <= due);
    sleepers = sleepers.filter((one) => one.due > due);
    for (const { wake } of woken) wake();
  };

  return {
    ambient: {
      ...realAmbient,
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
    },
    outside: async (work) => {
      outside += 1;
      try {
        return await work();
      } finally {
        outside -= 1;
      }
    },
    during: async (work) => {
      let over = false;
      const end = (): void => {
        over = true;
      };
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
