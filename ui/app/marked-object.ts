import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";

/** Milliseconds for which a page may take to show the object, and for which it stays marked. */
const PATIENCE = 8_000;
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
  const { hash, pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same key on another page is marked again
  useEffect(() => {
    if (hash === "") return undefined;
    const mark = (): boolean => {
      const found = shownKey(hash);
      if (!found) return false;
      const row = found.closest(ROW) ?? found;
      row.setAttribute("data-marked", "");
      row.scrollIntoView({ block: "center" });
      setTimeout(() => row.removeAttribute("data-marked"), SHOWN);
      return true;
    };
    if (mark()) return undefined;
    const watcher = new MutationObserver(() => {
      if (mark()) watcher.disconnect();
    });
    watcher.observe(document.body, { childList: true, subtree: true });
    const end = setTimeout(() => watcher.disconnect(), PATIENCE);
    return () => {
      clearTimeout(end);
      watcher.disconnect();
    };
  }, [hash, pathname]);
}
