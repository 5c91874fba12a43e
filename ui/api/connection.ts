import { createWatchedValue } from "./watched-value.ts";

const answering = createWatchedValue(true);

/** Records whether a call was answered; a problem document counts as an answer. */
export const recordAnswer = answering.set;

/** Returns false after a call without an answer, and true after the next answered call. */
export const useIsAnswering = (): boolean => answering.useSelected((is) => is);

/** Sends a request to the service and records whether it answered. */
export async function pingService(): Promise<boolean> {
  const there = await fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(5_000) }).then(
    (answer) => answer.ok,
    () => false,
  );
  recordAnswer(there);
  return there;
}
