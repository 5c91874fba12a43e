import { v7 } from "uuid";
import type { Runtime } from "../actions/contract/call.ts";

/** Random bytes for ids, drawn 256 ids at a time: drawing them takes as long as drawing those of one id. */
const randomBytes = new Uint8Array(256 * 16);
let offset = randomBytes.length;
/** Time and counter of the last id, so that the ids of one process are in order (RFC 9562 section 6.2, method 1). */
let [msecs, seq] = [0, 0];

function newId() {
  if (offset === randomBytes.length) {
    crypto.getRandomValues(randomBytes);
    offset = 0;
  }
  const random = randomBytes.subarray(offset, offset + 16);
  offset += 16;
  const now = Date.now();
  // A new millisecond starts in the lower half of the counter, which leaves 2^31 ids before it is full.
  [msecs, seq] =
    now > msecs ? [now, new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1] : [msecs, seq + 1];
  return v7({ random, msecs, seq });
}

/** Clock, ids and random numbers of the machine, for entry points. */
export const runtime: Runtime = {
  now: () => Date.now(),
  newId,
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
