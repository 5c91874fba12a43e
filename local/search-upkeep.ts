import type { FileIndex } from "../shared/search/file-index.ts";

/** Milliseconds between two looks. */
const EVERY_MS = 2_000;

/**
 * Keeps the search index up while no search asks for it, so that the next one need not wait. The answer ends it, and waits
 * for what is under way.
 */
export function startSearchUpkeep(
  searches: () => Promise<FileIndex>,
  log: (line: string) => void,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    try {
      await (await searches()).keepUp();
    } catch (error) {
      // Searches read what it did not.
      log(JSON.stringify({ level: "error", searchIndex: "not kept up", reason: String(error) }));
    }
    running = undefined;
  };
  const timer = setInterval(() => {
    running ??= look();
  }, EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    (await searches()).stop();
    await running;
  };
}
