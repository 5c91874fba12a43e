import { useSyncExternalStore } from "react";

let answered = true;
const watchers = new Set<() => void>();

/** Records whether a call was answered; a problem document counts as an answer. */
export function recordAnswer(was: boolean): void {
  if (answered === was) return;
  answered = was;
  for (const watcher of watchers) watcher();
}

/** Returns false after a call without an answer, and true after the next answered call. */
export function useIsAnswering(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => answered,
  );
}

/** Sends a request to the service and records whether it answered. */
export async function pingService(): Promise<boolean> {
  const there = await fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(5_000) }).then(
    (answer) => answer.ok,
    () => false,
  );
  recordAnswer(there);
  return there;
}
