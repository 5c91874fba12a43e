import { LIMITS } from "../shared/domain/limits.ts";
import { Problem, type Quota } from "../shared/domain/problems.ts";
import type { CallerQuota } from "../shared/http/handle.ts";

/** What one caller has used of the process. */
interface Usage {
  calls: number;
  /** Milliseconds of the process that are not given back yet. */
  usedMs: number;
  /** Time of the last change of this usage, in milliseconds since the epoch. */
  at: number;
}

const WINDOW_MS = 60_000;

const CALLS: Quota = { name: "concurrent-calls", quota: LIMITS.callsPerCaller, unit: "concurrent-requests" };
/** In seconds, as the header fields count. */
const TIME: Quota = { name: "process-time", quota: LIMITS.callerMs / 1_000, window: WINDOW_MS / 1_000 };

/** Shares one process between its callers. `now` returns milliseconds since the epoch. */
export class SharedProcess implements CallerQuota {
  readonly #now: () => number;
  /** Usage of the callers of the last minute or two. */
  readonly #usages = new Map<string, Usage>();
  #forgotAt = 0;
  #calls = 0;
  #at = 0;
  /** Milliseconds of a call that began with the process. Concurrent calls share each millisecond. */
  #sharedMs = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  enter(caller: string): () => void {
    const now = this.#advance();
    this.#forgetIdle(now);
    const usage = this.#giveBack(this.#usages.get(caller) ?? { calls: 0, usedMs: 0, at: now }, now);
    this.#usages.set(caller, usage);
    if (usage.calls >= LIMITS.callsPerCaller)
      throw refuse(`${usage.calls} of your calls are running already; wait for one of them`, CALLS, 1);
    const excessMs = usage.usedMs - LIMITS.callerMs;
    if (excessMs >= 0 && this.#usages.size > 1) {
      const seconds = Math.floor((excessMs * WINDOW_MS) / LIMITS.callerMs / 1_000) + 1;
      throw refuse("your calls have used their time of this minute, and there are other callers", TIME, seconds);
    }
    usage.calls += 1;
    this.#calls += 1;
    const began = this.#sharedMs;
    return () => {
      this.#giveBack(usage, this.#advance());
      this.#calls -= 1;
      usage.calls -= 1;
      usage.usedMs += this.#sharedMs - began;
    };
  }

  #advance(): number {
    const now = this.#now();
    if (this.#calls > 0) this.#sharedMs += (now - this.#at) / this.#calls;
    this.#at = now;
    return now;
  }

  /** Reduces a usage by the share of the time that has passed. */
  #giveBack(usage: Usage, now: number): Usage {
    usage.usedMs = Math.max(0, usage.usedMs - ((now - usage.at) * LIMITS.callerMs) / WINDOW_MS);
    usage.at = now;
    return usage;
  }

  #forgetIdle(now: number) {
    if (now - this.#forgotAt < WINDOW_MS) return;
    this.#forgotAt = now;
    for (const [caller, { calls, at }] of this.#usages)
      if (calls === 0 && now - at >= WINDOW_MS) this.#usages.delete(caller);
  }
}

function refuse(detail: string, quota: Quota, retryAfter: number): Problem {
  return new Problem("throttled", detail, { retryAfter, quota });
}
