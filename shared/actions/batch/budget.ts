import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import type { Call } from "../contract/call.ts";
import { measureJson } from "../pipeline/answer-size.ts";

/** Time after which a batch lets other calls run, in milliseconds. */
const YIELD_MS = 20;

/** The time and the bytes that one attempt of a batch may use. */
export class BatchBudget {
  readonly #call: Pick<Call, "deadline" | "now" | "sleep">;
  #bytes = 0;
  #resumedAt: number;

  constructor(call: Pick<Call, "deadline" | "now" | "sleep">) {
    this.#call = call;
    this.#resumedAt = call.now();
  }

  /** Charges the bytes of a value as JSON. Throws `too_large` when the batch holds more than `batchAnswerBytes`. */
  chargeJson(value: unknown): void {
    this.#bytes += measureJson(value);
    if (this.#bytes <= LIMITS.batchAnswerBytes) return;
    const detail =
      `The results of a batch may have at most ${LIMITS.batchAnswerBytes} bytes together (limit batchAnswerBytes), and this entry exceeds them. ` +
      `Send the entries that read in several batches`;
    throw new Problem("too_large", detail);
  }

  /** Lets other calls run after a while of work. Throws `out_of_time` after the deadline. */
  async checkTime(): Promise<void> {
    const { now, sleep, deadline } = this.#call;
    if (now() - this.#resumedAt >= YIELD_MS) {
      await sleep(0);
      this.#resumedAt = now();
    }
    if (now() < deadline) return;
    const detail = `The batch did not finish within the ${LIMITS.callMs} ms of one call (limit callMs); nothing was changed. Split it into several batches`;
    throw new Problem("out_of_time", detail, { retryAfter: 1 });
  }
}
