import { v7 } from "uuid";
import type { Runtime } from "../actions/contract/call.ts";

/** Clock, ids and random numbers of the machine, for entry points. */
export const ambient: Runtime = {
  now: () => Date.now(),
  newId: () => v7(),
  random: () => Math.random(),
  sleep: (ms, over) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      over?.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};
