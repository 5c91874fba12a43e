import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";

/** Milliseconds for which a page may take to show the object, and for which it stays marked. */
const PATIENCE = 60_000;
const SHOWN = 3_000;

/** What is marked around a key: the row or the box that tells of the object. */
const ROW = "tr, li, [role=row], [data-row]";

/** Finds the key of an object in what a page shows below its head. */
function shownKey(key: string): Element | undefined {
  const all = document.querySelectorAll(`#content [data-key="${CSS.escape(key)}"]`);
  return [...all].find((one) => one.closest("header") === null);
}

/** Brings the object that an address names behind `#` by its key into sight, and marks it for a moment. */
export function useMarkedObject(): void {
  // The page that is shown: while another one is loaded, the one that is left may show the same key.
  const hash = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.hash ?? "" });
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same key on another page is marked again
  useEffect(() => {
    if (hash === "") return undefined;
    let row: Element | undefined;
    const stop = (): void => {
      watcher.disconnect();
      row?.removeAttribute("data-marked");
    };
    let end = setTimeout(stop, PATIENCE);
    const mark = (): void => {
      // A page that goes on being drawn may put another row in the place of the one that was marked.
      if (row?.isConnected) return;
      const found = shownKey(hash);
      if (!found) return;
      row = found.closest(ROW) ?? found;
      row.setAttribute("data-marked", "");
      row.scrollIntoView({ block: "center" });
      clearTimeout(end);
      end = setTimeout(stop, SHOWN);
    };
    const watcher = new MutationObserver(mark);
    watcher.observe(document.body, { childList: true, subtree: true });
    mark();
    return () => {
      clearTimeout(end);
      stop();
    };
  }, [hash, pathname]);
}
