import { createWatchedValue } from "./watched-value.ts";

const connection = createWatchedValue(true);

/** Records whether a call was answered; a problem document counts as an answer. */
export const recordAnswer = connection.set;

/** Returns false after a call without an answer, and true after the next answered call. */
export const useIsAnswering = (): boolean => connection.useSelected((value) => value);

/** Sends a request to the service and records whether it answered. */
export async function pingService(): Promise<boolean> {
  const isReachable = await fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(5_000) }).then(
    (answer) => answer.ok,
    () => false,
  );
  recordAnswer(isReachable);
  return isReachable;
}
