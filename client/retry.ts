import { ApiProblem } from "./api-problem.ts";

const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const FIRST_PAUSE = 200;
/** Seconds; a service that asks for more is given up on. */
const LONGEST_WAIT = 30;

/**
 * Milliseconds to wait before a call is sent again, after it was sent again `before` times; undefined where it must not
 * be. `isSafe`: doing it twice comes to the same. Otherwise only a 429 is repeated, which did nothing.
 */
export function pauseBefore(before: number, error: unknown, isSafe: boolean): number | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const { status, code, retryAfter } = error;
  if (code !== "no_answer" && !RETRIED.has(status)) return undefined;
  if (!isSafe && status !== 429) return undefined;
  if (retryAfter !== undefined && retryAfter > LONGEST_WAIT) return undefined;
  // Spread, so that clients that failed together do not come back together.
  const spread = FIRST_PAUSE * 2 ** before * (0.5 + Math.random() / 2);
  return Math.max(spread, (retryAfter ?? 0) * 1000);
}

/** Waits; an abort ends it with the caller's reason. */
export function untilSent(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
