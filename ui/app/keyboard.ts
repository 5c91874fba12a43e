import { useEffect } from "react";

/** Keys of the whole application by the name of their word in the frame; `mod` is Ctrl, or Cmd on a Mac. */
export const FRAME_KEYS = [
  { keys: "mod+k", word: "keyPalette" },
  { keys: "/", word: "keySearch" },
  { keys: "?", word: "keyHelp" },
  { keys: "e", word: "keyEdit" },
  { keys: "Esc", word: "keyLeave" },
  { keys: "mod+Enter", word: "keySave" },
] as const;

/** Milliseconds in which the second key of a pair such as `g m` has to follow. */
const PAIR = 1_200;

/** True where typing writes a text. */
function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input, textarea, select, [role=textbox], [role=combobox]");
}

/** The name of a pressed key as the tables of keys spell it. */
function nameOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string | undefined {
  if (altKey || key.length === 0) return undefined;
  const name = key.length === 1 ? key.toLowerCase() : key;
  return ctrlKey || metaKey ? `mod+${name}` : name;
}

/**
 * Runs what belongs to a key, or to two keys one after the other, unless a text is being written; those with `mod`
 * always. The table has to keep its identity between renders.
 */
export function useKeys(table: ReadonlyMap<string, () => void>): void {
  useEffect(() => {
    let before: { readonly key: string; readonly at: number } | undefined;
    const pressed = (event: KeyboardEvent): void => {
      const key = nameOf(event);
      if (key === undefined || event.defaultPrevented) return;
      if (!key.startsWith("mod+") && (isWriting(event.target) || document.querySelector("[role=dialog]"))) return;
      const pair = before && event.timeStamp - before.at < PAIR ? `${before.key} ${key}` : undefined;
      const run = (pair && table.get(pair)) || table.get(key);
      before = run ? undefined : { key, at: event.timeStamp };
      if (!run) return;
      event.preventDefault();
      run();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [table]);
}
