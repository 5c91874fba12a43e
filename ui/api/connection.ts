import { useSyncExternalStore } from "react";

/** Whether the service answered the last call that was sent. */
let answered = true;
const watchers = new Set<() => void>();

/** Notes whether a call was answered, be it with a problem. */
export function noteAnswered(was: boolean): void {
  if (answered === was) return;
  answered = was;
  for (const watcher of watchers) watcher();
}

/** True until a call gets no answer, and again when one does. */
export function useIsAnswering(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => answered,
  );
}

/** Looks whether the service is there; notes it. */
export async function lookForService(): Promise<boolean> {
  const there = await fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(5_000) }).then(
    (answer) => answer.ok,
    () => false,
  );
  noteAnswered(there);
  return there;
}
